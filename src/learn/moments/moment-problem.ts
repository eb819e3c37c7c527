import {clamp, log} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorTripleCounts, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates, Rates} from '../noise/index.ts'
import {coordinateCount, forEachTable, type MomentLayout, type MomentOrder, momentLayout} from '../polytopes/index.ts'
import {allRates, independentTable} from './recover-table.ts'
import {type Shrinkage, shrinkageStrength} from './shrinkage.ts'
import type {Divergence} from './table-solver.ts'

/** The data of Eq. 4: observed anchor tables, rates, and shrinkage. */
export interface MomentProblem {
  readonly layout: MomentLayout
  readonly rates: readonly Rates[]
  /** P-hat of the anchors, in the layout of mu. */
  readonly observed: Float64Array
  /** lambda * mu_indep, in the layout of mu; zeros without shrinkage. */
  readonly shrinkageWeights: Float64Array
  readonly lambda: number
  readonly divergence: Divergence
}

interface ProblemOptions {
  readonly order: MomentOrder
  readonly shrinkage: Shrinkage
  readonly divergence: Divergence
}

/**
 * Eq. 4 for these counts. Tables follow from the documents in which each single, pair and triple of anchors fires, by
 * inclusion and exclusion of integers, so a cell without documents is exactly 0. Cost: one pass over the patterns.
 */
export function momentProblem(
  counts: Counts,
  noise: NoiseRates,
  {order, shrinkage, divergence}: ProblemOptions
): MomentProblem {
  const m = counts.lexicon.anchors.length
  const N = counts.documentCount
  const layout = momentLayout(m, order)
  const lambda = shrinkageStrength(shrinkage, N)
  const observed = new Float64Array(layout.size)
  const shrinkageWeights = new Float64Array(layout.size)
  const pairs = anchorPairCounts(counts)
  const triples = order === 3 ? anchorTripleCounts(counts) : new Float64Array(0)
  let triple = 0
  forEachTable(layout, (concepts, start) => {
    const table = observed.subarray(start, start + 2 ** concepts.length)
    const last = concepts.length - 1
    // In the cell of some concepts, the documents in which at least their anchors fire.
    table[0] = N
    for (let a = 0; a <= last; a++)
      for (let b = a; b <= last; b++)
        table[(1 << (last - a)) | (1 << (last - b))] = pairs[concepts[a] * m + concepts[b]]
    if (concepts.length === 3) table[7] = triples[triple++]
    exclude(table)
    const independent = independentTable(concepts.map(i => noise.prevalence[i]))
    for (let c = 0; c < table.length; c++) {
      table[c] /= N
      shrinkageWeights[start + c] = lambda * independent[c]
    }
  })
  return {layout, rates: allRates(noise), observed, shrinkageWeights, lambda, divergence}
}

/** From "at least these are on" to "exactly these are on". */
function exclude(table: Float64Array): void {
  for (let half = 1; half < table.length; half *= 2)
    for (let block = 0; block < table.length; block += 2 * half)
      for (let c = block; c < block + half; c++) table[c] -= table[c + half]
}

/**
 * Eq. 4 with shrinkage towards independence: the sum over all sets Z of at most K concepts of
 * D(a_Z, R_Z mu_Z) + lambda KL(indep_Z, mu_Z), with its gradient, as functions of a moment vector.
 *
 * R_Z is applied as one 2x2 butterfly per concept, so a table of s concepts costs s 2^s.
 * The value is infinite where a cell that is observed or has a shrinkage weight has no probability.
 */
export class MomentObjective {
  readonly problem: MomentProblem
  readonly #r: Float64Array
  readonly #variables: Int32Array

  constructor(problem: MomentProblem) {
    this.problem = problem
    this.#r = new Float64Array(problem.layout.size)
    const variables: number[] = []
    forEachTable(problem.layout, concepts => variables.push(...concepts))
    this.#variables = Int32Array.from(variables)
  }

  value(mu: Float64Array): number {
    const {observed: a, shrinkageWeights: w, lambda, divergence} = this.problem
    const r = this.#r
    r.set(mu)
    this.#applyRates(r, false)
    let sum = 0
    for (let c = 0; c < r.length; c++) {
      if (divergence === 'l2') sum += (a[c] - r[c]) * (a[c] - r[c])
      else if (a[c] > 0) sum += r[c] > 0 ? a[c] * log(a[c] / r[c]) : Number.POSITIVE_INFINITY
      if (w[c] > 0) sum += mu[c] > 0 ? w[c] * log(w[c] / (lambda * mu[c])) : Number.POSITIVE_INFINITY
    }
    return sum
  }

  gradient(mu: Float64Array, gradient: Float64Array): void {
    const {observed: a, shrinkageWeights: w, divergence} = this.problem
    const r = this.#r
    r.set(mu)
    this.#applyRates(r, false)
    if (divergence === 'l2') for (let c = 0; c < r.length; c++) gradient[c] = 2 * (r[c] - a[c])
    else for (let c = 0; c < r.length; c++) gradient[c] = a[c] === 0 ? 0 : -a[c] / r[c]
    this.#applyRates(gradient, true)
    for (let c = 0; c < r.length; c++) if (w[c] > 0) gradient[c] -= w[c] / mu[c]
  }

  /** R mu in place, or R' g when `transposed`. */
  #applyRates(x: Float64Array, transposed: boolean): void {
    const {layout, rates} = this.problem
    let at = 0
    let next = 0
    for (let s = 1; s <= layout.order; s++) {
      const cells = 2 ** s
      for (let table = 0; table < layout.tableCount(s); table++, at += cells)
        for (let half = cells / 2; half >= 1; half /= 2) {
          const {truePositive: t, falsePositive: e} = rates[this.#variables[next++]]
          const off0 = 1 - e
          const off1 = transposed ? e : 1 - t
          const on0 = transposed ? 1 - t : e
          for (let block = at; block < at + cells; block += 2 * half)
            for (let c = block; c < block + half; c++) {
              const zero = x[c]
              const one = x[c + half]
              x[c] = off0 * zero + off1 * one
              x[c + half] = on0 * zero + t * one
            }
        }
    }
  }
}

/** The share by which prevalences move towards one half, so that rare concepts leave room. */
const TO_HALF = 0.1

/** Coordinates well inside the marginal polytope: independent concepts with the implied prevalences, moved towards 1/2. */
export function insidePoint({layout, rates, observed}: MomentProblem): Float64Array {
  const p = rates.map(({truePositive: t, falsePositive: e}, i) => {
    const prevalence = clamp((observed[2 * i + 1] - e) / (t - e), 0, 1)
    return prevalence + TO_HALF * (0.5 - prevalence)
  })
  return independentCoordinates(p, coordinateCount(layout))
}

/** The first `count` coordinates of independent concepts with prevalences p. */
export function independentCoordinates(p: ArrayLike<number>, count: number): Float64Array {
  const m = p.length
  const x = new Float64Array(count)
  x.set(p)
  let at = m
  for (let i = 0; i < m && at < count; i++) for (let k = i + 1; k < m; k++) x[at++] = p[i] * p[k]
  for (let i = 0; i < m && at < count; i++)
    for (let k = i + 1; k < m; k++) for (let l = k + 1; l < m; l++) x[at++] = p[i] * p[k] * p[l]
  return x
}
