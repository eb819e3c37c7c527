import {AdfaError, above, checkOptions, oneOf, optional, type Rules, within} from '../../base/checks/index.ts'
import {type LinearSolverOptions, loadLinearSolver} from '../../base/linear/index.ts'
import {anchorTable, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {type MomentCertificate, type MomentSolution, type SolveControl, StopRule} from './certificate.ts'
import {solveCycle, solveLocal} from './interior-point.ts'
import type {Divergence} from './objective.ts'
import type {CustomPolytope, PolytopeName} from './oracles.ts'
import {type MomentProblem, momentProblem, pairColumn} from './problem.ts'
import {solveSimplex} from './simplex.ts'
import {recoverObservedTable, type Shrinkage} from './table.ts'

/** Sweeps over the margins of a table: where they contradict each other, more would change little. */
const SWEEPS = 50
/** Margins that agree to this need no further sweep. */
const MARGIN_TOLERANCE = 1e-10

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

export type MomentSolver = 'newton' | 'conditional-gradient' | 'exponentiated-gradient'

export interface MomentOptions {
  readonly polytope: PolytopeName | CustomPolytope
  readonly shrinkage: Shrinkage
  readonly divergence: Divergence
  /**
   * `newton` stands for the fast method of each polytope; `conditional-gradient` is the paper's, and `exponentiated-gradient` its
   * method for the simplex.
   */
  readonly solver: MomentSolver
  /** Stop when the certified gap, summed over all moments, is at most this; undefined for the default of polytope and solver. */
  readonly gap: number | undefined
  /** Steps of all moments together; tables on the simplex have their own limit of 100 steps each. */
  readonly stepLimit: number
  /** Seconds, at most; undefined for no limit. Needs a clock. */
  readonly timeLimit: number | undefined
  /** The seed of the searches over the marginal polytope. */
  readonly seed: number
}

export const momentDefaults: MomentOptions = {
  polytope: 'simplex',
  shrinkage: '10/N',
  divergence: 'kl',
  solver: 'newton',
  gap: undefined,
  stepLimit: 100_000,
  timeLimit: undefined,
  seed: 0
}

/** Whether a value names a polytope, or is one. */
export function isPolytope(value: unknown): boolean {
  if (typeof value === 'string') return ['simplex', 'local', 'cycle', 'marginal'].includes(value)
  return typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function'
}

const momentRules: Rules<MomentOptions> = {
  polytope: [isPolytope, "'simplex', 'local', 'cycle', 'marginal', or a polytope of your own"],
  divergence: oneOf('kl', 'l2'),
  solver: oneOf('newton', 'conditional-gradient', 'exponentiated-gradient'),
  gap: optional(above(0)),
  stepLimit: within(0, Number.POSITIVE_INFINITY),
  timeLimit: optional(within(0, Number.POSITIVE_INFINITY))
}

/** The default of `gap`: what each fast method reaches at little cost, and the paper's tolerance. */
export const defaultGaps: Readonly<Record<PolytopeName | 'conditional-gradient', number>> = {
  simplex: 1e-5,
  local: 1e-6,
  cycle: 1e-3,
  marginal: 1e-4,
  'conditional-gradient': 0.005
}

/** Adds where to load HiGHS from, which conditional gradient needs over some polytopes. */
export interface MomentControl extends SolveControl, LinearSolverOptions {}

/**
 * Recovers mu-hat of Eq. 4 with shrinkage towards independence: the moments in a polytope that are nearest to the observed anchor
 * moments. The target of the shrinkage is the product of the prevalences that the anchors imply.
 * Singles and pairs lie in the polytope together. Larger tables are recovered one by one over the simplex (Eq. 2) on
 * first use, and kept. They are fitted to the tables of one concept less, so that all agree; for the simplex polytope,
 * whose tables need not agree, they are not.
 */
export async function recoverMoments(
  counts: Counts,
  noise: NoiseRates,
  options?: Partial<MomentOptions>,
  control: MomentControl = {}
): Promise<Moments> {
  const chosen = checkOptions('recoverMoments', momentDefaults, momentRules, options)
  const {solver, polytope, shrinkage, divergence, stepLimit} = chosen
  if (solver === 'exponentiated-gradient' && polytope !== 'simplex')
    throw new AdfaError(
      'bad-option',
      "recoverMoments: `solver` 'exponentiated-gradient' is for `polytope` 'simplex'; use 'conditional-gradient' or 'newton' for others",
      {details: {option: 'solver'}}
    )
  const problem = momentProblem(counts, noise, chosen)
  const gap =
    chosen.gap ?? defaultGaps[typeof polytope === 'object' || solver !== 'newton' ? 'conditional-gradient' : polytope]
  const rule = new StopRule({gap, stepLimit, timeLimit: chosen.timeLimit ?? Number.POSITIVE_INFINITY}, control)
  const {mu, certificate} = await solveMoments(problem, rule, chosen, control)
  const larger = (concepts: readonly number[]) =>
    recoverObservedTable(anchorTable(counts, concepts, []), noise, concepts, {shrinkage, divergence}).mu
  const tables = tablesFrom(counts.lexicon.anchors.length, mu, larger, polytope !== 'simplex')
  return {sampleCount: counts.documentCount, ...tables, certificate}
}

/** Solves Eq. 4 by the chosen method; heavy ones are loaded when they are needed. */
export async function solveMoments(
  problem: MomentProblem,
  rule: StopRule,
  {solver, polytope, seed}: Pick<MomentOptions, 'solver' | 'polytope' | 'seed'>,
  control: LinearSolverOptions = {}
): Promise<MomentSolution> {
  if (solver === 'exponentiated-gradient') return solveSimplex(problem, rule, solver)
  if (solver === 'conditional-gradient' || typeof polytope === 'object') {
    const {solveByConditionalGradient} = await import('./oracles.ts')
    return solveByConditionalGradient(problem, polytope, rule, () => loadLinearSolver(control))
  }
  // The table of a single concept is always consistent.
  if (polytope === 'simplex' || problem.layout.conceptCount === 1) return solveSimplex(problem, rule)
  if (polytope === 'local') return solveLocal(problem, rule)
  if (polytope === 'cycle') return solveCycle(problem, rule)
  const {solveMarginal} = await import('./marginal.ts')
  return solveMarginal(problem, rule, seed)
}

/** Gives the tables of a moment vector. Tables of three concepts or more come from `recover`, fitted to smaller ones if asked. */
function tablesFrom(
  m: number,
  mu: Float64Array,
  recover: (concepts: readonly number[]) => Float64Array,
  isFitted: boolean
): Pick<Moments, 'conceptCount' | 'single' | 'pair' | 'table'> {
  const known = new Map<string, Float64Array>()
  const table = (concepts: readonly number[]) => {
    const rising = concepts.toSorted((x, y) => x - y)
    return permuteTable(ordered(rising), rising, concepts)
  }
  return {conceptCount: m, single: i => mu[2 * i + 1], pair: (i, k) => table([i, k]), table}

  /** The table of concepts in rising order. */
  function ordered(rising: readonly number[]): Float64Array {
    const [i, k] = rising
    if (rising.length === 1) return mu.subarray(2 * i, 2 * i + 2)
    const pair = 2 * m + 4 * (pairColumn(i, k, m) - m)
    if (rising.length === 2) return mu.subarray(pair, pair + 4)
    const found = known.get(rising.join())
    if (found !== undefined) return found
    const recovered = recover(rising)
    if (isFitted)
      fitMargins(
        recovered,
        rising.map((_, k) => ordered(rising.toSpliced(k, 1)))
      )
    known.set(rising.join(), recovered)
    return recovered
  }
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

/**
 * Changes `table` to the one nearest to it, in KL, whose margins without each of its concepts are `margins`: iterative
 * proportional fitting (Deming and Stephan, 1940). `margins[k]` is the table of all concepts but the k-th, the first most
 * significant. Margins that no table can have together are approximated by 50 sweeps, the last of them met exactly.
 */
export function fitMargins(table: Float64Array, margins: readonly ArrayLike<number>[]): void {
  const sums = new Float64Array(table.length / 2)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let change = 0
    margins.forEach((margin, k) => {
      const bit = margins.length - 1 - k
      const row = (cell: number) => ((cell >> (bit + 1)) << bit) | (cell & ((1 << bit) - 1))
      sums.fill(0)
      for (let cell = 0; cell < table.length; cell++) sums[row(cell)] += table[cell]
      for (let at = 0; at < sums.length; at++) change = Math.max(change, Math.abs(margin[at] - sums[at]))
      for (let cell = 0; cell < table.length; cell++)
        if (sums[row(cell)] > 0) table[cell] *= margin[row(cell)] / sums[row(cell)]
    })
    if (change < MARGIN_TOLERANCE) return
  }
}
