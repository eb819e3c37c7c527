/** The stages of Algorithm 1, each with the options it uses; `fit` runs them once, `bootstrap` many times. */

import {AdfaError} from '../base/checks/index.ts'
import type {BayesNetwork} from '../base/network/index.ts'
import {type Counts, requireComplete} from '../read/counts/index.ts'
import {type Corpus, withConcepts} from '../read/data/index.ts'
import {type LearnedLoadings, learnGatedLoadings, learnLoadings, loadingPairs} from './loadings/index.ts'
import type {WordModel} from './model/index.ts'
import {
  allRates,
  type MomentControl,
  type Moments,
  recoverBlanketMoments,
  recoverLargerMoments,
  recoverWordMoments,
  recoverWordRatios,
  type TableCertificate
} from './moments/index.ts'
import {
  type AnchorScores,
  type EstimatedNoise,
  estimateNoise,
  type NoiseRates,
  oneSidedRates,
  usableNoise
} from './noise/index.ts'
import type {FitOptions} from './presets.ts'
import {
  type LearnedStructure,
  largestTable,
  learnStructure,
  planStructure,
  type SearchControl
} from './structure/index.ts'
import {learnWordWeights, type WordWeightControl} from './words/index.ts'

/** The rates, and the counts without concepts whose rates cannot be estimated, if those may be skipped. */
export function noiseStage(
  counts: Counts,
  {noise: method, skipBadAnchors, conceptsPerDocument}: FitOptions,
  scores?: AnchorScores
): {readonly counts: Counts; readonly noise: EstimatedNoise} {
  requireComplete(counts)
  const evidence = {scores, conceptsPerDocument}
  return skipBadAnchors
    ? usableNoise(counts, method, evidence)
    : {counts, noise: estimateNoise(counts, method, evidence)}
}

/** The rates for the network and gated words; predictions use the rates as they are. */
export function networkRates(rates: NoiseRates, {falseAnchors}: FitOptions): NoiseRates {
  return falseAnchors === 'related' ? oneSidedRates(rates) : rates
}

/** Line 1. */
export function momentStage(data: Counts, rates: NoiseRates, options: FitOptions, control: MomentControl): Moments {
  const {shrinkage, divergence, polytope, solver, correction, gap, timeLimit, seed} = options
  const size = largestTable(planStructure(options.structure))
  const recovery = {shrinkage, divergence, polytope, solver, correction, gap, timeLimit, seed}
  return recoverLargerMoments(data, rates, size, recovery, control)
}

/** Line 2. */
export function structureStage(
  {lexicon}: Counts,
  rates: NoiseRates,
  moments: Moments,
  options: FitOptions,
  control: SearchControl
): LearnedStructure {
  const {structure, penalty, score, edges, attractive, search, timeLimit, seed} = options
  const names = lexicon.anchors.map(({concept}) => concept)
  const skipped = lexicon.skipped.map(({concept}) => concept)
  const rules = {penalty, score, edges, attractive, search, timeLimit, seed, names, skipped, rates: allRates(rates)}
  return learnStructure(moments, structure, rules, control)
}

/** Loadings, with the certificate of the word moments they were made from, if any. */
export interface StageLoadings extends LearnedLoadings {
  readonly wordMoments?: TableCertificate
}

/** Line 3: by ratios gated by their standard errors or, without a gate, by moments shrunk towards independence. */
export function loadingStage(
  data: Counts,
  rates: NoiseRates,
  network: BayesNetwork,
  options: FitOptions
): StageLoadings {
  const {wordSigmas: sigmas, wordShrinkage: shrinkage, leakFloor, blanketLimit, seed} = options
  if (sigmas > 0)
    return learnGatedLoadings(recoverWordRatios(data, networkRates(rates, options), {sigmas}), network, {
      leakFloor,
      seed
    })
  const words = recoverWordMoments(data, rates, loadingPairs(network), {shrinkage})
  const learned = learnLoadings(words, network, {leakFloor, blanketLimit, seed}, (concept, blanket) =>
    recoverBlanketMoments(data, rates, {concept, blanket}, {shrinkage})
  )
  return {...learned, wordMoments: words.certificate}
}

/** How words predict. */
export function wordStage(
  data: Counts,
  rates: NoiseRates,
  documents: Corpus | undefined,
  {words: wordModel, seed}: FitOptions,
  control: WordWeightControl
): WordModel {
  if (wordModel === 'noisy-or') return {kind: 'noisy-or'}
  const rarer = data.lexicon.anchors.find((_, i) => rates.truePositive[i] < rates.falsePositive[i])
  if (rarer !== undefined)
    throw new AdfaError(
      'bad-option',
      `fit: \`words\` 'weights' takes documents where an anchor fires as examples of its concept, and that of "${rarer.concept}" is rarer with it than without; use \`words\` 'noisy-or'`,
      {details: {option: 'words'}}
    )
  return learnWordWeights(data, rates, documents && withConcepts(documents, data.lexicon), {seed}, control)
}
