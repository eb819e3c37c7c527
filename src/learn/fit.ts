import {AdfaError, throwIfCancelled} from '../base/checks/index.ts'
import type {LinearSolverOptions} from '../base/linear/index.ts'
import {directedNetwork, type Network} from '../base/network/index.ts'
import {type Counts, requireComplete, type TableStatement, wordTotals} from '../read/counts/index.ts'
import {type Corpus, withConcepts} from '../read/data/index.ts'
import {
  type LearnedLoadings,
  type LoadingCertificate,
  learnLoadings,
  loadingPairs,
  ROBUST_LEAK_FLOOR
} from './loadings/index.ts'
import {composeModel, type Model, unshownWords, type WordModel} from './model/index.ts'
import {
  allRates,
  type MomentCertificate,
  type MomentControl,
  type Moments,
  recoverBlanketMoments,
  recoverMoments,
  recoverWordMoments
} from './moments/index.ts'
import {
  estimateNoise,
  type NoiseCertificate,
  type NoiseRates,
  oneSidedRates,
  scoreAnchors,
  usableNoise
} from './noise/index.ts'
import {type CheckedFitOptions, checkFitOptions, type FitOptions, savedOptions} from './options.ts'
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
import {type SourceFigures, type SourceGroup, sourceFigures} from './votes/index.ts'

/**
 * Values of the presets that are not options: `paper` has the BIC score and the leaks as printed, `robust` BIC's standard penalty
 * of 1/2, a score that accounts for anchor noise, and leaks of at least a share of the frequency of their word.
 */
const BY_PRESET = {
  paper: {score: 'bic', penalty: 1, leakFloor: 0},
  robust: {score: 'noise-aware', penalty: structureDefaults.penalty, leakFloor: ROBUST_LEAK_FLOOR}
} as const

export type FitStage = 'noise' | 'moments' | 'structure' | 'loadings' | 'words'

/** The progress of a stage that may take long. */
export interface FitProgress<Stage = FitStage> {
  readonly stage: Stage
  readonly steps: number
  /** The certified gap so far, if the method has one. */
  readonly gap?: number
  /** The share of steps done, if their number is known in advance. */
  readonly share?: number
}

export interface FitControl extends LinearSolverOptions {
  /** Called as each stage begins. */
  readonly onStage?: (stage: FitStage) => void
  readonly onProgress?: (progress: FitProgress) => void
  readonly signal?: AbortSignal
  /** The counted documents, or a sample of them, for rates and word weights; without them both come from counts alone. */
  readonly documents?: Corpus | undefined
  /** Returns seconds since any fixed time; a time limit needs it. */
  readonly clock?: () => number
}

/** The evidence of each stage on how exact and how certain its result is. */
export interface FitCertificate {
  readonly noise: NoiseCertificate
  readonly moments: MomentCertificate
  readonly structure: StructureCertificate | PairCertificate
  readonly loadings: LoadingCertificate
  /** The reliability of each source of votes; unset without votes. */
  readonly sources?: readonly SourceGroup<SourceFigures>[]
  /** Names the released tables that the model was learned from, and how much of them was withheld. */
  readonly tables?: TableStatement
}

export type FittedModel = Model & {readonly certificate: FitCertificate}

/** Runs Algorithm 1, from counts to a model. Unknown options are refused, and options left out come from the preset. */
export async function fit(
  counts: Counts,
  given: FitOptions = {},
  {onStage, onProgress, documents, ...control}: FitControl = {}
): Promise<FittedModel> {
  const options = checkFitOptions(given)
  const begin = (stage: FitStage) => {
    throwIfCancelled(control.signal)
    onStage?.(stage)
    const reported = (progress: Omit<FitProgress, 'stage'>) => onProgress?.({...progress, stage})
    return {...control, onProgress: reported}
  }

  // Section 3.3: estimate the rates of the anchors.
  const {counts: data, noise: rates} = estimateRates(counts, options, documents, begin('noise'))
  // Line 1: recover the moments of the concepts (Eq. 1-4).
  const moments = await recoverConceptMoments(data, rates, options, begin('moments'))
  // Line 2: learn the network over the concepts (Eq. 5).
  const structure = await learnNetwork(moments, data, rates, options, begin('structure'))
  // Line 3: learn the links of the words (Eq. 6-11) and, beyond the paper, the weights that words predict by.
  begin('loadings')
  const links = learnLinks(data, rates, structure.network, options)
  const asked = {...options, asked: given.words, documents}
  const wordModel = learnWords(data, rates, structure.network, asked, begin('words'))

  const sources = sourceFigures(data, rates.prevalence, documents)
  // The same counts must give the same bytes, so the model does not keep the seconds.
  const {seconds: _, ...momentCertificate} = moments.certificate
  const certificate = {
    noise: rates.certificate,
    moments: momentCertificate,
    structure: structure.certificate,
    loadings: links.certificate,
    ...(sources && {sources}),
    ...(data.tables && {tables: data.tables})
  }
  const {lexicon, documentCount, labelShare} = data
  // Line 4: compose the model.
  const model = composeModel({
    concepts: lexicon.anchors.map(({concept}, i) => ({
      name: concept,
      truePositive: rates.truePositive[i],
      falsePositive: rates.falsePositive[i],
      prevalence: structure.prevalence[i]
    })),
    network: structure.network,
    loadings: links.loadings,
    wordModel,
    lexicon,
    unshownWords: unshownWords(lexicon, wordTotals(data), documentCount),
    seed: options.seed,
    options: {...savedOptions({...options, words: wordModel.kind}), documents: documentCount, labelShare},
    certificate: {...certificate}
  })
  return {...model, certificate}
}

