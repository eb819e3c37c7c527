import type {LinearProgram, LinearRow, LinearSolver} from '../../base/linear/index.ts'
import {type Edge, findCycle} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {FamilyScores} from './bic.ts'
import {climbOrder, type GraphProgress, type GraphSearch, looseBound, searchGreedy} from './search-orders.ts'

export interface IntegerOptions {
  /** The most work, in simplex steps times families. Unlike a time limit, it gives the same graph on every machine. */
  readonly workLimit?: number
  /** Called often. If it returns true, the search ends with the best graph and the bound so far. */
  readonly stop?: () => boolean
  readonly onProgress?: ((progress: GraphProgress) => void) | undefined
}

/** A search for violated clusters counts as this many simplex steps, which take about as long. */
const STEPS_PER_ROUND = 20

/** The number of edges tried before branching on one. The network Alarm takes 19 s with 6, 25 s with 16, and over 60 s with 1. */
const TRIED_EDGES = 6

/** The most concepts of a cluster. The rows of larger clusters are seldom violated, and they are dense. */
const LARGEST_CLUSTER = 12

/** A cluster row f(C) >= 1 is added if it is violated by more than this, which is well above the tolerance 1e-7 of the solver. */
const VIOLATION = 1e-4

/** Values of columns this close to 0 or 1 count as 0 or 1, since the solver rounds. */
const INTEGRALITY_TOLERANCE = 1e-6

/** Differences of cost below this are negligible beside the tolerances of the solver. */
const COST_ROUNDING = 1e-6

/** A family as a column of the program. */
interface Column {
  readonly child: number
  readonly parents: readonly number[]
  /** The score of the concept's best family minus the score of this one, so a graph costs the loose bound minus its score. */
  readonly cost: number
}

/** A node of the branching tree, which stands for a set of graphs. */
interface Node {
  /** The upper bound of each column, 0 for a family that no graph of the set has. */
  readonly upper: Uint8Array
  /** A lower bound of the cost of all graphs of the set. */
  readonly bound: number
}

/**
 * Finds the best acyclic graph by an integer program: x[n] = 1 if family n is chosen, one family per concept. It takes any
 * number of concepts, and its time depends on the scores.
 *
 * Cluster rows (Jaakkola, Sontag, Globerson and Meila, 2010) exclude cycles: in an acyclic graph every set C of concepts has a
 * member whose parents all lie outside C, so
 *
 *     f(C) = sum of x[n] over families n of concepts in C with no parent in C  >=  1.
 *
 * Method: branch and cut, the node of smallest bound first. The relaxed program is solved again, from its last basis, with
 * violated cluster rows added. If x stays fractional, an edge is required in one branch and forbidden in the other. A family
 * whose reduced cost exceeds the cost of the best known graph minus that of the relaxed solution is in no better graph and is
 * dropped below that node. Each relaxed solution also gives an order from which {@link climbOrder} starts.
 */
