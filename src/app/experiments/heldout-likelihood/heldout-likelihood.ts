import type {Experiment} from '../experiment.ts'
import {trainingCount} from '../split.ts'
import {type LikelihoodCell, type LikelihoodResult, measureLikelihood} from './heldout-likelihood-measure.ts'
import {presentLikelihood} from './heldout-likelihood-present.ts'

/** Section 5.3.1 and its figure: do tighter polytopes learn better models, on real documents and on generated ones? */
export const heldoutLikelihood: Experiment<LikelihoodCell, LikelihoodResult> = {
  name: 'heldout-likelihood',
  title: 'Held-out likelihood by polytope',
  cells(material, {splits, sizes, shrinkages, seed}) {
    const all = trainingCount(material)
    const grown = [...new Set([...sizes.filter(size => size < all), all])].sort((a, b) => a - b)
    return shrinkages.flatMap(shrinkage =>
      (['real', 'generated'] as const).flatMap(data =>
        Array.from({length: splits}, (_, split) => split).flatMap(split =>
          grown.map(size => ({data, shrinkage: String(shrinkage), split, seed: seed + split, size}))
        )
      )
    )
  },
  // The marginal polytope takes most of the time, and generated documents need its tree first.
  cost: ({data}) => (data === 'real' ? 1 : 2),
  measure: measureLikelihood,
  present: presentLikelihood
}
