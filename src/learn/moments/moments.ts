import {AdfaError} from '../../base/checks/index.ts'
import {pairIndex, tripleIndex} from '../../base/qubo/index.ts'
import type {MomentLayout, SolveCertificate, SolveStatus, StopRule} from '../polytopes/index.ts'

/** The recovered moments of the concepts. */
export interface Moments {
  readonly conceptCount: number
  /** The number of documents behind them. */
  readonly sampleCount: number
  /** P(Y_i = 1). */
  single(i: number): number
  /** P(Y_i, Y_k) as a fresh table, cell `2*yi + yk`, for any i != k. */
  pair(i: number, k: number): Float64Array
  /** P(Y_Z) of any distinct concepts as a fresh table, the first most significant. */
  table(concepts: readonly number[]): Float64Array
  readonly certificate: MomentCertificate
}

/** The tables of a moment vector, of at most as many concepts as its order. */
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

/** A table over the concepts `from` as a fresh one over the same concepts in the order `to`; the first is most significant. */
export function permuteTable(table: ArrayLike<number>, from: readonly number[], to: readonly number[]): Float64Array {
  const last = from.length - 1
  const places = to.map(concept => 1 << (last - from.indexOf(concept)))
  return Float64Array.from({length: table.length}, (_, cell) => {
    let source = 0
    for (let at = 0; at <= last; at++) if ((cell >> (last - at)) & 1) source += places[at]
    return table[source]
  })
}

/** Of recovered moments: `objective` is Eq. 4 with shrinkage, summed over all moments, in nats for KL. */
export interface MomentCertificate extends SolveCertificate {
  /** Inequalities added to the local polytope. */
  readonly cuts: number
  /** Run time, if there is a clock. */
  readonly seconds?: number
}

/** A moment vector with its certificate. */
export interface MomentSolution {
  readonly mu: Float64Array
  readonly certificate: MomentCertificate
}

export type CertificateParts = Omit<MomentCertificate, 'gap' | 'seconds'>

/** A certificate from its parts: adds the gap, and the run time if there is a clock. */
export function certified(
  {objective, lowerBound, heuristicGap, ...rest}: CertificateParts,
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

/** How far one recovered table is from the optimum. */
export interface TableCertificate {
  /** D(a, R mu) plus the shrinkage term, in nats for KL. */
  readonly objective: number
  /** No table of the same mass is better by more than this (the conditional-gradient gap on the simplex). */
  readonly gap: number
  readonly steps: number
  readonly status: SolveStatus
}

/** The sum of certificates of tables: optimal only when every part is. */
export class CertificateSum {
  #objective = 0
  #gap = 0
  #steps = 0
  #status: SolveStatus = 'optimal'

  add({objective, gap, steps, status}: TableCertificate): void {
    this.#objective += objective
    this.#gap += gap
    this.#steps += steps
    if (status !== 'optimal') this.#status = status
  }

  result(): TableCertificate {
    return {objective: this.#objective, gap: this.#gap, steps: this.#steps, status: this.#status}
  }
}
