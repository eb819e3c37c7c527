/** The stages of Algorithm 1, each with the options it uses; `fit` runs them once, `bootstrap` many times. */

import {AdfaError} from '../base/checks/index.ts'
import {directedNetwork, type Network} from '../base/network/index.ts'
import {type Counts, requireComplete} from '../read/counts/index.ts'
import {type Corpus, withConcepts} from '../read/data/index.ts'
import {type LearnedLoadings, learnLoadings, loadingPairs} from './loadings/index.ts'
import type {WordModel} from './model/index.ts'
import {
  allRates,
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
import {
  type Lifts,
  learnGatedLoadings,
  learnWordWeights,
  networkFromLifts,
  type PairCertificate,
  type PairControl,
  recoverLifts,
  recoverWordRatios,
  type WordWeightControl
} from './robust/index.ts'
import {learnStructure, type SearchControl, type StructureCertificate, structureDefaults} from './structure/index.ts'

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

/** A directed graph is learned from moments, a network of pairs from the lifts of all pairs. */
export type ConceptMoments = Moments | Lifts

/** Line 1: the moments of the concepts (Eq. 1-4), or the lifts of a network of pairs. */
export async function momentStage(
  data: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  control: MomentControl & Pick<PairControl, 'resampled'>
): Promise<ConceptMoments> {
  const {preset, network, edges} = options
  if (network !== 'pairs') return graphMoments(data, rates, options, control)
  return recoverLifts(data, rates, preset === 'robust' ? 'related' : 'noise', {edges, resampled: control.resampled})
}

/** The moments of the concepts that a directed graph is learned from. */
export function graphMoments(
  data: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  control: MomentControl
): Promise<Moments> {
  const {shrinkage, divergence, polytope, solver, gap, timeLimit, seed} = options
  const recovery = {shrinkage, divergence, polytope, solver, gap, timeLimit, seed}
  return recoverMoments(data, networkRates(rates, options), recovery, control)
}

/** P(Y), and how far it can be trusted. */
export interface NetworkStage {
  readonly network: Network
  readonly prevalence: Float64Array
  readonly certificate: StructureCertificate | PairCertificate
}

/** The score of directed graphs: as printed in the paper, or with the usual penalty of 1/2 and parameters that account for anchor noise. */
const SCORES = {
  paper: {score: 'bic', penalty: 1},
  robust: {score: 'noise-aware', penalty: structureDefaults.penalty}
} as const

/** Line 2: the network over the concepts (Eq. 5), or of pairs. */
export async function networkStage(
  moments: ConceptMoments,
  {lexicon}: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  control: SearchControl & Pick<PairControl, 'resampled'>
): Promise<NetworkStage> {
  if ('posteriors' in moments) return {...networkFromLifts(moments, control), prevalence: moments.prevalence}
  const {preset, network: structure, edges, search, timeLimit, seed} = options
  const names = lexicon.anchors.map(({concept}) => concept)
  const skipped = lexicon.skipped.map(({concept}) => concept)
  const anchors = allRates(networkRates(rates, options))
  const rules = {...SCORES[preset], edges, search, timeLimit, seed, names, skipped, rates: anchors}
  const learned = await learnStructure(moments, structure, rules, control)
  return {...learned, prevalence: Float64Array.from(names, (_, i) => moments.single(i))}
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
  return learnWordWeights(data, rates, network, documents && withConcepts(documents, data.lexicon), seed, control)
}
