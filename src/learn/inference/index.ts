export {
  buildTables,
  type DocumentFactors,
  denseWeights,
  type InferenceTables,
  MIN_LEAK,
  readDocument,
  readGiven
} from './document-factors.ts'
export {exactPosterior} from './exact-posterior.ts'
export {createInference, type Inference, infer} from './infer.ts'
export {createMessagePassing} from './message-passing.ts'
export {
  type ConceptLabels,
  checkInferenceOptions,
  type EvidenceUse,
  type InferenceMethod,
  type InferenceOptions,
  type Posterior,
  type PosteriorCertificate,
  wordModelOf
} from './posterior.ts'
export {WeightReader} from './weight-reader.ts'
