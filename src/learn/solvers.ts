import {type LinearSolverOptions, loadLinearSolver} from '../base/linear/index.ts'
import type {Counts} from '../read/counts/index.ts'
import {loadMethods, type MomentSolvers} from './moments/index.ts'
import {chosenStructure, type FitOptions, type Preset} from './presets.ts'
import {exactSearchLimit, largestTable, loadSearches, planStructure, type SearchSolvers} from './structure/index.ts'

/** What a fit by the presets does not need: `fit` and what it calls take it as `control.solvers`. */
export interface Solvers extends MomentSolvers, SearchSolvers {}

/**
 * Load the solvers for conditional gradient, the marginal polytope, polytopes of your own, tables of three concepts
 * on the local polytope (`indegree:2`), `degree:K` and exact search of more than 22 concepts, together with HiGHS (3.5 MB of WebAssembly, about 50 ms); every call loads a new HiGHS, so keep what you have.
 */
export async function loadSolvers(options: LinearSolverOptions = {}): Promise<Solvers> {
  const linear = await loadLinearSolver(options)
  return {linear, ...(await loadMethods()), ...(await loadSearches())}
}

/** The solvers, if a fit of these counts may need them. */
export async function solversFor(
  options: Partial<FitOptions> & {readonly preset?: Preset},
  {lexicon}: Pick<Counts, 'lexicon'>
): Promise<Solvers | undefined> {
  const {polytope = 'local', solver, search, edges = {}, attractive = false} = options
  const plan = planStructure(chosenStructure(options, options.preset))
  return needsMoments() || needsSearch() ? loadSolvers() : undefined

  function needsMoments(): boolean {
    if (polytope === 'simplex' || polytope === 'cycle') return solver === 'conditional-gradient'
    return solver === 'conditional-gradient' || polytope !== 'local' || largestTable(plan) > 2
  }

  /** Without rules, the best graph of at most one parent is a spanning tree. */
  function needsSearch(): boolean {
    if (plan.kind === 'degree') return true
    if (search === 'greedy' || lexicon.anchors.length <= exactSearchLimit) return false
    const isFree = Object.keys(edges).length === 0 && !attractive
    return plan.kind === 'indegree' ? plan.limit > 1 || !isFree : plan.kind === 'tree' && !isFree
  }
}
