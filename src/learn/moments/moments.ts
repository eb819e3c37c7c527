import {AdfaError} from '../../base/checks/index.ts'
import {pairIndex, tripleIndex} from '../../base/qubo/index.ts'
import type {MomentLayout, SolveStatus, StopRule} from '../polytopes/index.ts'

/** How good recovered moments are. */
export interface MomentCertificate {
  /** Eq. 4 with the shrinkage, summed over all moments, in nats for KL. */
  readonly objective: number
  /** Proven: no moments in the polytope have a smaller objective. */
  readonly lowerBound: number
  /** objective - lowerBound. */
  readonly gap: number
  /** What the gap would be if a search had not missed a better vertex: it proves nothing. Absent where nothing was searched for. */
  readonly heuristicGap?: number
  readonly steps: number
  /** Points of the polytope that the result is a mixture of; 0 for a method that does not mix. */
  readonly atoms: number
  /** Inequalities that were added to the local polytope. */
  readonly cuts: number
  readonly status: SolveStatus
  /** How long it took, if there was a clock. */
  readonly seconds?: number
}

/** A moment vector and how good it is. */
export interface MomentSolution {
  readonly mu: Float64Array
  readonly certificate: MomentCertificate
}

/** A certificate from its parts: the gap follows, and the time if there is a clock. */
export function certified(
  {objective, lowerBound, heuristicGap, ...rest}: Omit<MomentCertificate, 'gap' | 'seconds'>,
  rule: StopRule
): MomentCertificate {
  const seconds = rule.seconds()
  // A bound above the objective can only be rounding.
  const bound = Math.min(objective, lowerBound)
  return {
    objective,
    lowerBound: bound,
    gap: objective - bound,
    ...(heuristicGap === undefined ? {} : {heuristicGap}),
    ...rest,
    ...(seconds === undefined ? {} : {seconds})
  }
}

/** The recovered moments of the concepts. */
export interface Moments {
  readonly conceptCount: number
  /** How many documents they rest on. */
  readonly sampleCount: number
  /** P(Y_i = 1). */
  single(i: number): number
  /** P(Y_i, Y_k) as a fresh table, cell `2*yi + yk`, for any i != k. */
  pair(i: number, k: number): Float64Array
  /** P(Y_Z) of any distinct concepts as a fresh table, the first of them the most significant bit of the cell. */
  table(concepts: readonly number[]): Float64Array
  readonly certificate: MomentCertificate
}

/** A moment vector as tables: of at most as many concepts as its order. */
export function momentsFrom(
  layout: MomentLayout,
  mu: Float64Array,
  sampleCount: number,
  certificate: MomentCertificate
): Moments {
  const m = layout.conceptCount
  const table = (concepts: readonly number[]) => {
    const order = concepts.length
    if (order < 1 || order > layout.order)
      throw new AdfaError(
        'bad-option',
        `moments of order ${layout.order} have no tables of ${order} concepts; recover order ${order}`
      )
    const rising = concepts.toSorted((x, y) => x - y)
    const [i, k, l] = rising
    const number = order === 1 ? i : order === 2 ? pairIndex(i, k, m) : tripleIndex(i, k, l, m)
    const start = layout.start(order) + 2 ** order * number
    return permuteTable(mu.subarray(start, start + 2 ** order), rising, concepts)
  }
  return {conceptCount: m, sampleCount, single: i => mu[2 * i + 1], pair: (i, k) => table([i, k]), table, certificate}
}

/** A table whose concepts stand in the order `from`, as a fresh one in the order `to`; the first is the highest bit. */
export function permuteTable(table: ArrayLike<number>, from: readonly number[], to: readonly number[]): Float64Array {
  const last = from.length - 1
  const places = to.map(concept => 1 << (last - from.indexOf(concept)))
  return Float64Array.from({length: table.length}, (_, cell) => {
    let source = 0
    for (let at = 0; at <= last; at++) if ((cell >> (last - at)) & 1) source += places[at]
    return table[source]
  })
}
