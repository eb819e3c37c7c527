export {type Contribution, type RestKind, strongestFirst, totalOf} from './contributions.ts'
export {type Explanation, explain} from './explain.ts'
export {createLastTagScorer} from './last-tag.ts'
export {
  idPlace,
  type PredictionLineOptions,
  predictionWriter,
  type TaggedOptions,
  type TaggedTable,
  taggedTable,
  taggedWriter
} from './prediction-lines.ts'
export {createPredictor, type Predictor, predictDocument, readDocument} from './predictor.ts'
export {scoreSql} from './score-sql.ts'
export {type ScoringDatabase, scoringDatabases} from './sql-dialects.ts'
export {
  evenRule,
  isTag,
  likelyFrom,
  measuredConcepts,
  ruleFacts,
  soleThreshold,
  type TagRule,
  tagRule,
  tagsFrom,
  unmeasuredConcepts
} from './tags-from.ts'
