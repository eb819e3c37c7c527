/**
 * adfa: Anchored Discrete Factor Analysis. Name hidden concepts, give each an anchor, and learn without labels a
 * Bayesian network over the concepts with noisy-or links to every word.
 *
 *     documents --buildCorpus, countCorpus--> Counts --fit--> Model --infer--> posteriors
 *
 * Everything here runs in Node and in browsers; files and the like are in `adfa/node`.
 */
export {
  type CountOptions,
  type Counts,
  countCorpus,
  countsFromBytes,
  countsToBytes,
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
  type CorpusOptions,
  createEncoder,
  type Encoder,
  type Evidence,
  encodeCorpus,
  type Lexicon,
  parseAnchors,
  parseRow,
  type Row,
  type TextOptions,
  textDefaults,
  tokenize
} from './data/index.ts'
export {type FitControl, type FitStage, fit} from './fit.ts'
export {composeModel, type Latent, loadModel, type Model, saveModel} from './model/index.ts'
export {type Moments, recoverMoments, recoverTable} from './moments/index.ts'
export {estimateNoise, type NoiseMethod, type NoiseRates} from './noise/index.ts'
export {AdfaError, type ErrorCode, type Rng, rng} from './numeric/index.ts'
export {type FitOptions, type Preset, presets} from './presets.ts'
export {chowLiuTree, type LatentNetwork, learnStructure, logPrior} from './structure/index.ts'
