/** The steps of Algorithm 1, each choosing its method by the options: `fit` runs them once, `bootstrap` many times. */

import {AdfaError} from '../base/checks/index.ts'
import {directedNetwork, type Network} from '../base/network/index.ts'
import {type Counts, requireComplete} from '../read/counts/index.ts'
import {type Corpus, withConcepts} from '../read/data/index.ts'
import {type LearnedLoadings, learnLoadings, loadingDefaults, loadingPairs} from './loadings/index.ts'
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
  type EstimatedNoise,
  estimateNoise,
  type NoiseEvidence,
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
  type PairControl,
  recoverLifts,
  recoverWordRatios,
  type WordWeightControl
} from './robust/index.ts'
import {learnStructure, type SearchControl, structureDefaults} from './structure/index.ts'

/**
 * The presets differ in these values, which are not options: `paper` has the score and the leaks as printed, `robust` the usual BIC
 * penalty of 1/2, parameters that account for anchor noise, and leaks above a share of the frequency of their word.
 */
const BY_PRESET = {
  paper: {score: 'bic', penalty: 1, leakFloor: 0},
  robust: {score: 'noise-aware', penalty: structureDefaults.penalty, leakFloor: loadingDefaults.leakFloor}
} as const

/** Section 3.3: estimates the rates, and drops concepts without usable rates from the counts if `skipBadAnchors` is set. */
export function estimateRates(
  counts: Counts,
  {noise: method, skipBadAnchors}: CheckedFitOptions,
  evidence: NoiseEvidence
): {readonly counts: Counts; readonly noise: EstimatedNoise} {
  requireComplete(counts)
  return skipBadAnchors
    ? usableNoise(counts, method, evidence)
    : {counts, noise: estimateNoise(counts, method, evidence)}
}

/**
 * The rates for directed graphs and gated links. `robust` takes an anchor that fires without its concept as a sign of related
 * concepts, so it subtracts nothing for false anchors. Pairs and predictions use the rates unchanged.
 */
export function networkRates(rates: NoiseRates, {preset}: Pick<CheckedFitOptions, 'preset'>): NoiseRates {
  return preset === 'robust' ? oneSidedRates(rates) : rates
}

/** Line 1: recovers the moments of the concepts (Eq. 1-4) for a directed graph, or the lifts of all pairs for `pairs`. */
export async function recoverConcepts(
  data: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  control: MomentControl & Pick<PairControl, 'resampled'>
): Promise<Moments | Lifts> {
  const {preset, network, edges, shrinkage, divergence, polytope, solver, gap, timeLimit, seed} = options
  if (network === 'pairs')
    return recoverLifts(data, rates, preset === 'robust' ? 'related' : 'noise', {edges, resampled: control.resampled})
  const recovery = {shrinkage, divergence, polytope, solver, gap, timeLimit, seed}
  return recoverMoments(data, networkRates(rates, options), recovery, control)
}

/** Line 2: learns P(Y) and its marginals, as a directed graph from moments (Eq. 5) or as couplings from lifts. */
export async function learnNetwork(
  moments: Moments | Lifts,
  {lexicon}: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  control: SearchControl & Pick<PairControl, 'resampled'>
) {
  if ('pairs' in moments) return {...networkFromLifts(moments, control), prevalence: moments.prevalence}
  const {preset, network: structure, edges, search, timeLimit, seed} = options
  const {score, penalty} = BY_PRESET[preset]
  const names = lexicon.anchors.map(({concept}) => concept)
  const skipped = lexicon.skipped.map(({concept}) => concept)
  const anchors = allRates(networkRates(rates, options))
  const rules = {score, penalty, edges, search, timeLimit, seed, names, skipped, rates: anchors} as const
  const learned = await learnStructure(moments, structure, rules, control)
  return {...learned, prevalence: Float64Array.from(names, (_, i) => moments.single(i))}
}

/** Line 3: learns failures and leaks (Eq. 6-11), gated by standard errors or from moments shrunk towards independence. */
export function learnLinks(
  data: Counts,
  rates: NoiseRates,
  given: Network,
  options: CheckedFitOptions
): LearnedLoadings & {readonly wordMoments?: TableCertificate} {
  // For pairs, the forest that explains most stands in: further parents hardly change a link and cost far more time.
  const network = directedNetwork(given, 1)
  const {preset, wordShrinkage: shrinkage, seed} = options
  const {leakFloor} = BY_PRESET[preset]
  if (shrinkage === 'gated')
    return learnGatedLoadings(recoverWordRatios(data, networkRates(rates, options)), network, {leakFloor, seed})
  const words = recoverWordMoments(data, rates, loadingPairs(network), {shrinkage})
  const recoverBlanket = (concept: number, blanket: readonly number[]) =>
    recoverBlanketMoments(data, rates, {concept, blanket}, {shrinkage})
  const learned = learnLoadings(words, network, recoverBlanket, {leakFloor, seed})
  return {...learned, wordMoments: words.certificate}
}

/**
 * Beyond the paper: learns the weights that words predict by. Weights take documents where an anchor fires as examples of its
 * concept, so an anchor that is rarer with its concept rules them out. They cannot account for privacy noise either, whose
 * size the gate of the links knows. In both cases words predict by their links, unless `asked` names the weights.
 */
export function learnWords(
  data: Counts,
  rates: NoiseRates,
  network: Network,
  options: CheckedFitOptions & {readonly asked: unknown; readonly documents: Corpus | undefined},
  control: WordWeightControl
): WordModel {
  const {words, seed, asked, documents} = options
  const rarer = data.lexicon.anchors.find((_, i) => rates.truePositive[i] < rates.falsePositive[i])
  const isNoisy = data.tables?.sites.some(({noise}) => noise !== undefined) ?? false
  const isUnfit = rarer !== undefined || isNoisy
  if (words === 'noisy-or' || (isUnfit && asked !== 'weights')) return {kind: 'noisy-or'}
  if (rarer !== undefined)
    throw new AdfaError(
      'bad-option',
      `fit: \`words\` 'weights' takes documents where an anchor fires as examples of its concept, and that of "${rarer.concept}" is rarer with it than without; use \`words\` 'noisy-or'`,
      {details: {option: 'words'}}
    )
  return learnWordWeights(data, rates, network, documents && withConcepts(documents, data.lexicon), seed, control)
}
