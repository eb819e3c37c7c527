import {type Counts, dropConcepts} from '../../read/counts/index.ts'
import {type EstimatedNoise, estimateNoise, findRateFaults, type NoiseMethod} from './estimate-noise.ts'
import type {NoiseEvidence} from './noise-table.ts'

/**
 * The noise rates of the concepts that have any, and the counts without the others, which are listed in `lexicon.skipped`. The
 * rest is estimated anew each time, since it may have leant on what is gone.
 */
export function usableNoise(
  counts: Counts,
  method: NoiseMethod,
  evidence?: NoiseEvidence
): {readonly counts: Counts; readonly noise: EstimatedNoise} {
  const unusable = findRateFaults(counts, method, evidence)
  if (unusable.length === 0) return {counts, noise: estimateNoise(counts, method, evidence)}
  return usableNoise(dropConcepts(counts, unusable), method, evidence)
}
