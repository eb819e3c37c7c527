import {AdfaError, above, checkOptions, oneOf, optional, type Rules, within} from '../../base/checks/index.ts'
import {type LinearSolverOptions, loadLinearSolver} from '../../base/linear/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {
  type Correction,
  type CustomPolytope,
  type MomentOrder,
  type PolytopeName,
  type SolveControl,
  StopRule
} from '../polytopes/index.ts'
import {momentProblem} from './moment-problem.ts'
import {type MomentSolution, type Moments, momentsFrom} from './moments.ts'
import type {Shrinkage} from './shrinkage.ts'
import {solveByNewton, solveTables} from './solve-by-newton.ts'
import type {Divergence} from './table-solver.ts'

export type MomentSolver = 'newton' | 'conditional-gradient' | 'exponentiated-gradient'

export interface MomentOptions {
  readonly polytope: PolytopeName | CustomPolytope
  /** K of Eq. 4: the most concepts in one moment. */
  readonly order: MomentOrder
  readonly shrinkage: Shrinkage
  readonly divergence: Divergence
  /**
   * `newton` stands for the fast method of each polytope; `conditional-gradient` is the paper's, and `exponentiated-gradient` its
   * method for the simplex.
   */
  readonly solver: MomentSolver
  /** When conditional gradient minimises over all vertices seen: after every step, or only when a vertex comes again, as in the paper. */
  readonly correction: Correction
  /** Stop when the certified gap, summed over all moments, is at most this; undefined for the default of polytope and solver. */
  readonly gap: number | undefined
  /** Steps of all moments together; tables on the simplex have their own limit of 100 steps each. */
  readonly stepLimit: number
  /** Seconds, at most; undefined for no limit. Needs a clock. */
  readonly timeLimit: number | undefined
  /** For the searches of the marginal polytope. */
  readonly seed: number
}

export const momentDefaults: MomentOptions = {
  polytope: 'simplex',
  order: 2,
  shrinkage: '10/N',
  divergence: 'kl',
  solver: 'newton',
  correction: 'every-step',
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
  correction: oneOf('every-step', 'seen'),
  gap: optional(above(0)),
  stepLimit: within(0, Number.POSITIVE_INFINITY),
  timeLimit: optional(within(0, Number.POSITIVE_INFINITY))
}

/** The default of `gap`: what each fast method reaches at little cost, and the paper's tolerance. */
export const defaultGaps: Readonly<Record<PolytopeName | 'conditional-gradient', number>> = {
  simplex: 1e-5,
  local: 1e-6,
  cycle: 1e-3,
  marginal: 0.005,
  'conditional-gradient': 0.005
}

export interface MomentControl extends SolveControl, LinearSolverOptions {}

/**
 * mu-hat of Eq. 4 with shrinkage towards independence: the moments in a polytope that are nearest to the observed anchor moments.
 * The target of the shrinkage is the product of the prevalences that the anchors imply.
 */
export async function recoverMoments(
  counts: Counts,
  noise: NoiseRates,
  options?: Partial<MomentOptions>,
  control: MomentControl = {}
): Promise<Moments> {
  const chosen = checkOptions('recoverMoments', momentDefaults, momentRules, options)
  const {solver, polytope, order, stepLimit, timeLimit} = chosen
  if (polytope === 'cycle' && order === 3)
    throw new AdfaError(
      'bad-option',
      'recoverMoments: the cycle polytope has moments of pairs only, got `order` 3; use the local polytope, which implies every triangle'
    )
  checkSolver(chosen)
  const problem = momentProblem(counts, noise, chosen)
  const gap =
    chosen.gap ?? defaultGaps[typeof polytope === 'object' || solver !== 'newton' ? 'conditional-gradient' : polytope]
  const rule = new StopRule(
    {gap, stepLimit, timeLimit: timeLimit ?? Number.POSITIVE_INFINITY, correction: chosen.correction},
    control
  )
  const {mu, certificate} = await solve()
  return momentsFrom(problem.layout, mu, counts.documentCount, certificate)

  async function solve(): Promise<MomentSolution> {
    if (solver === 'exponentiated-gradient') return solveTables(problem, rule, solver)
    if (typeof polytope === 'string' && solver === 'newton')
      return solveByNewton(problem, polytope, rule, {seed: chosen.seed})
    const {solveByConditionalGradient} = await import('./solve-by-conditional-gradient.ts')
    return solveByConditionalGradient(problem, polytope, rule, () => loadLinearSolver(control))
  }
}

/** Refuses a method that does not solve the problem, or a correction without effect. */
function checkSolver({solver, polytope, divergence, correction}: MomentOptions): void {
  const refused = (option: string, message: string) =>
    new AdfaError('bad-option', `recoverMoments: ${message}`, {details: {option}})
  if (solver === 'exponentiated-gradient' && (polytope !== 'simplex' || divergence !== 'kl'))
    throw refused(
      'solver',
      "`solver` 'exponentiated-gradient' is for `polytope` 'simplex' and `divergence` 'kl'; use 'conditional-gradient' or 'newton' for others"
    )
  if (correction === 'seen' && solver !== 'conditional-gradient' && typeof polytope === 'string')
    throw refused('correction', "`correction` 'seen' is for `solver` 'conditional-gradient'; use both, or leave it out")
}
