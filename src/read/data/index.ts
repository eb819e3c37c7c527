export {type AnchorIndex, indexAnchors, type Role, sharedMembers} from './anchor-index.ts'
export {type Anchor, type AnchorRates, type Anchors, anchorsToJson, parseAnchorEntry, parseAnchors} from './anchors.ts'
export {anchorFaults} from './check-anchors.ts'
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
export {type ExclusiveGroup, exclusiveGroups, exclusiveToJson, withExclusive} from './exclusive.ts'
export {NEGATED_PREFIX} from './feature-name.ts'
export {createFieldScanner} from './field-scanner.ts'
export {isFunctionWord} from './function-words.ts'
export {GrowingArray, growingIntegers, growingNumbers} from './growing-array.ts'
export {
  type AnchorRule,
  anchorRule,
  checkVocabularyOptions,
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
export {LexiconBuilder} from './lexicon-builder.ts'
export {nameHint, type SeenFeature} from './name-hint.ts'
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
export {byCodeUnit} from './token-frequencies.ts'
export {nameParts, tokenize} from './tokenize.ts'
export {binName} from './value-features.ts'
export {against, readVote, VOTES, voteFeature} from './votes.ts'
export {DocumentSurvey, frequenciesByField, type WordSurvey} from './word-survey.ts'
