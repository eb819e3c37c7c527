import {type Counts, dropConcepts} from './counts/index.ts'
import {type LoadingCertificate, learnLoadings, loadingPairs} from './loadings/index.ts'
import {composeModel, type Model} from './model/index.ts'
import {
  type MomentCertificate,
  type MomentControl,
  recoverBlanketMoments,
  recoverLargerMoments,
  recoverWordMoments,
  type TableCertificate
} from './moments/index.ts'
import {estimateNoise, findRateFaults, type NoiseCertificate, type NoiseRates} from './noise/index.ts'
import {throwIfCancelled} from './numeric/index.ts'
import {checkFitOptions, type FitOptions, type Preset} from './presets.ts'
import {largestTable, learnStructure, planStructure, type StructureCertificate} from './structure/index.ts'

export type FitStage = 'noise' | 'moments' | 'structure' | 'word moments' | 'loadings'

/** How far the moments, or the search of the structure, have come. */
export interface FitProgress {
  readonly stage: 'moments' | 'structure'
  /** Of a method that proves something. */
  readonly gap?: number
  readonly steps: number
}

export interface FitControl extends Pick<MomentControl, 'linearSolver'> {
  /** Called as each stage begins. */
  readonly onStage?: (stage: FitStage) => void
  readonly onProgress?: (progress: FitProgress) => void
  readonly signal?: AbortSignal
  /** Seconds, from anywhere; a time limit needs one. */
  readonly clock?: () => number
}

/** How far each stage's result can be trusted. */
export interface FitCertificate {
  readonly noise: NoiseCertificate
  readonly moments: MomentCertificate
  readonly structure: StructureCertificate
  readonly wordMoments: TableCertificate
  readonly loadings: LoadingCertificate
}

/** Algorithm 1: from counts to a model. Unknown options are refused; those left out come from the preset. */
export function fit(
  counts: Counts,
  {preset = 'robust', ...given}: Partial<FitOptions> & {readonly preset?: Preset} = {},
  {onStage, onProgress, ...control}: FitControl = {}
): Model & {readonly certificate: FitCertificate} {
  const options = checkFitOptions(preset, given)
  const begin = (stage: FitStage) => {
    throwIfCancelled(control.signal)
    onStage?.(stage)
  }
  begin('noise')
  const unusable = options.skipBadAnchors ? findRateFaults(counts, options.noise) : []
  const data = unusable.length > 0 ? dropConcepts(counts, unusable) : counts
  const rates = estimateNoise(data, options.noise)
  const telling = (stage: FitProgress['stage']) => ({
    ...control,
    onProgress: (progress: Omit<FitProgress, 'stage'>) => onProgress?.({...progress, stage})
  })
  begin('moments')
  const {leakFloor, blanketLimit, seed} = options
  const size = largestTable(planStructure(options.structure))
  const moments = recoverLargerMoments(data, rates, size, momentOptions(options), telling('moments')) // line 1
  begin('structure')
  const rules = structureOptions(options, data, rates)
  const structure = learnStructure(moments, options.structure, rules, telling('structure')) // line 2
  begin('word moments')
  const wordPull = {pull: options.loadingPull}
  const wordMoments = recoverWordMoments(data, rates, loadingPairs(structure.network), wordPull)
  begin('loadings')
  const learned = learnLoadings(wordMoments, structure.network, {leakFloor, blanketLimit, seed}, (concept, blanket) =>
    recoverBlanketMoments(data, rates, {concept, blanket}, wordPull)
  ) // line 3
  const certificate = {
    noise: rates.certificate,
    moments: withoutTime(moments.certificate),
    structure: structure.certificate,
    wordMoments: wordMoments.certificate,
    loadings: learned.certificate
  }
  const latents = rules.names.map((name, i) => ({
    name,
    truePositive: rates.truePositive[i],
    falsePositive: rates.falsePositive[i],
    prevalence: moments.single(i)
  }))
  const model = composeModel({
    latents,
    network: structure.network,
    loadings: learned.loadings,
    lexicon: data.lexicon,
    seed,
    options: {preset, ...options, documents: data.documentCount, labelShare: data.labelShare},
    certificate: {...certificate}
  }) // line 4
  return {...model, certificate}
}

function momentOptions({pull, divergence, polytope, solver, gap, timeLimit, seed}: FitOptions) {
  return {pull, divergence, polytope, solver, gap, timeLimit, seed}
}

function structureOptions(options: FitOptions, {lexicon}: Counts, {truePositive, falsePositive}: NoiseRates) {
  const {penalty, score, edges, attractive, search, timeLimit, seed} = options
  const names = lexicon.anchors.map(({concept}) => concept)
  const skipped = lexicon.skipped.map(({concept}) => concept)
  const channels = names.map((_, i) => ({truePositive: truePositive[i], falsePositive: falsePositive[i]}))
  return {penalty, score, edges, attractive, search, timeLimit, seed, names, skipped, channels}
}

/** The same data and options give the same model, whatever time it took. */
function withoutTime({seconds: _, ...certificate}: MomentCertificate): MomentCertificate {
  return certificate
}