/** Section 3.3: estimates the rates, and drops concepts without usable rates from the counts if `skipBadAnchors` is set. */
function estimateRates(
  counts: Counts,
  {noise: method, skipBadAnchors, seed}: CheckedFitOptions,
  documents: Corpus | undefined,
  control: {readonly signal?: AbortSignal; onProgress(progress: Omit<FitProgress, 'stage'>): void}
) {
  requireComplete(counts)
  const onProgress = (steps: number, all: number) => control.onProgress({steps, share: steps / all})
  // Scoring takes long, and only these two estimators read the scores.
  const isScored = documents !== undefined && (method === 'irreducible' || method === 'positive-only')
  const evidence = {scores: isScored ? scoreAnchors(documents, {seed}, {...control, onProgress}) : undefined}
  return skipBadAnchors
    ? usableNoise(counts, method, evidence)
    : {counts, noise: estimateNoise(counts, method, evidence)}
}

/**
 * Returns the rates for directed graphs and gated links. `robust` takes an anchor that fires without its concept as a sign of
 * related concepts, so it subtracts nothing for false anchors. Pairs and predictions use the rates unchanged.
 */
export function networkRates(rates: NoiseRates, {preset}: Pick<CheckedFitOptions, 'preset'>): NoiseRates {
  return preset === 'robust' ? oneSidedRates(rates) : rates
}

/** Line 1: recovers the moments of the concepts (Eq. 1-4) for a directed graph, or the lifts of all pairs for `pairs`. */
export async function recoverConceptMoments(
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

/** Line 2: learns P(Y) and its marginals: a directed graph from moments (Eq. 5), or couplings from lifts. */
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

/**
 * Line 3: learns failures and leaks (Eq. 6-11), gated by standard errors or from moments shrunk towards independence. The moments
 * of words are recovered here, since only the network tells which pairs of concepts they are needed for.
 */
function learnLinks(data: Counts, rates: NoiseRates, given: Network, options: CheckedFitOptions): LearnedLoadings {
  // A network of pairs is replaced by its best forest: further parents hardly change a link and cost far more time.
  const network = directedNetwork(given, 1)
  const {preset, wordShrinkage: shrinkage, seed} = options
  const {leakFloor} = BY_PRESET[preset]
  if (shrinkage === 'gated')
    return learnGatedLoadings(recoverWordRatios(data, networkRates(rates, options)), network, {leakFloor, seed})
  const words = recoverWordMoments(data, rates, loadingPairs(network), {shrinkage})
  const recoverBlanket = (concept: number, blanket: readonly number[]) =>
    recoverBlanketMoments(data, rates, {concept, blanket}, {shrinkage})
  return learnLoadings(words, network, recoverBlanket, {leakFloor, seed})
}

/**
 * Learns, beyond the paper, the weights that words predict by. Weights take documents where an anchor fires as examples of its
 * concept, so they need anchors that are more frequent with their concept. Where weights do not apply, words predict by links, unless `asked`, the caller's option, is 'weights'.
 */
function learnWords(
  data: Counts,
  rates: NoiseRates,
  network: Network,
  options: CheckedFitOptions & {readonly asked: unknown; readonly documents: Corpus | undefined},
  control: WordWeightControl
): WordModel {
  const {words, seed, asked, documents} = options
  const rarer = data.lexicon.anchors.find((_, i) => rates.truePositive[i] < rates.falsePositive[i])
  if (words === 'noisy-or' || (rarer !== undefined && asked !== 'weights')) return {kind: 'noisy-or'}
  if (rarer !== undefined)
    throw new AdfaError(
      'bad-option',
      `fit: \`words\` 'weights' takes documents where an anchor fires as examples of its concept, and that of "${rarer.concept}" is rarer with it than without; use \`words\` 'noisy-or'`,
      {details: {option: 'words'}}
    )
  return learnWordWeights(data, rates, network, documents && withConcepts(documents, data.lexicon), seed, control)
}
