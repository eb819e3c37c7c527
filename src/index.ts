/**
 * adfa: Anchored Discrete Factor Analysis. Name hidden concepts, give each an anchor, and learn without labels a
 * Bayesian network over the concepts with noisy-or links to every word.
 *
 *     documents --buildCorpus, countCorpus--> Counts --fit--> Model --infer--> posteriors
 *
 * Everything here runs in Node and in browsers; files and the like are in `adfa/node`.
 */
export {
  anchorTable,
  type CountOptions,
  type Counts,
  corpusTable,
  countCorpus,
  countsFromBytes,
  countsToBytes,
  dropConcepts,
  isCountsFile,
  mergeCounts
} from './counts/index.ts'
export {
  type Anchor,
  type AnchorRates,
  type Anchors,
  anchorsFromTags,
  anchorsToJson,
  buildCorpus,
  type Corpus,
  type CorpusDocument,
  type CorpusOptions,
  createEncoder,
  type Encoder,
  type Evidence,
  encodeCorpus,
  type Lexicon,
  parseAnchors,
  parseRow,
  type Row,
  type SkippedAnchor,
  type TextOptions,
  textDefaults,
  tokenize
} from './data/index.ts'
export {
  type Evaluation,
  evaluate,
  type Figures,
  type OpenEvaluation,
  OracleTrainer,
  openEvaluation,
  type TaggingFigures
} from './evaluation/index.ts'
export {type FitCertificate, type FitControl, type FitProgress, type FitStage, fit} from './fit.ts'
export {
  createInference,
  createLastTagScorer,
  type Inference,
  type InferenceMethod,
  type InferenceOptions,
  infer,
  inferenceDefaults,
  type KnownTags,
  type LastTagScorer,
  logJoint,
  type Posterior,
  type PosteriorCertificate,
  predictDocument,
  predictionLine,
  scoreLastTag
} from './inference/index.ts'
export {type LinearSolver, loadLinearSolver} from './linear/index.ts'
export {
  failureBlanket,
  failureDirect,
  failureNetwork,
  failureTree,
  type LearnedLoadings,
  type Loadings,
  leaklessAbsence,
  learnLoadings,
  loadingPairs,
  markovBlanket
} from './loadings/index.ts'
export {
  anchorsWithRates,
  composeModel,
  emergencyModel,
  type GeneratedDocument,
  generateDocuments,
  type Latent,
  loadModel,
  type Model,
  type RandomModelOptions,
  randomModel,
  randomModelDefaults,
  saveModel,
  type TopWord,
  topWords,
  validateModel
} from './model/index.ts'
export {
  type Divergence,
  defaultGaps,
  type MomentCertificate,
  type MomentControl,
  type MomentOptions,
  type MomentSolver,
  type Moments,
  momentDefaults,
  type Pull,
  parsePull,
  type RecoveredTable,
  recoverBlanketMoments,
  recoverLargerMoments,
  recoverMoments,
  recoverObservedTable,
  recoverTable,
  recoverWordMoments,
  type WordMoments
} from './moments/index.ts'
export {estimateNoise, type NoiseMethod, type NoiseRates} from './noise/index.ts'
export {AdfaError, type ErrorCode, hashShare, mutualInformation, nearestName, type Rng, rng} from './numeric/index.ts'
export type {PolytopeName, SolveProgress, SolveStatus} from './polytopes/index.ts'
export {checkFitOptions, type FitOptions, fitChoices, type Preset, presets} from './presets.ts'
export {
  type BicOptions,
  type BifNetwork,
  bicScores,
  type ConceptTables,
  chowLiuTree,
  completedGraph,
  constrainFamilies,
  type DotOptions,
  type Edge,
  type EdgeConstraints,
  edgeList,
  edgesToCsv,
  type Family,
  type FamilyScores,
  familyFilter,
  type GivenGraph,
  type GraphSearch,
  type GreedyOptions,
  type IntegerOptions,
  independenceTest,
  type JunctionTree,
  junctionTree,
  type LatentNetwork,
  learnStructure,
  logPrior,
  markovEquivalent,
  type NamedEdges,
  type NamedScores,
  type NetworkEdge,
  networkEdges,
  networkFromBif,
  networkFromMoments,
  networkMarginals,
  networkTable,
  networkTables,
  networkToBif,
  networkToDot,
  networkToUai,
  parameterCount,
  parseEdges,
  planStructure,
  pruneFamilies,
  readScores,
  type StructureKind,
  type StructureScore,
  sampleNetwork,
  searchDegree,
  searchExact,
  searchGreedy,
  searchInteger,
  writeScores
} from './structure/index.ts'
