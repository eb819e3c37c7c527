import {throwIfCancelled} from '../base/checks/index.ts'
import type {LinearSolverOptions} from '../base/linear/index.ts'
import {type Counts, type TableStatement, wordTotals} from '../read/counts/index.ts'
import type {Corpus} from '../read/data/index.ts'
import {loadingStage, momentStage, networkStage, noiseStage, wordStage} from './fit-stages.ts'
import type {LoadingCertificate} from './loadings/index.ts'
import {composeModel, type Model, unshownWords} from './model/index.ts'
import type {MomentCertificate, TableCertificate} from './moments/index.ts'
import type {AnchorScores, NoiseCertificate} from './noise/index.ts'
import {checkFitOptions, type FitOptions, savedOptions} from './options.ts'
import type {PairCertificate} from './robust/index.ts'
import type {StructureCertificate} from './structure/index.ts'
import {type SourceFigures, type SourceGroup, sourceFigures} from './votes/index.ts'

export type FitStage = 'noise' | 'moments' | 'structure' | 'loadings' | 'words'

/** Progress of a stage that may take long. */
export interface FitProgress {
  readonly stage: FitStage
  readonly steps: number
  /** The certified gap so far, for methods that have one. */
  readonly gap?: number
  /** The share of steps done, where their number is known beforehand. */
  readonly share?: number
}

export interface FitControl extends LinearSolverOptions {
  /** Called as each stage begins. */
  readonly onStage?: (stage: FitStage) => void
  readonly onProgress?: (progress: FitProgress) => void
  readonly signal?: AbortSignal
  /** Scores of a sample of documents, for estimators that need more than counts. */
  readonly scores?: AnchorScores
  /** The counted documents, or a sample, for word weights; without them, weights come from counts alone. */
  readonly documents?: Corpus
  /** Seconds since any fixed time; a time limit needs it. */
  readonly clock?: () => number
}

/** How far the result of each stage can be trusted. */
export interface FitCertificate {
  readonly noise: NoiseCertificate
  readonly moments: MomentCertificate
  readonly structure: StructureCertificate | PairCertificate
  /** Of words whose moments were recovered; gated words need none. */
  readonly wordMoments?: TableCertificate
  readonly loadings: LoadingCertificate
  /** How reliable each source of votes is; unset without votes. */
  readonly sources?: readonly SourceGroup<SourceFigures>[]
  /** For a model from released tables: which tables, and how much of them was withheld. */
  readonly tables?: TableStatement
}

/** Algorithm 1: from counts to a model. Unknown options are refused; those left out come from the preset. */
export async function fit(
  counts: Counts,
  given: FitOptions = {},
  {onStage, onProgress, scores, documents, ...control}: FitControl = {}
): Promise<Model & {readonly certificate: FitCertificate}> {
  const options = checkFitOptions({...wordsOf(counts), ...given})
  const begin = (stage: FitStage) => {
    throwIfCancelled(control.signal)
    onStage?.(stage)
    const reported = (progress: Omit<FitProgress, 'stage'>) => onProgress?.({...progress, stage})
    return {...control, onProgress: reported}
  }
  // Section 3.3: the rates of the anchors.
  begin('noise')
  const {counts: data, noise: rates} = noiseStage(counts, options, scores)
  // Line 1: recover the moments of the concepts (Eq. 1-4).
  const moments = await momentStage(data, rates, options, begin('moments'))
  // Line 2: learn the network over the concepts (Eq. 5).
  const {
    network,
    prevalence,
    certificate: structure
  } = await networkStage(moments, data, rates, options, begin('structure'))
  // Line 3: learn the links of the words (Eq. 6-11) and, beyond the paper, the weights that words predict by.
  begin('loadings')
  const learned = loadingStage(data, rates, network, options)
  const wordModel = wordStage(data, rates, network, documents, options, begin('words'))
  // Line 4: compose the model.
  const sources = sourceFigures(data, rates.prevalence, documents)
  const {seconds: _, ...certificate} = moments.certificate
  const certificates = {
    noise: rates.certificate,
    moments: certificate,
    structure,
    ...(learned.wordMoments && {wordMoments: learned.wordMoments}),
    loadings: learned.certificate,
    ...(sources && {sources}),
    ...(data.tables && {tables: data.tables})
  }
  const model = composeModel({
    concepts: data.lexicon.anchors.map(({concept}, i) => ({
      name: concept,
      truePositive: rates.truePositive[i],
      falsePositive: rates.falsePositive[i],
      prevalence: prevalence[i]
    })),
    network,
    loadings: learned.loadings,
    wordModel,
    lexicon: data.lexicon,
    unshownWords: unshownWords(data.lexicon, wordTotals(data), data.documentCount, learned.loadings),
    seed: options.seed,
    options: {...savedOptions(options), documents: data.documentCount, labelShare: data.labelShare},
    certificate: {...certificates}
  })
  return {...model, certificate: certificates}
}

/**
 * Word weights cannot account for privacy noise, whose size the gate of noisy-or links knows, and take documents where an anchor
 * fires as examples of its concept, which an anchor that is rarer with its concept does not give.
 */
function wordsOf({tables, lexicon}: Counts): {readonly words: 'noisy-or'} | undefined {
  const isNoisy = tables?.sites.some(({noise}) => noise !== undefined) ?? false
  const isRarer = lexicon.anchors.some(
    ({rates}) =>
      rates !== undefined &&
      (rates.kind === 'rates' ? rates.truePositive < rates.falsePositive : rates.precision < rates.prevalence)
  )
  return isNoisy || isRarer ? {words: 'noisy-or'} : undefined
}
