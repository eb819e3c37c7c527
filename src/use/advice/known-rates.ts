import {type EstimatedRates, noiseTable} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'

/**
 * What is known of each anchor by more than a guess: rates given in the anchors file, else those that labelled
 * documents tell, pooled over the concepts. A concept of which neither tells is left out.
 */
export function knownRates(counts: Counts): EstimatedRates[] {
  return noiseTable(counts, {}, ['given', 'pooled']).flatMap(({concept, firing, estimates}) => {
    const [known] = estimates
    if (known?.precision === undefined) return []
    const {prevalence, precision} = known
    const truePositive = (precision.value * firing) / prevalence.value
    const falsePositive = ((1 - precision.value) * firing) / (1 - prevalence.value)
    // An anchor that would fire more often than ever, or rather without its concept, tells nothing of other words.
    return falsePositive < truePositive && truePositive <= 1
      ? [{concept, prevalence, precision, truePositive, falsePositive}]
      : []
  })
}
