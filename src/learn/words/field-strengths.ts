import type {NoiseRates} from '../noise/index.ts'
import {likeliestSlope} from './anchor-likelihood.ts'
import type {ConceptSample} from './concept-sample.ts'

/**
 * How strongly the words of each field speak where the anchors of a sample are likeliest: one slope for all fields
 * first, then each in turn with the others held.
 *
 * `fields[f][i]` is the sample of concept i with the scores of the words of field f alone; all else is the same in every
 * field. Titles repeat what the anchor says, so that their words foretell anchors better than a text's, word for word,
 * and are believed too much when all share one slope. Cost: a search for all, and one for each of several fields.
 */
export function likeliestStrengths(fields: readonly (readonly ConceptSample[])[], rates: NoiseRates): number[] {
  const withOthers = (strengths: readonly number[], own: number) =>
    fields[own].map((sample, i) => {
      const others = sample.others.slice()
      fields.forEach((samples, f) => {
        if (f !== own) for (let d = 0; d < others.length; d++) others[d] += strengths[f] * samples[i].scores[d]
      })
      return {...sample, others}
    })
  const together = fields[0].map((sample, i) => ({
    ...sample,
    scores: sample.scores.map((_, d) => fields.reduce((sum, samples) => sum + samples[i].scores[d], 0))
  }))
  const strengths = new Array<number>(fields.length).fill(likeliestSlope(together, rates))
  if (fields.length === 1) return strengths
  // A second round would move a strength by a few hundredths.
  for (let f = 0; f < fields.length; f++) strengths[f] = likeliestSlope(withOthers(strengths, f), rates)
  return strengths
}
