export {indexAnchors, type Role, sharedMembers} from './anchor-index.ts'
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
export {DocumentIndex, type EncodedDocuments} from './document-index.ts'
export {
  buildCorpus,
  type Corpus,
  type CorpusDocument,
  createLabelReader,
  Encoder,
  type Evidence,
  encodeCorpus,
  type PackedDocuments,
  readCorpus,
  WordNumbers,
  withConcepts
} from './encoder.ts'
export {against, NEGATED_PREFIX, readVote, VOTES} from './feature-name.ts'
export {createFieldScanner} from './field-scanner.ts'
export {isFunctionWord} from './function-words.ts'
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
  type Lexicon,
  type LexiconReader,
  lexiconFromJson,
  lexiconToJson,
  pickTextOptions,
  readingFromJson,
  readingToJson,
  type SkippedAnchor,
  skippedLines,
  type TextOptions,
  textDefaults,
  textOptionsOf
} from './lexicon.ts'
export {isNegated} from './negation.ts'
export {textLanguage} from './negation-words.ts'
export {addSurveys, frequenciesByField, NumberedReader, type WordSurvey} from './numbered-reader.ts'
export {tokenParts} from './phrases.ts'
export {createFeaturePlacer, type FeatureSpan, type PlacedField} from './place-features.ts'
export {
  binName,
  checkFeatureCount,
  exactId,
  hashedKey,
  isHeldOut,
  type Labels,
  labelKey,
  noUsableField,
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
  fieldsOf,
  inputNames,
  keyColumns,
  listName,
  type NumberField,
  numberFieldRule,
  otherSpellings,
  parseNumberField,
  type RowFields
} from './row-fields.ts'
export {
  anchorsFromTags,
  byCodeUnit,
  documentFilter,
  FieldSurvey,
  StrayTags,
  TagSurvey,
  voteAnchors
} from './surveys.ts'
export {nameParts, tokenize} from './tokenize.ts'
