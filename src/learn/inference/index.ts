export {type DocumentFactors, emptyFactors, readDocument, readGiven} from './document-factors.ts'
export {exactPosterior} from './exact-posterior.ts'
export {createInference, type Inference, infer} from './infer.ts'
export {buildTables, type InferenceTables} from './inference-tables.ts'
export {createMessagePassing} from './message-passing.ts'
export {
  checkInferenceOptions,
  type EvidenceUse,
  evidenceRules,
  type InferenceMethod,
  type InferenceOptions,
  wordModelOf
} from './options.ts'
export type {ConceptLabels, Posterior, PosteriorCertificate} from './posterior.ts'
export {anchorConstants, firedShares, WeightReader} from './weight-reader.ts'
