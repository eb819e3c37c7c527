import {withDefaults} from '../../base/checks/index.ts'
import type {LinearProgram, LinearResult, LinearSolver} from '../../base/linear/index.ts'
import type {Rng} from '../../base/numeric/index.ts'
import {
  branches,
  type Cluster,
  clusterRow,
  findCycles,
  fractionalEdges,
  growClusters,
  propagate
} from './branch-and-cut.ts'
import type {FamilyScores} from './family-scores.ts'
import {greedyDefaults, OrderClimber, searchGreedy} from './search-greedy.ts'
import {
  type GraphProgress,
  type GraphSearch,
  graphSearch,
  looseBound,
  type PackedFamilies,
  packFamilies
} from './search-result.ts'

export interface IntegerOptions {
  /** Climbs of the hill climbing that finds the first graph. */
  readonly restarts: number
  /** False turns hill climbing off throughout. */
  readonly climb: boolean
  /** The most simplex steps; like `stop`, but the same on every machine. */
  readonly stepLimit: number
  /** Called often; true ends the search with the best graph and the bound so far. */
  readonly stop: () => boolean
  readonly onProgress: (progress: GraphProgress) => void
}

export const integerDefaults: IntegerOptions = {
  restarts: greedyDefaults.restarts,
  climb: true,
  stepLimit: Number.POSITIVE_INFINITY,
  stop: () => false,
  onProgress: () => {}
}

/** Cuts per round, and rounds per node; the first node is cut as long as there are cuts. */
const CUTS_PER_ROUND = 60
const ROUNDS_PER_NODE = 6

/** Edges that are tried before branching on one. */
const TRIED_EDGES = 16

/** A difference of costs, in the unit of the scores, that is negligible beside the tolerances of the solver. */
const COST_ROUNDING = 1e-6

/**
 * The best acyclic graph, by an integer program: x[n] = 1 if family n is chosen, one family per concept, cluster cuts
 * against cycles (see branch-and-cut.ts), costs best_i - score[n]. Any number of concepts; the time depends on the scores.
 *
 * Branch and cut, the node of the smallest bound first: the relaxed program is solved again, warm, with the violated
 * clusters added; where x stays fractional, an edge is required in one branch and forbidden in the other. A family whose
 * reduced cost exceeds the distance to the best known graph is in no better graph, so it is dropped below that node. Each
 * relaxed point also gives an order to climb from.
 */
export function searchInteger(
  scores: FamilyScores,
  solver: LinearSolver,
  random: Rng,
  options: Partial<IntegerOptions> = {}
): GraphSearch {
  const chosen = withDefaults('searchInteger', integerDefaults, options)
  const {restarts, climb, stop} = chosen
  // A climb that stops at once returns the graph of its first order.
  const stopClimb = climb ? stop : () => true
  const first = searchGreedy(scores, random, {restarts, stop: stopClimb})
  if (first.status === 'optimal') return {...first, method: 'integer-program', steps: 0}
  // Costs are at least 0, so a family that alone costs more than the whole known graph is in no better one.
  const useful = scores.map(families => {
    const worst = (families[0]?.score ?? 0) - first.gap - COST_ROUNDING
    return families.filter(family => family.score >= worst)
  })
  const search = new BranchAndCut(useful, solver, first, {...chosen, stopClimb})
  try {
    return search.run()
  } finally {
    search.dispose()
  }
}

/** The graphs of the families that `allowed` marks with 1. None of them costs less than `bound`. */
interface Node {
  readonly allowed: Uint8Array
  readonly bound: number
}

/** A node after its rounds of cuts; if stopped, its last point may still have cycles. */
interface CutNode {
  readonly result: LinearResult
  readonly bound: number
  readonly stopped: boolean
}

interface BranchOptions extends IntegerOptions {
  /** True ends a climb. */
  readonly stopClimb: () => boolean
}

class BranchAndCut {
  readonly #families: PackedFamilies
  readonly #climber: OrderClimber
  readonly #program: LinearProgram
  /** The sum of the best families: a graph costs this minus its score. */
  readonly #loose: number
  readonly #none: Float64Array
  readonly #options: BranchOptions
  #best: GraphSearch
  #steps = 0

