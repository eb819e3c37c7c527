export {indexAnchors, type Role, sharedMembers} from './anchor-index.ts'
export {type Anchor, type AnchorRates, type Anchors, anchorsToJson, parseAnchorEntry, parseAnchors} from './anchors.ts'
export {anchorFaults} from './check-anchors.ts'
export {didYouMean, otherSpellings} from './column-names.ts'
export {
  buildCorpus,
  type Corpus,
  type CorpusDocument,
  type CorpusOptions,
  encodeCorpus,
  readCorpus,
  withConcepts
} from './corpus.ts'
export {DocumentIndex} from './document-index.ts'
export {EncodedDocuments, type PackedDocuments} from './encoded-documents.ts'
export {
  createEncoder,
  createEvidenceReader,
  createLabelReader,
  type Encoder,
  type Evidence,
  MOST_TOKENS,
  WordNumbers
} from './encoder.ts'
export {exactId} from './exact-id.ts'
export {type ExclusiveGroup, exclusiveGroups, exclusiveToJson, withExclusive} from './exclusive.ts'
export {NEGATED_PREFIX} from './feature-name.ts'
export {createFeatureReader, type FeatureReader, type FeatureRole} from './feature-reader.ts'
export {isFunctionWord} from './function-words.ts'
export {GrowingArray, growingIntegers, growingNumbers} from './growing-array.ts'
export {isHeldOut} from './held-out.ts'
export {
  type AnchorRule,
  anchorRule,
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
  lexiconMeaning,
  lexiconToJson,
  pickTextOptions,
  type SkippedAnchor,
  skippedLines,
  type TagFilter,
  type TextOptions,
  textDefaults,
  textToJson
} from './lexicon.ts'
export {LexiconBuilder, type LexiconOptions} from './lexicon-builder.ts'
export {lexiconFromJson, readingFromJson} from './lexicon-from-json.ts'
export {nameHint, type SeenFeature} from './name-hint.ts'
export {
  fieldsFromNames,
  keyColumns,
  listName,
  type NamedFields,
  type NamedReading,
  numberFieldRule,
  parseNumberField,
  vocabularyFromNames
} from './named-reading.ts'
export {textLanguages} from './negation-words.ts'
export {createFeaturePlacer, type FeatureSpan, type PlacedField} from './place-features.ts'
export {
  checkFeatureCount,
  hashedKey,
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
  fieldNames,
  inputNames,
  keyFields,
  type NumberField,
  type RowFields,
  separatorOf,
  soughtNames,
  tagSeparatorOf,
  valueFieldNames
} from './row-fields.ts'
export {StrayTags} from './stray-tags.ts'
export {anchorsFromTags, documentFilter, FieldSurvey, type TagFrequencies, TagSurvey, VoteSurvey} from './surveys.ts'
export {byCodeUnit} from './token-frequencies.ts'
export {nameParts, tokenize} from './tokenize.ts'
export {binName} from './value-features.ts'
export {against, readVote, VOTES, voteFeature} from './votes.ts'
export {DocumentSurvey, frequenciesByField, type WordSurvey} from './word-survey.ts'
