import type {LinearProgram, LinearRow, LinearSolver} from '../../base/linear/index.ts'
import {type Edge, findCycle} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {FamilyScores} from './bic.ts'
import {climbOrder, type GraphProgress, type GraphSearch, looseBound, searchGreedy} from './search-orders.ts'

export interface IntegerOptions {
  /** The most work, in simplex steps times families; like `stop`, but the same on every machine. */
  readonly workLimit?: number
  /** Called often; true ends the search with the best graph and the bound so far. */
  readonly stop?: () => boolean
  readonly onProgress?: ((progress: GraphProgress) => void) | undefined
}

/** A search for clusters takes about as long as this many simplex steps. */
const STEPS_PER_ROUND = 20

/** Edges tried before branching on one: alarm is proven in 19 s with 6 and in 25 s with 16, but not in 60 s with 1. */
const TRIED_EDGES = 6

/** Larger clusters are seldom violated, and their rows are dense. */
const LARGEST_CLUSTER = 12

/** By how much a cluster row must be violated, well above the tolerance 1e-7 of the solver. */
const VIOLATION = 1e-4

/** Shares of a family or an edge within this of 0 or 1 are rounding errors of the solver. */
const TINY_SHARE = 1e-6

/** A difference of costs, in the unit of the scores, that is negligible beside the tolerances of the solver. */
const COST_ROUNDING = 1e-6

/** A family as a column of the program. */
interface Column {
  readonly child: number
  readonly parents: readonly number[]
  /** The score of the concept's best family minus the score of this one. A graph costs the loose bound minus its score. */
  readonly cost: number
}

/** A set of graphs. */
interface Node {
  /** The upper bound of each column: 0 for a family that no graph of the set has. */
  readonly upper: Uint8Array
  /** No graph of the set costs less. */
  readonly bound: number
}

/**
 * Finds the best acyclic graph by an integer program: x[n] = 1 if family n is chosen, one family per concept. Any number of
 * concepts; the time depends on the scores.
 *
 * Cluster rows (Jaakkola, Sontag, Globerson and Meila, 2010) exclude cycles: in an acyclic graph every set C of concepts has
 * a member whose parents all lie outside C, so
 *
 *     f(C) = sum of x[n] over families n of concepts in C with no parent in C  >=  1.
 *
 * Branch and cut, the node of smallest bound first: the relaxed program is solved again, from its last basis, with violated
 * cluster rows added. Where x stays fractional, an edge is required in one branch and forbidden in the other. A family whose
 * reduced cost exceeds the distance to the best known graph is in no better graph and is dropped below that node. Each
 * relaxed point also gives an order to climb from.
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
  const isHopeless = (bound: number) => bound >= loose - score - COST_ROUNDING

  const solve = (upper: Uint8Array) => {
    program.setUpper(upper)
    const result = program.solve({stop, stepLimit: Math.ceil((workLimit - work) / columns.length)})
    steps += result.iterations
    work += result.iterations * columns.length
    return result
  }

  /** Adds violated cluster rows until none is found; returns the better bound, and the relaxed point unless the work is over. */
  const cut = ({upper, bound}: Node): Node & {readonly choices?: readonly Choice[]} => {
    for (;;) {
      const {status, objective, x, duals} = solve(upper)
      if (status === 'infeasible') return {upper, bound: Number.POSITIVE_INFINITY}
      if (status !== 'optimal') return {upper, bound}
      bound = Math.max(bound, objective)
      const choices = columns.flatMap((column, n) => (x[n] > TINY_SHARE ? [{...column, share: x[n], inner: 0}] : []))
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

  /** Divides a node by the one of the most undecided edges that raises the bounds of both halves most. */
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
 * Writes the row f(C) >= 1 of a cluster. Each concept has exactly one family, so it can also be written over the other families;
 * the shorter form is used.
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

/** A column with a positive share of a relaxed point. */
interface Choice extends Column {
  readonly share: number
  /** How many parents lie inside the cluster that is grown. */
  inner: number
}

/**
 * Finds violated clusters, the most violated first, by growing one from every edge of which the point has a share; may miss
 * some, but none of an integral point that has a cycle.
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
  // The choices are sorted by child; one for each concept makes the point integral.
  const cycle = choices.length === m ? findCycle(choices.map(({parents}) => parents)) : undefined
  return cycle === undefined ? [] : [cycle]
}

/**
 * Adds to a cluster repeatedly the concept that makes f smallest; returns the one of smallest f on the way, and f. `ofChild` and
 * `ofParent` list for every concept the choices in which it is the child, or a parent.
 */
function growCluster(
  start: readonly number[],
  ofChild: readonly (readonly Choice[])[],
  ofParent: readonly (readonly Choice[])[]
) {
  const cluster = new Set<number>()
  let value = 0
  /** Returns the change of f when a concept is added. */
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
    if (value < best.value - TINY_SHARE) best = {concepts: [...cluster], value}
  }
  return {...best, concepts: best.concepts.sort((a, b) => a - b)}
}

/** Lists the edges with a fractional share in the relaxed solution, nearest to 1/2 first. */
function undecidedEdges(choices: readonly Choice[]): readonly Edge[] {
  const edges = new Map<string, {readonly edge: Edge; readonly share: number}>()
  for (const {child, parents, share} of choices)
    for (const parent of parents) {
      const key = `${parent},${child}`
      edges.set(key, {edge: [parent, child], share: share + (edges.get(key)?.share ?? 0)})
    }
  return [...edges.values()]
    .filter(({share}) => share < 1 - TINY_SHARE)
    .sort((a, b) => Math.abs(a.share - 0.5) - Math.abs(b.share - 0.5))
    .map(({edge}) => edge)
}

/**
 * Orders the concepts: next comes the one with the largest share of families within the order so far. If the choices
 * form a graph, the order is a topological order of it.
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