export function searchInteger(
  scores: FamilyScores,
  solver: LinearSolver,
  {workLimit = Number.POSITIVE_INFINITY, stop = () => false, onProgress}: IntegerOptions = {}
): GraphSearch {
  const loose = looseBound(scores)
  let {parents, score} = searchGreedy(scores, rng(0), {climbs: 1, stop})
  let steps = 0
  let work = 0
  const columns: readonly Column[] = scores.flatMap((families, child) =>
    families.map(({parents, score}) => ({child, parents, cost: families[0].score - score}))
  )
  const program = openProgram(solver, columns, scores.length)
  const nodes: Node[] = [{upper: new Uint8Array(columns.length).fill(1), bound: 0}]
  /** Says whether a node of this bound has no better graph than the best known one, which costs `loose - score`. */
  const isHopeless = (bound: number) => bound >= loose - score - COST_ROUNDING

  const solve = (upper: Uint8Array) => {
    program.setUpper(upper)
    const result = program.solve({stop, stepLimit: Math.ceil((workLimit - work) / columns.length)})
    steps += result.iterations
    work += result.iterations * columns.length
    return result
  }

  /** Adds violated cluster rows until none is found. Returns a better bound and, if the node must branch, the relaxed solution. */
  const cut = ({upper, bound}: Node): Node & {readonly choices?: readonly Choice[]} => {
    for (;;) {
      const {status, objective, x, duals} = solve(upper)
      if (status === 'infeasible') return {upper, bound: Number.POSITIVE_INFINITY}
      if (status !== 'optimal') return {upper, bound}
      bound = Math.max(bound, objective)
      const choices = columns.flatMap((column, n) =>
        x[n] > INTEGRALITY_TOLERANCE ? [{...column, share: x[n], inner: 0}] : []
      )
      const climb = climbOrder(scores, suggestedOrder(scores.length, choices), stop)
      if (climb.parents !== undefined && climb.score > score) ({parents, score} = {...climb, parents: climb.parents})
      work += STEPS_PER_ROUND * columns.length
      const slack = loose - score - objective + COST_ROUNDING
      upper = upper.map((on, n) => (duals.columns[n] > slack ? 0 : on))
      if (isHopeless(bound) || work >= workLimit || stop()) return {upper, bound}
      const clusters = violatedClusters(choices, scores.length)
      if (clusters.length === 0) return {upper, bound, choices}
      program.addRows(clusters.map(cluster => clusterRow(columns, cluster)))
    }
  }

  /** Branches on an edge near 1/2: the first with a hopeless half, or else the one that raises the bounds of both halves most. */
  const branch = (node: Node, choices: readonly Choice[]): readonly Node[] => {
    let best: readonly Node[] = []
    let most = Number.NEGATIVE_INFINITY
    for (const [parent, child] of undecidedEdges(choices).slice(0, TRIED_EDGES)) {
      const halves = [true, false].flatMap(isPresent => {
        const upper = node.upper.map((on, n) =>
          columns[n].child === child && columns[n].parents.includes(parent) !== isPresent ? 0 : on
        )
        const {status, objective} = solve(upper)
        const bound = status === 'optimal' ? Math.max(node.bound, objective) : node.bound
        return status === 'infeasible' || isHopeless(bound) ? [] : [{upper, bound}]
      })
      if (halves.length < 2) return halves
      const bounds = halves.map(({bound}) => bound)
      const gain = Math.min(...bounds) + 0.1 * Math.max(...bounds)
      if (gain <= most) continue
      most = gain
      best = halves
    }
    return best
  }

  try {
    for (;;) {
      const next = nodes.pop()
      if (next === undefined || isHopeless(next.bound)) return finish(loose - score)
      onProgress?.({gap: loose - next.bound - score, steps})
      const {choices, ...node} = cut(next)
      if (isHopeless(node.bound)) continue
      if (choices === undefined) return finish(Math.min(node.bound, nodes.at(-1)?.bound ?? node.bound))
      nodes.push(...branch(node, choices))
      nodes.sort((a, b) => b.bound - a.bound)
    }
  } finally {
    program.dispose()
  }

  function finish(bound: number): GraphSearch {
    const isOptimal = isHopeless(bound)
    const gap = isOptimal ? 0 : loose - bound - score
    return {parents, score, gap, status: isOptimal ? 'optimal' : 'stopped', method: 'integer-program', steps}
  }
}

/** Opens the relaxed program in which every concept has one family. */
function openProgram(solver: LinearSolver, columns: readonly Column[], m: number): LinearProgram {
  const program = solver.open({
    costs: columns.map(({cost}) => cost),
    lower: columns.map(() => 0),
    upper: columns.map(() => 1)
  })
  const all = [...columns.keys()]
  const own = Array.from({length: m}, (_, i) => all.filter(n => columns[n].child === i))
  program.addRows(own.map(indices => ({indices, values: indices.map(() => 1), lower: 1, upper: 1})))
  return program
}

/**
 * Returns the row f(C) >= 1 of a cluster. As each concept has exactly one family, it is equivalent that at most |C| - 1
 * concepts of C have a parent in C; of these two rows, the one with fewer columns is returned.
 */
function clusterRow(columns: readonly Column[], cluster: readonly number[]): LinearRow {
  const outer: number[] = []
  const inner: number[] = []
  for (const [n, {child, parents}] of columns.entries())
    if (cluster.includes(child)) (parents.some(parent => cluster.includes(parent)) ? inner : outer).push(n)
  return inner.length < outer.length
    ? {indices: inner, values: inner.map(() => 1), lower: Number.NEGATIVE_INFINITY, upper: cluster.length - 1}
    : {indices: outer, values: outer.map(() => 1), lower: 1, upper: Number.POSITIVE_INFINITY}
}

