import {AdfaError} from '../numeric/index.ts'
import type {MomentLayout, SolveStatus, StopRule} from '../polytopes/index.ts'
import {pairIndex, tripleIndex} from '../qubo/index.ts'

/** How good recovered moments are. */
export interface MomentCertificate {
  /** Eq. 4 with the pull, summed over all moments, in nats for KL. */
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
  readonly latentCount: number
  /** How many documents they rest on. */
  readonly sampleCount: number
  /** P(Y_i = 1). */
  single(i: number): number
  /** P(Y_i, Y_k) as a fresh table, cell `2*yi + yk`, for any i != k. */
  pair(i: number, k: number): Float64Array
  /** P(Y_i, Y_k, Y_l) as a fresh table, cell `4*yi + 2*yk + yl`, for any three; only in moments of order 3. */
  triple(i: number, k: number, l: number): Float64Array
  readonly certificate: MomentCertificate
}

/** A moment vector as tables. */
export function momentsFrom(
  layout: MomentLayout,
  mu: Float64Array,
  sampleCount: number,
  certificate: MomentCertificate
): Moments {
  const m = layout.latentCount
  const need = (order: number) => {
    if (layout.order < order)
      throw new AdfaError(
        'bad-option',
        `moments of order ${layout.order} have no tables of ${order} concepts; recover order ${order}`
      )
  }
  return {
    latentCount: m,
    sampleCount,
    single: i => mu[2 * i + 1],
    pair(i, k) {
      need(2)
      const start = layout.start(2) + 4 * (i < k ? pairIndex(i, k, m) : pairIndex(k, i, m))
      return permuted(mu, start, [i, k])
    },
    triple(i, k, l) {
      need(3)
      const [a, b, c] = [i, k, l].sort((x, y) => x - y)
      return permuted(mu, layout.start(3) + 8 * tripleIndex(a, b, c, m), [i, k, l])
    },
    certificate
  }
}

/** The table at `start`, whose concepts stand in rising order, with its concepts in the order given. */
function permuted(mu: Float64Array, start: number, concepts: readonly number[]): Float64Array {
  const rising = [...concepts].sort((x, y) => x - y)
  const last = concepts.length - 1
  return Float64Array.from({length: 2 ** concepts.length}, (_, cell) => {
    let from = start
    concepts.forEach((concept, at) => {
      if ((cell >> (last - at)) & 1) from += 1 << (last - rising.indexOf(concept))
    })
    return mu[from]
  })
}
