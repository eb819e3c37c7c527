import {type Counts, dropConcepts} from './counts/index.ts'
import {type LoadingCertificate, learnLoadings} from './loadings/index.ts'
import {composeModel, type Model} from './model/index.ts'
import {
  type MomentCertificate,
  type MomentControl,
  recoverMoments,
  recoverWordMoments,
  type TableCertificate
} from './moments/index.ts'
import {estimateNoise, findRateFaults, type NoiseCertificate} from './noise/index.ts'
import {throwIfCancelled} from './numeric/index.ts'
import {checkFitOptions, type FitOptions, type Preset} from './presets.ts'
import {learnStructure, networkEdges, type StructureCertificate} from './structure/index.ts'

export type FitStage = 'noise' | 'moments' | 'structure' | 'word moments' | 'loadings'

export interface FitControl {
  /** Called as each stage begins. */
  readonly onStage?: (stage: FitStage) => void
  readonly signal?: AbortSignal
  /** Progress of the moments, a clock for their time limit, and a linear solver if their method needs one. */
  readonly moments?: Omit<MomentControl, 'signal'>
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
  {onStage, signal, moments: control}: FitControl = {}
): Model & {readonly certificate: FitCertificate} {
  const options = checkFitOptions(preset, given)
  const begin = (stage: FitStage) => {
    throwIfCancelled(signal)
    onStage?.(stage)
  }
  begin('noise')
  const unusable = options.skipBadAnchors ? findRateFaults(counts, options.noise) : []
  const data = unusable.length > 0 ? dropConcepts(counts, unusable) : counts
  const rates = estimateNoise(data, options.noise)
  begin('moments')
  const {pull, divergence, polytope, solver, gap, timeLimit, leakFloor, seed} = options
  const recovery = {pull, divergence, polytope, solver, gap, timeLimit, seed}
  const moments = recoverMoments(data, rates, recovery, {...control, ...(signal && {signal})}) // line 1
  begin('structure')
  const structure = learnStructure(moments, options.structure) // line 2
  begin('word moments')
  const edges = networkEdges(structure.network)
  const wordMoments = recoverWordMoments(data, rates, edges, {pull: options.loadingPull})
  begin('loadings')
  const learned = learnLoadings(wordMoments, structure.network, {leakFloor}) // line 3
  const certificate = {
    noise: rates.certificate,
    moments: withoutTime(moments.certificate),
    structure: structure.certificate,
    wordMoments: wordMoments.certificate,
    loadings: learned.certificate
  }
  const latents = data.lexicon.anchors.map(({concept}, i) => ({
    name: concept,
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

/** The same data and options give the same model, whatever time it took. */
function withoutTime({seconds: _, ...certificate}: MomentCertificate): MomentCertificate {
  return certificate
}
