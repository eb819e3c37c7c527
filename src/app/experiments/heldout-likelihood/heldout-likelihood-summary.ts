import type {Run} from '../experiment.ts'
import {type Difference, differenceOf, type Spread, spreadOf} from '../spread.ts'
import type {LikelihoodCell, LikelihoodMethod, LikelihoodResult, MethodResult} from './heldout-likelihood-measure.ts'

export type LikelihoodRun = Run<LikelihoodCell, LikelihoodResult>

/** What pictures and tables call the methods, from loose to tight, then the oracles. */
export const methodNames: ReadonlyMap<LikelihoodMethod, string> = new Map([
  ['simplex', 'simplex'],
  ['local', 'local polytope'],
  ['cycle', 'cycle polytope'],
  ['marginal', 'marginal polytope'],
  ['oracle-tree', 'oracle: tree from true tags'],
  ['oracle-independent', 'oracle: true prevalences, no edges']
])

/** Of documents. */
export const kinds = ['real', 'generated'] as const satisfies readonly LikelihoodCell['data'][]

/** The splits of one training size, with one shrinkage, on one kind of documents. */
export interface LikelihoodGroup {
  readonly size: number
  readonly runs: readonly LikelihoodRun[]
  results(method: LikelihoodMethod): readonly MethodResult[]
  /** Log-likelihoods, in the order of the splits. */
  values(method: LikelihoodMethod): readonly number[]
  spread(method: LikelihoodMethod): Spread
  /** How much better `one` is than `other`, in nats a document. */
  difference(one: LikelihoodMethod, other: LikelihoodMethod): Difference
}

export function shrinkagesOf(runs: readonly LikelihoodRun[]): string[] {
  return [...new Set(runs.map(({cell}) => cell.shrinkage))]
}

/** By ascending size; the last has all training documents. */
export function groupsOf(
  runs: readonly LikelihoodRun[],
  {shrinkage, data}: Pick<LikelihoodCell, 'shrinkage' | 'data'>
): LikelihoodGroup[] {
  const some = runs.filter(({cell}) => cell.shrinkage === shrinkage && cell.data === data)
  const sizes = [...new Set(some.map(({cell}) => cell.size))].sort((a, b) => a - b)
  return sizes.map(size =>
    groupOf(
      size,
      some.filter(({cell}) => cell.size === size)
    )
  )
}

function groupOf(size: number, unordered: readonly LikelihoodRun[]): LikelihoodGroup {
  const runs = unordered.toSorted((a, b) => a.cell.split - b.cell.split)
  const results = (method: LikelihoodMethod) => runs.map(({result}) => result.methods[method])
  const values = (method: LikelihoodMethod) => results(method).map(({logLikelihood}) => logLikelihood)
  return {
    size,
    runs,
    results,
    values,
    spread: method => spreadOf(values(method)),
    difference: (one, other) => differenceOf(values(one), values(other))
  }
}
