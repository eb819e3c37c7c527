import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import type {LinearSolver} from '../../base/linear/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {
  type ConditionalGradientOptions,
  conditionalGradientDefaults,
  type MomentOrder,
  type PolytopeName,
  type SolveControl,
  StopRule
} from '../polytopes/index.ts'
import {momentProblem} from './moment-problem.ts'
import {type Moments, momentsFrom} from './moments.ts'
import type {Shrinkage} from './shrinkage.ts'
import {solveByConditionalGradient} from './solve-by-conditional-gradient.ts'
import {solveByNewton} from './solve-by-newton.ts'
import type {Divergence} from './table-solver.ts'

export type MomentSolver = 'newton' | 'conditional-gradient'

/** The variant, step rule and correction are for conditional gradient only. */
export interface MomentOptions extends ConditionalGradientOptions {
  readonly polytope: PolytopeName
  /** K of Eq. 4: moments of at most so many concepts. */
  readonly order: MomentOrder
  readonly shrinkage: Shrinkage
  readonly divergence: Divergence
  /** `newton` stands for the fast method of each polytope, `conditional-gradient` for the paper's. */
  readonly solver: MomentSolver
  /** Stop when the certified gap, summed over all moments, is at most this; undefined for the default of polytope and solver. */
  readonly gap: number | undefined
  /** Steps of all moments together; tables on the simplex have a limit of their own, 100 steps each. */
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
  gap: undefined,
  stepLimit: 100_000,
  timeLimit: undefined,
  ...conditionalGradientDefaults,
  seed: 0
}

/** What `gap` is when it is left out: what each fast method reaches at little cost, and the paper's tolerance. */
export const defaultGaps: Readonly<Record<PolytopeName | 'conditional-gradient', number>> = {
  simplex: 1e-5,
  local: 1e-6,
  cycle: 1e-3,
  marginal: 0.005,
  'conditional-gradient': 0.005
}

export interface MomentControl extends SolveControl {
  /** Conditional gradient needs one for the cycle polytope, and for the local one of order 3. */
  readonly linearSolver?: LinearSolver
}

/**
 * mu-hat of Eq. 4 with the shrinkage towards independence: the moments in a polytope that come nearest to what the anchors show.
 * The target of the shrinkage is the product of the prevalences that the anchors imply.
 */
export function recoverMoments(
  counts: Counts,
  noise: NoiseRates,
  options?: Partial<MomentOptions>,
  control: MomentControl = {}
): Moments {
  const chosen = checkMomentOptions(options)
  const problem = momentProblem(counts, noise, chosen)
  const {solver, polytope, stepLimit, timeLimit} = chosen
  const gap = chosen.gap ?? defaultGaps[solver === 'newton' ? polytope : solver]
  const rule = new StopRule({gap, stepLimit, timeLimit: timeLimit ?? Number.POSITIVE_INFINITY}, control)
  const {mu, certificate} =
    solver === 'newton'
      ? solveByNewton(problem, polytope, rule, chosen.seed)
      : solveByConditionalGradient(problem, chosen, rule, control.linearSolver)
  return momentsFrom(problem.layout, mu, counts.documentCount, certificate)
}

function checkMomentOptions(options: Partial<MomentOptions> | undefined): MomentOptions {
  const chosen = withDefaults('recoverMoments', momentDefaults, options)
  const {polytope, order, solver, gap, stepLimit, timeLimit} = chosen
  if (!Object.hasOwn(defaultGaps, polytope) || (polytope as string) === 'conditional-gradient')
    throw new AdfaError('bad-option', `polytope is simplex, local, cycle or marginal; got ${JSON.stringify(polytope)}`)
  if (polytope === 'cycle' && order === 3)
    throw new AdfaError(
      'bad-option',
      'the cycle polytope is one of pairs, got order 3; take the local polytope of order 3, which holds every triangle'
    )
  if (solver !== 'newton' && solver !== 'conditional-gradient')
    throw new AdfaError('bad-option', `solver is newton or conditional-gradient; got ${JSON.stringify(solver)}`)
  if (gap !== undefined && !(gap > 0)) throw new AdfaError('bad-option', `gap is a number above 0; got ${gap}`)
  if (!(stepLimit >= 0)) throw new AdfaError('bad-option', `stepLimit is 0 or more; got ${stepLimit}`)
  if (timeLimit !== undefined && !(timeLimit >= 0))
    throw new AdfaError('bad-option', `timeLimit is a number of seconds; got ${timeLimit}`)
  return chosen
}
