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

/** The most sweeps of iterative proportional fitting. If margins contradict each other, more sweeps change little. */
const MAX_SWEEPS = 50
/** Iterative proportional fitting stops when all margins differ from the given ones by less than this. */
const MARGIN_TOLERANCE = 1e-10

/** The recovered moments of the concepts. */
export interface Moments {
  readonly conceptCount: number
  /** The number of documents from which they were recovered. */
  readonly sampleCount: number
  /** Returns P(Y_i = 1). */
  single(i: number): number
  /** Returns P(Y_i, Y_k) for any i != k as a new table, with cell `2*yi + yk`. */
  pair(i: number, k: number): Float64Array
  /** Returns P(Y_Z) of any distinct concepts as a new table, the first concept most significant. */
  table(concepts: readonly number[]): Float64Array
  readonly certificate: MomentCertificate
}

export type MomentSolver = 'newton' | 'conditional-gradient' | 'exponentiated-gradient'

export interface MomentOptions {
  readonly polytope: PolytopeName | CustomPolytope
  readonly shrinkage: Shrinkage
  readonly divergence: Divergence
  /**
   * `newton` is the fast method of each polytope, `conditional-gradient` the paper's method, and `exponentiated-gradient` the
   * paper's method for the simplex.
   */
  readonly solver: MomentSolver
  /** A solver stops when its certified gap is at most this. If undefined, {@link defaultGaps} applies. */
  readonly gap: number | undefined
  /** The most steps. Tables on the simplex have a limit of their own. */
  readonly stepLimit: number
  /** The most seconds, or undefined. A limit needs a clock. */
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

/** Tells whether a value is the name of a polytope, or a custom polytope. */
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

/** The default of `gap`: for fast methods what they reach at little cost, for conditional gradient the paper's tolerance. */
export const defaultGaps: Readonly<Record<PolytopeName | 'conditional-gradient', number>> = {
  simplex: 1e-5,
  local: 1e-6,
  cycle: 1e-5,
  marginal: 1e-5,
  'conditional-gradient': 0.005
}

/** Control of a solver, and where to load HiGHS from, which conditional gradient needs for some polytopes. */
export interface MomentControl extends SolveControl, LinearSolverOptions {}

/**
 * Recovers mu-hat of Eq. 4 with shrinkage towards independence: the moments in a polytope whose anchor moments (Eq. 1) are nearest
 * to the observed ones. The target of the shrinkage is the product of the prevalences that the anchors imply.
 * Differs from the paper in that the polytope constrains singles and pairs only. Larger tables are recovered one by one over the
 * simplex (Eq. 2) on first use, and stored. They are fitted to the tables of one concept less, so that all agree, except for the
 * simplex polytope, whose tables need not agree.
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
  const method = solver === 'conditional-gradient' || typeof polytope === 'object' ? 'conditional-gradient' : polytope
  const gap = chosen.gap ?? defaultGaps[method]
  const rule = new StopRule({gap, stepLimit, timeLimit: chosen.timeLimit ?? Number.POSITIVE_INFINITY}, control)
  const {mu, certificate} = await solveMoments(problem, rule, chosen, control)
  const larger = (concepts: readonly number[]) =>
    recoverObservedTable(anchorTable(counts, concepts, []), noise, concepts, {shrinkage, divergence}).mu
  const tables = tablesFrom(counts.lexicon.anchors.length, mu, larger, polytope !== 'simplex')
  return {sampleCount: counts.documentCount, ...tables, certificate}
}

/** Solves Eq. 4 by the chosen method. Large modules are imported only when they are needed. */
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

/** Reads tables of one or two concepts from `mu`. Larger ones come from `recover`, fitted to smaller ones if `isFitted`. */
function tablesFrom(
  m: number,
  mu: Float64Array,
  recover: (concepts: readonly number[]) => Float64Array,
  isFitted: boolean
): Pick<Moments, 'conceptCount' | 'single' | 'pair' | 'table'> {
  const recovered = new Map<string, Float64Array>()
  const table = (concepts: readonly number[]) => {
    const ascending = concepts.toSorted((x, y) => x - y)
    return permuteTable(ascendingTable(ascending), ascending, concepts)
  }
  return {conceptCount: m, single: i => mu[2 * i + 1], pair: (i, k) => table([i, k]), table}

  /** Returns the table of concepts in ascending order. */
  function ascendingTable(concepts: readonly number[]): Float64Array {
    const [i, k] = concepts
    if (concepts.length === 1) return mu.subarray(2 * i, 2 * i + 2)
    const pair = 2 * m + 4 * (pairColumn(i, k, m) - m)
    if (concepts.length === 2) return mu.subarray(pair, pair + 4)
    const known = recovered.get(concepts.join())
    if (known !== undefined) return known
    const larger = recover(concepts)
    const margins = concepts.map((_, at) => concepts.toSpliced(at, 1))
    if (isFitted) fitMargins(larger, margins.map(ascendingTable))
    recovered.set(concepts.join(), larger)
    return larger
  }
}

/** Returns a table over the concepts `from` as a new table over the same concepts in the order `to`, the first most significant. */
export function permuteTable(table: ArrayLike<number>, from: readonly number[], to: readonly number[]): Float64Array {
  const last = from.length - 1
  const strides = to.map(concept => 1 << (last - from.indexOf(concept)))
  return Float64Array.from({length: table.length}, (_, cell) => {
    let source = 0
    for (let at = 0; at <= last; at++) if ((cell >> (last - at)) & 1) source += strides[at]
    return table[source]
  })
}

/**
 * Changes `table` to the nearest one in KL that has the given margins, by iterative proportional fitting (Deming and Stephan,
 * 1940). `margins[k]` is the table of all concepts but the k-th, the first most significant. If no table has all margins, the
 * result after 50 sweeps approximates them, and has the last one exactly.
 */
export function fitMargins(table: Float64Array, margins: readonly ArrayLike<number>[]): void {
  const sums = new Float64Array(table.length / 2)
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let change = 0
    margins.forEach((margin, k) => {
      // `row` is the cell of the margin that a cell adds to: its index without the bit of the k-th concept.
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