/** A column that is positive in a relaxed solution. */
interface Choice extends Column {
  /** The value x[n] of the column. */
  readonly share: number
  /** The number of parents inside the cluster that is being grown. */
  inner: number
}

/**
 * Finds violated clusters, the most violated first, by growing one from every edge of the relaxed solution. It may miss some,
 * but finds one if the solution is an integral graph with a cycle.
 */
function violatedClusters(choices: readonly Choice[], m: number): readonly (readonly number[])[] {
  const ofChild = Array.from({length: m}, (_, i) => choices.filter(({child}) => child === i))
  const ofParent = Array.from({length: m}, (_, i) => choices.filter(({parents}) => parents.includes(i)))
  const found = new Map<string, ReturnType<typeof growCluster>>()
  for (const [child, own] of ofChild.entries())
    for (const parent of new Set(own.flatMap(({parents}) => parents))) {
      for (const choice of choices) choice.inner = 0
      const grown = growCluster([child, parent], ofChild, ofParent)
      if (grown.value < 1 - VIOLATION) found.set(grown.concepts.join(), grown)
    }
  const worst = [...found.values()].sort((a, b) => a.value - b.value)
  if (worst.length > 0) return worst.map(({concepts}) => concepts)
  // The choices are sorted by child. If each concept has one, the solution is integral.
  const cycle = choices.length === m ? findCycle(choices.map(({parents}) => parents)) : undefined
  return cycle === undefined ? [] : [cycle]
}

/**
 * Grows a cluster C from `start`, each time by the concept that makes f(C) smallest, and returns the C of smallest f(C) on the
 * way with this value. `ofChild[i]` and `ofParent[i]` list the choices in which concept i is the child, or a parent.
 */
function growCluster(
  start: readonly number[],
  ofChild: readonly (readonly Choice[])[],
  ofParent: readonly (readonly Choice[])[]
) {
  const cluster = new Set<number>()
  let value = 0
  /** Returns the change of f(C) when a concept is added to C. */
  const change = (concept: number) => {
    let sum = 0
    for (const {inner, share} of ofChild[concept]) if (inner === 0) sum += share
    for (const {inner, share, child} of ofParent[concept]) if (inner === 0 && cluster.has(child)) sum -= share
    return sum
  }
  const add = (concept: number) => {
    value += change(concept)
    cluster.add(concept)
    for (const choice of ofParent[concept]) choice.inner++
  }
  for (const concept of start) add(concept)
  let best = {concepts: [...cluster], value}
  while (cluster.size < Math.min(LARGEST_CLUSTER, ofChild.length)) {
    const outside = [...ofChild.keys()].filter(concept => !cluster.has(concept))
    const changes = outside.map(change)
    add(outside[changes.indexOf(Math.min(...changes))])
    if (value < best.value - INTEGRALITY_TOLERANCE) best = {concepts: [...cluster], value}
  }
  return {...best, concepts: best.concepts.sort((a, b) => a - b)}
}

/** Lists the edges whose families have a fractional sum of x, the sum nearest to 1/2 first. */
function undecidedEdges(choices: readonly Choice[]): readonly Edge[] {
  const edges = new Map<string, {readonly edge: Edge; readonly share: number}>()
  for (const {child, parents, share} of choices)
    for (const parent of parents) {
      const key = `${parent},${child}`
      edges.set(key, {edge: [parent, child], share: share + (edges.get(key)?.share ?? 0)})
    }
  return [...edges.values()]
    .filter(({share}) => share < 1 - INTEGRALITY_TOLERANCE)
    .sort((a, b) => Math.abs(a.share - 0.5) - Math.abs(b.share - 0.5))
    .map(({edge}) => edge)
}

/**
 * Returns an order of the concepts for {@link climbOrder}. The next concept is the one whose families with all parents in the
 * order so far have the largest sum of x. If x is an acyclic graph, this is a topological order of it.
 */
function suggestedOrder(m: number, choices: readonly Choice[]): number[] {
  const waiting = new Set(Array.from({length: m}, (_, i) => i))
  const order: number[] = []
  while (waiting.size > 0) {
    const shares = new Float64Array(m)
    for (const {child, parents, share} of choices) if (!parents.some(k => waiting.has(k))) shares[child] += share
    const next = [...waiting].reduce((top, i) => (shares[i] > shares[top] ? i : top))
    waiting.delete(next)
    order.push(next)
  }
  return order
}
