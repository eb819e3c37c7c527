export {type AnchorIndex, indexAnchors, type Role, sharedMembers} from './anchor-index.ts'
export {
  type Anchor,
  type AnchorRates,
  type Anchors,
  anchorsToJson,
  type ExclusiveGroup,
  exclusiveGroups,
  exclusiveToJson,
  parseAnchorEntry,
  parseAnchors,
  withExclusive
} from './anchors.ts'
export {anchorFaults, nameHint, type SeenFeature} from './check-anchors.ts'
export {
  buildCorpus,
  type Corpus,
  type CorpusDocument,
  EncodedDocuments,
  encodeCorpus,
  evidenceOf,
  type PackedDocuments,
  readCorpus,
  withConcepts
} from './corpus.ts'
export {DocumentIndex} from './document-index.ts'
export {
  createEncoder,
  createLabelReader,
  type Encoder,
  type Evidence,
  MOST_TOKENS,
  WordNumbers
} from './encoder.ts'
export {against, NEGATED_PREFIX, readVote, VOTES, voteFeature} from './feature-name.ts'
export {createFieldScanner} from './field-scanner.ts'
export {isFunctionWord} from './function-words.ts'
export {GrowingArray, growingIntegers, growingNumbers} from './growing-array.ts'
export {
  type AnchorRule,
  anchorRule,
  checkVocabularyOptions,
  LexiconBuilder,
  learnLexicon,
  lexiconPasses,
  type VocabularyOptions,
  vocabularyDefaults
} from './learn-lexicon.ts'
export {
  checkTextOptions,
  type Lexicon,
  lexiconFromJson,
  lexiconMeaning,
  lexiconToJson,
  pickTextOptions,
  readingFromJson,
  readingToJson,
  type SkippedAnchor,
  skippedLines,
  type TagFilter,
  type TextOptions,
  textDefaults,
  textOptionsOf
} from './lexicon.ts'
export {isNegated} from './negation.ts'
export {textLanguage} from './negation-words.ts'
export {NumberedReader} from './numbered-reader.ts'
export {tokenParts} from './phrases.ts'
export {createFeaturePlacer, type FeatureSpan} from './place-features.ts'
export {
  checkFeatureCount,
  exactId,
  hashedKey,
  isHeldOut,
  type Labels,
  labelKey,
  parseRow,
  type Row,
  type RowReading,
  rowKey,
  rowOfRecord,
  type SourceRecord,
  type TableDialect
} from './row.ts'
export {
  didYouMean,
  fieldNames,
  inputNames,
  keyColumns,
  keyFields,
  listName,
  type NumberField,
  numberFieldRule,
  otherSpellings,
  parseNumberField,
  type RowFields,
  separatorOf,
  soughtNames,
  tagSeparatorOf,
  valueFieldNames
} from './row-fields.ts'
export {
  anchorsFromTags,
  documentFilter,
  FieldSurvey,
  StrayTags,
  type TagFrequencies,
  TagSurvey,
  VoteSurvey
} from './surveys.ts'
export {nameParts, tokenize} from './tokenize.ts'
export {binName} from './value-features.ts'
export {byCodeUnit, DocumentSurvey, frequenciesByField, type WordSurvey} from './word-survey.ts'
