/** The stages of Algorithm 1, each with what it takes of the options; `fit` runs them once, `bootstrap` many times. */
import {type LogOddsControl, learnLogOdds} from './channel/index.ts'
import type {Counts} from './counts/index.ts'
import {type Corpus, withConcepts} from './data/index.ts'
import {type LearnedLoadings, learnLoadings, loadingPairs} from './loadings/index.ts'
import type {Channel} from './model/index.ts'
import {
  type MomentControl,
  type Moments,
  noiseChannels,
  recoverBlanketMoments,
  recoverLargerMoments,
  recoverWordMoments,
  type WordMoments
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
  type LatentNetwork,
  type LearnedStructure,
  largestTable,
  learnStructure,
  planStructure,
  type SearchControl
} from './structure/index.ts'

/** The noise rates, and the counts without the concepts whose rates cannot be had, if that is asked for. */
export function noiseStage(
  counts: Counts,
  {noise: method, skipBadAnchors, conceptsPerDocument}: FitOptions,
  scores?: AnchorScores
): {readonly counts: Counts; readonly noise: EstimatedNoise} {
  const evidence = {scores, conceptsPerDocument}
  return skipBadAnchors
    ? usableNoise(counts, method, evidence)
    : {counts, noise: estimateNoise(counts, method, evidence)}
}

/** The rates that the network is learned with; words and predictions take them as they are. */
export function networkRates(rates: NoiseRates, {falseAnchors}: FitOptions): NoiseRates {
  return falseAnchors === 'related' ? oneSidedRates(rates) : rates
}

/** Line 1. */
export function momentStage(data: Counts, rates: NoiseRates, options: FitOptions, control: MomentControl): Moments {
  const {pull, divergence, polytope, solver, gap, timeLimit, seed} = options
  const size = largestTable(planStructure(options.structure))
  const recovery = {pull, divergence, polytope, solver, gap, timeLimit, seed}
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
  const channels = noiseChannels(rates)
  const rules = {penalty, score, edges, attractive, search, timeLimit, seed, names, skipped, channels}
  return learnStructure(moments, structure, rules, control)
}

/** What line 3 needs of the words. */
export function wordStage(
  data: Counts,
  rates: NoiseRates,
  network: LatentNetwork,
  {loadingPull: pull}: FitOptions
): WordMoments {
  return recoverWordMoments(data, rates, loadingPairs(network), {pull})
}

/** Line 3. */
export function loadingStage(
  data: Counts,
  rates: NoiseRates,
  network: LatentNetwork,
  words: WordMoments,
  {loadingPull: pull, leakFloor, blanketLimit, seed}: FitOptions
): LearnedLoadings {
  return learnLoadings(words, network, {leakFloor, blanketLimit, seed}, (concept, blanket) =>
    recoverBlanketMoments(data, rates, {concept, blanket}, {pull})
  )
}

/** How words speak when the model predicts. */
export function channelStage(
  data: Counts,
  rates: NoiseRates,
  documents: Corpus | undefined,
  {channel, seed}: FitOptions,
  control: LogOddsControl
): Channel {
  if (channel === 'noisy-or') return {kind: 'noisy-or'}
  return learnLogOdds(data, rates, documents && withConcepts(documents, data.lexicon), {seed}, control)
}
