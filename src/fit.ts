import {type Counts, dropConcepts} from './counts/index.ts'
import {learnLoadings} from './loadings/index.ts'
import {composeModel, type Model} from './model/index.ts'
import {recoverMoments, recoverWordMoments} from './moments/index.ts'
import {estimateNoise, findRateFaults} from './noise/index.ts'
import {AdfaError, throwIfCancelled, withDefaults} from './numeric/index.ts'
import {type FitOptions, type Preset, presets} from './presets.ts'
import {learnStructure, networkEdges} from './structure/index.ts'

export type FitStage = 'noise' | 'moments' | 'structure' | 'word moments' | 'loadings'

export interface FitControl {
  /** Called as each stage begins. */
  readonly onStage?: (stage: FitStage) => void
  readonly signal?: AbortSignal
}

/** Algorithm 1: from counts to a model. Unknown options are refused; those left out come from the preset. */
export function fit(
  counts: Counts,
  {preset = 'robust', ...given}: Partial<FitOptions> & {readonly preset?: Preset} = {},
  {onStage, signal}: FitControl = {}
): Model {
  if (!Object.hasOwn(presets, preset)) throw new AdfaError('bad-option', `preset is paper or robust; got ${preset}`)
  const options = withDefaults('fit', presets[preset], given)
  const begin = (stage: FitStage) => {
    throwIfCancelled(signal)
    onStage?.(stage)
  }
  begin('noise')
  const unusable = options.skipBadAnchors ? findRateFaults(counts, options.noise) : []
  const data = unusable.length > 0 ? dropConcepts(counts, unusable) : counts
  const rates = estimateNoise(data, options.noise)
  begin('moments')
  const {pull, divergence, polytope, leakFloor} = options
  const moments = recoverMoments(data, rates, {pull, divergence, polytope}) // line 1
  begin('structure')
  const structure = learnStructure(moments, options.structure) // line 2
  begin('word moments')
  const edges = networkEdges(structure.network)
  const wordMoments = recoverWordMoments(data, rates, edges, {pull: options.loadingPull})
  begin('loadings')
  const learned = learnLoadings(wordMoments, structure.network, {leakFloor}) // line 3
  return composeModel({
    // line 4
    latents: data.lexicon.anchors.map(({concept}, i) => ({
      name: concept,
      truePositive: rates.truePositive[i],
      falsePositive: rates.falsePositive[i],
      prevalence: moments.single(i)
    })),
    network: structure.network,
    loadings: learned.loadings,
    lexicon: data.lexicon,
    seed: options.seed,
    options: {preset, ...options, documents: data.documentCount, labelShare: data.labelShare},
    certificate: {
      noise: rates.certificate,
      moments: moments.certificate,
      structure: structure.certificate,
      wordMoments: wordMoments.certificate,
      loadings: learned.certificate
    }
  })
}
