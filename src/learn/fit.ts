import {throwIfCancelled} from '../base/checks/index.ts'
import type {Counts, TableStatement} from '../read/counts/index.ts'
import type {Corpus} from '../read/data/index.ts'
import {loadingStage, momentStage, networkRates, noiseStage, structureStage, wordStage} from './fit-stages.ts'
import type {LoadingCertificate} from './loadings/index.ts'
import {composeModel, type Model} from './model/index.ts'
import type {MomentCertificate, MomentControl, TableCertificate} from './moments/index.ts'
import type {AnchorScores, NoiseCertificate} from './noise/index.ts'
import {checkFitOptions, type FitOptions, type Preset} from './presets.ts'
import type {StructureCertificate} from './structure/index.ts'

export type FitStage = 'noise' | 'moments' | 'structure' | 'loadings' | 'words'

/** How far a stage that may take long has come. */
export interface FitProgress {
  readonly stage: 'moments' | 'structure' | 'words'
  readonly steps: number
  /** Of a method that proves something. */
  readonly gap?: number
  /** Of the steps, where their number is known before. */
  readonly share?: number
}

export interface FitControl extends Pick<MomentControl, 'linearSolver'> {
  /** Called as each stage begins. */
  readonly onStage?: (stage: FitStage) => void
  readonly onProgress?: (progress: FitProgress) => void
  readonly signal?: AbortSignal
  /** Scores of a sample of the documents, for the noise rates that need more than counts. */
  readonly scores?: AnchorScores
  /** The documents that were counted, or a sample of them, for words in log-odds; without them they come from counts alone. */
  readonly documents?: Corpus
  /** Seconds, from anywhere; a time limit needs one. */
  readonly clock?: () => number
}

/** How far each stage's result can be trusted. */
export interface FitCertificate {
  readonly noise: NoiseCertificate
  readonly moments: MomentCertificate
  readonly structure: StructureCertificate
  /** Of words whose moments were recovered; gated ones need none. */
  readonly wordMoments?: TableCertificate
  readonly loadings: LoadingCertificate
  /** Of a model from released tables: which, and how much of them was withheld. */
  readonly tables?: TableStatement
}

/** Algorithm 1: from counts to a model. Unknown options are refused; those left out come from the preset. */
export function fit(
  counts: Counts,
  {preset = 'robust', ...given}: Partial<FitOptions> & {readonly preset?: Preset} = {},
  {onStage, onProgress, scores, documents, ...control}: FitControl = {}
): Model & {readonly certificate: FitCertificate} {
  const options = checkFitOptions(preset, {...wordsOfNoise(counts), ...given})
  const begin = (stage: FitStage) => {
    throwIfCancelled(control.signal)
    onStage?.(stage)
  }
  const telling = (stage: FitProgress['stage']) => ({
    ...control,
    onProgress: (progress: Omit<FitProgress, 'stage'>) => onProgress?.({...progress, stage})
  })
  begin('noise')
  const {counts: data, noise: rates} = noiseStage(counts, options, scores)
  const forNetwork = networkRates(rates, options)
  begin('moments')
  const moments = momentStage(data, forNetwork, options, telling('moments'))
  begin('structure')
  const structure = structureStage(data, forNetwork, moments, options, telling('structure'))
  begin('loadings')
  const learned = loadingStage(data, rates, structure.network, options)
  begin('words')
  const wordModel = wordStage(data, rates, documents, options, {
    ...control,
    onProgress: (done, all) => onProgress?.({stage: 'words', steps: done, share: done / all})
  })
  const certificate = {
    noise: rates.certificate,
    moments: withoutTime(moments.certificate),
    structure: structure.certificate,
    ...(learned.wordMoments && {wordMoments: learned.wordMoments}),
    loadings: learned.certificate,
    ...(data.tables && {tables: data.tables})
  }
  const concepts = data.lexicon.anchors.map(({concept}, i) => ({
    name: concept,
    truePositive: rates.truePositive[i],
    falsePositive: rates.falsePositive[i],
    prevalence: moments.single(i)
  }))
  const model = composeModel({
    concepts,
    network: structure.network,
    loadings: learned.loadings,
    wordModel,
    lexicon: data.lexicon,
    seed: options.seed,
    options: {preset, ...withPart(options), documents: data.documentCount, labelShare: data.labelShare},
    certificate: {...certificate}
  }) // line 4
  return {...model, certificate}
}

/** Weights in log-odds take privacy noise for words that speak; noisy-or links know its size and keep silent. */
function wordsOfNoise({tables}: Counts): Pick<FitOptions, 'words'> | undefined {
  return tables?.sites.some(({noise}) => noise !== undefined) ? {words: 'noisy-or'} : undefined
}

/** The options that had a part in it: gated words have neither shrinkage nor blankets. */
function withPart({wordShrinkage, blanketLimit, ...options}: FitOptions): Partial<FitOptions> {
  return options.wordSigmas > 0 ? options : {...options, wordShrinkage, blanketLimit}
}

/** The same data and options give the same model, whatever time it took. */
function withoutTime({seconds: _, ...certificate}: MomentCertificate): MomentCertificate {
  return certificate
}