  constructor(scores: FamilyScores, solver: LinearSolver, first: GraphSearch, options: BranchOptions) {
    this.#options = options
    this.#families = packFamilies(scores)
    this.#climber = new OrderClimber(scores)
    this.#best = first
    this.#loose = looseBound(scores)
    const {starts, children} = this.#families
    const costs = this.#families.scores.map((score, n) => this.#families.scores[starts[children[n]]] - score)
    this.#none = new Float64Array(costs.length)
    this.#program = solver.open({costs, lower: this.#none, upper: new Float64Array(costs.length).fill(1)})
    this.#program.addRows(
      scores.map((families, i) => ({
        indices: families.map((_, at) => starts[i] + at),
        values: families.map(() => 1),
        lower: 1,
        upper: 1
      }))
    )
  }

  run(): GraphSearch {
    // Smallest bound last.
    const open: Node[] = [{allowed: new Uint8Array(this.#none.length).fill(1), bound: 0}]
    for (let rounds = Number.POSITIVE_INFINITY; ; rounds = ROUNDS_PER_NODE) {
      const node = open.pop()
      if (node === undefined || this.#hopeless(node.bound)) return this.#result('optimal', this.#cost())
      this.#options.onProgress(this.#result('stopped', node.bound))
      if (this.#isOver()) return this.#result('stopped', node.bound)
      const {result, bound, stopped} = this.#cutOff(node, rounds)
      if (result.status === 'infeasible') continue
      if (stopped) return this.#result('stopped', Math.min(bound, open.at(-1)?.bound ?? bound))
      const slack = this.#cost() - result.objective + COST_ROUNDING
      const allowed = node.allowed.map((on, n) => (result.duals.columns[n] > slack ? 0 : on))
      for (const child of this.#branch({allowed, bound}, result.x)) insert(open, child)
    }
  }

  dispose(): void {
    this.#program.dispose()
  }

  /** Solve a node, relaxed, adding violated clusters in rounds; the bound is that of the last complete round. */
  #cutOff(node: Node, rounds: number): CutNode {
    this.#program.setBounds(this.#none, node.allowed)
    let bound = node.bound
    for (let round = 0; ; round++) {
      const result = this.#solve()
      if (result.status !== 'optimal') return {result, bound, stopped: result.status !== 'infeasible'}
      bound = Math.max(bound, result.objective)
      this.#climbFrom(result.x)
      if (this.#hopeless(bound)) return {result, bound, stopped: false}
      if (this.#isOver()) return {result, bound, stopped: true}
      const clusters = this.#violated(result.x, round < rounds)
      if (clusters.length === 0) return {result, bound, stopped: false}
      this.#program.addRows(clusters.map(cluster => clusterRow(this.#families, cluster)))
    }
  }

  /** Clusters to add: the cycles of an integral x, and with `all` those that a fractional one violates. */
  #violated(x: Float64Array, all: boolean): readonly Cluster[] {
    if (fractionalEdges(this.#families, x).length === 0) return findCycles(this.#families, x)
    return all ? growClusters(this.#families, x).slice(0, CUTS_PER_ROUND) : []
  }

  /** The two halves of a node at the edge that raises their bounds most; none where x is integral or hopeless. */
  #branch(node: Node, x: Float64Array): Node[] {
    if (this.#hopeless(node.bound)) return []
    let best: Node[] = []
    let most = -1
    for (const edge of fractionalEdges(this.#families, x).slice(0, TRIED_EDGES)) {
      const halves = branches(this.#families, node.allowed, edge).flatMap(half => this.#half(node, half))
      if (halves.length < 2) return halves
      const [a, b] = halves.map(half => half.bound - node.bound)
      const gain = Math.min(a, b) + 0.1 * Math.max(a, b)
      if (gain <= most) continue
      most = gain
      best = halves
    }
    return best
  }

  /** A half of a node with its bound, if it may contain a better graph. */
  #half(node: Node, half: Uint8Array): Node[] {
    const allowed = propagate(this.#families, half)
    if (allowed === undefined) return []
    this.#program.setBounds(this.#none, allowed)
    const {status, objective} = this.#solve()
    if (status === 'infeasible') return []
    const bound = status === 'optimal' ? Math.max(node.bound, objective) : node.bound
    return this.#hopeless(bound) ? [] : [{allowed, bound}]
  }

  #solve(): LinearResult {
    const result = this.#program.solve({stop: this.#options.stop})
    this.#steps += result.iterations
    return result
  }

  #isOver(): boolean {
    return this.#steps >= this.#options.stepLimit || this.#options.stop()
  }

  /** The cost of the best known graph. */
  #cost(): number {
    return this.#loose - this.#best.score
  }

  /** Whether graphs of at least this cost cannot beat the best known one. */
  #hopeless(bound: number): boolean {
    return bound >= this.#cost() - COST_ROUNDING
  }

  /** Climb from the order that x suggests, and keep the graph if it is the best so far. */
  #climbFrom(x: Float64Array): void {
    const {order} = this.#climber.climb(suggestedOrder(this.#families, x), this.#options.stopClimb)
    const families = this.#climber.familiesOf(order)
    if (families === undefined) return
    const found = graphSearch(families, this.#loose, {status: 'heuristic', method: 'greedy', steps: 0})
    if (found.score > this.#best.score) this.#best = found
  }

  #result(status: GraphSearch['status'], bound: number): GraphSearch {
    const {parents, score} = this.#best
    const proven = status === 'optimal' ? score : Math.max(score, this.#loose - bound)
    return {parents, score, bound: proven, gap: proven - score, status, method: 'integer-program', steps: this.#steps}
  }
}

/** Insert a node into a list of descending bounds; among equals the newest comes out first. */
function insert(open: Node[], node: Node): void {
  let at = open.length
  while (at > 0 && open[at - 1].bound < node.bound) at--
  open.splice(at, 0, node)
}

/** Repeatedly the concept for which x puts most weight on families within the order so far; the first of equals. */
function suggestedOrder({starts, parentStarts, parents}: PackedFamilies, x: Float64Array): number[] {
  const waiting = new Set(Array.from({length: starts.length - 1}, (_, i) => i))
  const order: number[] = []
  while (waiting.size > 0) {
    let next = -1
    let most = -1
    for (const i of waiting) {
      let sum = 0
      for (let n = starts[i]; n < starts[i + 1]; n++)
        if (x[n] > 0 && !parents.subarray(parentStarts[n], parentStarts[n + 1]).some(k => waiting.has(k))) sum += x[n]
      if (sum <= most) continue
      most = sum
      next = i
    }
    waiting.delete(next)
    order.push(next)
  }
  return order
}
