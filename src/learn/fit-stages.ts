/** The stages of Algorithm 1, each with the options it uses; `fit` runs them once, `bootstrap` many times. */

import {AdfaError} from '../base/checks/index.ts'
import {directedNetwork, jointTable, type Network} from '../base/network/index.ts'
import {type Counts, requireComplete} from '../read/counts/index.ts'
import {type Corpus, withConcepts} from '../read/data/index.ts'
import {type LearnedLoadings, learnLoadings, loadingPairs} from './loadings/index.ts'
import type {WordModel} from './model/index.ts'
import {
  allRates,
  type MomentCertificate,
  type MomentControl,
  type Moments,
  recoverBlanketMoments,
  recoverMoments,
  recoverWordMoments,
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
import type {CheckedFitOptions} from './options.ts'
import {learnGatedLoadings, recoverWordRatios} from './robust/index.ts'
import {
  learnPairs,
  learnStructure,
  type PairCertificate,
  type Resampled,
  type SearchControl,
  type StructureCertificate,
  structureDefaults
} from './structure/index.ts'
import {learnWordWeights, type WordWeightControl} from './words/index.ts'

/** The rates, and the counts without concepts whose rates cannot be estimated, if those may be skipped. */
export function noiseStage(
  counts: Counts,
  {noise: method, skipBadAnchors}: CheckedFitOptions,
  scores?: AnchorScores
): {readonly counts: Counts; readonly noise: EstimatedNoise} {
  requireComplete(counts)
  return skipBadAnchors
    ? usableNoise(counts, method, {scores})
    : {counts, noise: estimateNoise(counts, method, {scores})}
}

/**
 * The rates for directed graphs and gated words. `robust` takes an anchor without its concept as a sign of related concepts,
 * so that nothing is subtracted for it; pairs and predictions use the rates unchanged.
 */
function networkRates(rates: NoiseRates, {preset}: CheckedFitOptions): NoiseRates {
  return preset === 'robust' ? oneSidedRates(rates) : rates
}

/** P(Y), and how far it can be trusted. */
export interface NetworkStage {
  readonly network: Network
  readonly prevalence: Float64Array
  /** P(Y_i = Y_k = 1). */
  readonly both: (i: number, k: number) => number
  readonly moments: MomentCertificate
  readonly structure: StructureCertificate | PairCertificate
}

/** Called as its two stages begin, with the control of each. */
export interface NetworkControl {
  readonly moments: () => MomentControl
  readonly structure: () => SearchControl
  readonly resampled?: Resampled | undefined
}

/** Lines 1 and 2: moments and the graph, or all pairs at once. */
export async function networkStage(
  data: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  control: NetworkControl
): Promise<NetworkStage> {
  if (options.network !== 'pairs') return directedStage(data, rates, options, control)
  control.moments()
  const {preset, edges} = options
  const falseAnchors = preset === 'robust' ? 'related' : 'noise'
  const {network, moments, certificate} = learnPairs(data, rates, falseAnchors, {edges, resampled: control.resampled})
  control.structure()
  const {prevalence, couplings} = network
  const both = (i: number, k: number) =>
    jointTable(prevalence[i], prevalence[k], couplings[i * prevalence.length + k])[3]
  return {network, prevalence, both, moments, structure: certificate}
}

/** Line 1 for directed graphs. */
export function momentStage(
  data: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  control: MomentControl
): Promise<Moments> {
  const {shrinkage, divergence, polytope, solver, gap, timeLimit, seed} = options
  const recovery = {shrinkage, divergence, polytope, solver, gap, timeLimit, seed}
  return recoverMoments(data, networkRates(rates, options), recovery, control)
}

/** The score of directed graphs: as printed in the paper, or with the usual penalty of 1/2 and parameters that account for anchor noise. */
const SCORES = {
  paper: {score: 'bic', penalty: 1},
  robust: {score: 'noise-aware', penalty: structureDefaults.penalty}
} as const

async function directedStage(
  data: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  control: NetworkControl
): Promise<NetworkStage> {
  const {preset, network: structure, edges, search, timeLimit, seed} = options
  const moments = await momentStage(data, rates, options, control.moments())
  const names = data.lexicon.anchors.map(({concept}) => concept)
  const skipped = data.lexicon.skipped.map(({concept}) => concept)
  const rules = {
    ...SCORES[preset],
    edges,
    search,
    timeLimit,
    seed,
    names,
    skipped,
    rates: allRates(networkRates(rates, options))
  }
  const {network, certificate} = await learnStructure(moments, structure, rules, control.structure())
  return {
    network,
    prevalence: Float64Array.from(names, (_, i) => moments.single(i)),
    both: (i, k) => moments.pair(i, k)[3],
    moments: moments.certificate,
    structure: certificate
  }
}

/** Loadings, with the certificate of the word moments they were made from, if any. */
export interface StageLoadings extends LearnedLoadings {
  readonly wordMoments?: TableCertificate
}

/** Line 3: by ratios gated by their standard errors or, without a gate, by moments shrunk towards independence. */
export function loadingStage(
  data: Counts,
  rates: NoiseRates,
  given: Network,
  options: CheckedFitOptions
): StageLoadings {
  // Of pairs, the forest that explains most: more parents hardly change a link, and cost far more.
  const network = directedNetwork(given, 1)
  const {wordShrinkage: shrinkage, leakFloor, seed} = options
  if (shrinkage === 'gated')
    return learnGatedLoadings(recoverWordRatios(data, networkRates(rates, options)), network, {leakFloor, seed})
  const words = recoverWordMoments(data, rates, loadingPairs(network), {shrinkage})
  const recoverBlanket = (concept: number, blanket: readonly number[]) =>
    recoverBlanketMoments(data, rates, {concept, blanket}, {shrinkage})
  const learned = learnLoadings(words, network, recoverBlanket, {leakFloor, seed})
  return {...learned, wordMoments: words.certificate}
}

/** How words predict. */
export function wordStage(
  data: Counts,
  rates: NoiseRates,
  network: Network,
  documents: Corpus | undefined,
  {words: wordModel, seed}: CheckedFitOptions,
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
  return learnWordWeights(data, rates, network, documents && withConcepts(documents, data.lexicon), {seed}, control)
}
