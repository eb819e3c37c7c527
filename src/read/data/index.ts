export type {Role} from './anchor-index.ts'
export {type Anchor, type AnchorRates, type Anchors, anchorsToJson, parseAnchorEntry, parseAnchors} from './anchors.ts'
export type {BigramOptions} from './bigrams.ts'
export {anchorFaults} from './check-anchors.ts'
export {
  buildCorpus,
  type Corpus,
  type CorpusDocument,
  type CorpusOptions,
  encodeCorpus,
  readCorpus,
  withConcepts
} from './corpus.ts'
export {createEncoder, createEvidenceReader, type Encoder, type Evidence} from './encoder.ts'
export {exactId} from './exact-id.ts'
export {createFeatureReader, type FeatureReader, type FeatureRole} from './feature-reader.ts'
export {
  type AnchorRule,
  checkVocabularyOptions,
  type LexiconPass,
  learnLexicon,
  lexiconPasses,
  type VocabularyOptions,
  vocabularyDefaults
} from './learn-lexicon.ts'
export {
  checkTextOptions,
  type Lexicon,
  lexiconToJson,
  pickTextOptions,
  type SkippedAnchor,
  skippedLines,
  type TagFilter,
  type TextOptions,
  textDefaults,
  textToJson
} from './lexicon.ts'
export {LexiconBuilder, type LexiconOptions, type WordSurvey} from './lexicon-builder.ts'
export {lexiconFromJson, readingFromJson, textFromJson} from './lexicon-from-json.ts'
export {checkFeatureCount, hashedKey, type Labels, labelKey, parseRow, type Row, rowKey} from './row.ts'
export {fieldNames, type NumberField, type RowFields, separatorOf, valueFieldNames} from './row-fields.ts'
export {anchorsFromTags, FieldSurvey, type TagFrequencies, TagSurvey} from './surveys.ts'
export {tokenize} from './tokenize.ts'
