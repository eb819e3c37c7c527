import {throwIfCancelled} from '../base/checks/index.ts'
import type {LinearSolverOptions} from '../base/linear/index.ts'
import {type Counts, type TableStatement, wordTotals} from '../read/counts/index.ts'
import type {Corpus} from '../read/data/index.ts'
import {estimateRates, learnLinks, learnNetwork, learnWords, recoverConcepts} from './fit-stages.ts'
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
export interface FitProgress<Stage = FitStage> {
  readonly stage: Stage
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
  readonly scores?: AnchorScores | undefined
  /** The counted documents, or a sample, for word weights; without them, weights come from counts alone. */
  readonly documents?: Corpus | undefined
  /** Seconds since any fixed time; a time limit needs it. */
  readonly clock?: () => number
}

/** How far the result of each stage can be trusted. */
export interface FitCertificate {
  readonly noise: NoiseCertificate
  readonly moments: MomentCertificate
  readonly structure: StructureCertificate | PairCertificate
  /** Set where moments of words were recovered; gated links need none. */
  readonly wordMoments?: TableCertificate
  readonly loadings: LoadingCertificate
  /** How reliable each source of votes is; unset without votes. */
  readonly sources?: readonly SourceGroup<SourceFigures>[]
  /** For a model from released tables: which tables, and how much of them was withheld. */
  readonly tables?: TableStatement
}

/** Algorithm 1: from counts to a model. Unknown options are refused, and options left out come from the preset. */
export async function fit(
  counts: Counts,
  given: FitOptions = {},
  {onStage, onProgress, scores, documents, ...control}: FitControl = {}
): Promise<Model & {readonly certificate: FitCertificate}> {
  const options = checkFitOptions(given)
  const begin = (stage: FitStage) => {
    throwIfCancelled(control.signal)
    onStage?.(stage)
    const reported = (progress: Omit<FitProgress, 'stage'>) => onProgress?.({...progress, stage})
    return {...control, scores, onProgress: reported}
  }

  // Section 3.3: estimate the rates of the anchors.
  const {counts: data, noise: rates} = estimateRates(counts, options, begin('noise'))
  // Line 1: recover the moments of the concepts (Eq. 1-4).
  const moments = await recoverConcepts(data, rates, options, begin('moments'))
  // Line 2: learn the network over the concepts (Eq. 5).
  const structure = await learnNetwork(moments, data, rates, options, begin('structure'))
  // Line 3: learn the links of the words (Eq. 6-11) and, beyond the paper, the weights that words predict by.
  begin('loadings')
  const links = learnLinks(data, rates, structure.network, options)
  const asked = {...options, asked: given.words, documents}
  const wordModel = learnWords(data, rates, structure.network, asked, begin('words'))

  const sources = sourceFigures(data, rates.prevalence, documents)
  // The same counts give the same bytes, so the model does not keep the seconds.
  const {seconds: _, ...momentCertificate} = moments.certificate
  const certificate = {
    noise: rates.certificate,
    moments: momentCertificate,
    structure: structure.certificate,
    ...(links.wordMoments && {wordMoments: links.wordMoments}),
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
