import {withDefaults} from '../../base/checks/index.ts'
import type {LinearProgram, LinearRow, LinearSolver} from '../../base/linear/index.ts'
import {findCycle} from '../../base/network/index.ts'
import type {Rng} from '../../base/numeric/index.ts'
import type {FamilyScores} from './bic.ts'
import {type GraphProgress, type GraphSearch, graphSearch, looseBound} from './search-exact.ts'
import {climbOrder, greedyDefaults, searchGreedy} from './search-greedy.ts'

export interface IntegerOptions {
  /** Climbs of the hill climbing that finds the first graph. */
  readonly restarts: number
  /** The most work, in simplex steps times families; like `stop`, but the same on every machine. */
  readonly workLimit: number
  /** Called often; true ends the search with the best graph and the bound so far. */
  readonly stop: () => boolean
  readonly onProgress: (progress: GraphProgress) => void
}

export const integerDefaults: IntegerOptions = {
  restarts: greedyDefaults.restarts,
  workLimit: Number.POSITIVE_INFINITY,
  stop: () => false,
  onProgress: () => {}
}

/** A search for clusters takes about as long as this many simplex steps. */
const STEPS_PER_ROUND = 20

/** Cluster rows per round; more of them slow the simplex method down without a better bound. */
const ROWS_PER_ROUND = 60

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
  random: Rng,
  options: Partial<IntegerOptions> = {}
): GraphSearch {
  const {restarts, workLimit, stop, onProgress} = withDefaults('searchInteger', integerDefaults, options)
  const loose = looseBound(scores)
  let best = searchGreedy(scores, random, {restarts, stop})
  let steps = 0
  let work = 0
  const columns = usefulColumns(scores, best.gap)
  const program = openProgram(solver, columns, scores.length)
  const nodes: Node[] = [{upper: new Uint8Array(columns.length).fill(1), bound: 0}]
  const isHopeless = (bound: number) => bound >= loose - best.score - COST_ROUNDING
  const isOver = () => work >= workLimit || stop()

  const solve = (upper: Uint8Array) => {
    program.setUpper(upper)
    const result = program.solve({stop, stepLimit: Math.ceil((workLimit - work) / columns.length)})
    steps += result.iterations
    work += result.iterations * columns.length
    return result
  }

  /** Adds violated cluster rows until none is found; returns the node with its better bound, and its point unless the work is over. */
  const cut = ({upper, bound}: Node): {readonly node: Node; readonly x?: Float64Array} => {
    for (;;) {
      const {status, objective, x, duals} = solve(upper)
      if (status === 'infeasible') return {node: {upper, bound: Number.POSITIVE_INFINITY}}
      if (status !== 'optimal') return {node: {upper, bound}}
      bound = Math.max(bound, objective)
      climbFrom(x)
      work += STEPS_PER_ROUND * columns.length
      const slack = loose - best.score - objective + COST_ROUNDING
      upper = upper.map((on, n) => (duals.columns[n] > slack ? 0 : on))
      if (isHopeless(bound) || isOver()) return {node: {upper, bound}}
      const clusters = violatedClusters(columns, x, scores.length)
      if (clusters.length === 0) return {node: {upper, bound}, x}
      program.addRows(clusters.map(cluster => clusterRow(columns, cluster)))
    }
  }

  /** Keeps a better graph, found by climbing from the order that x suggests. */
  const climbFrom = (x: Float64Array) => {
    const {families} = climbOrder(scores, suggestedOrder(scores.length, columns, x), stop)
    if (families === undefined) return
    const found = graphSearch(families, best.bound, {status: 'heuristic', method: 'greedy', steps})
    if (found.score > best.score) best = found
  }

  /** Divides a node by the one of the most undecided edges that raises the bounds of both halves most. */
  const branch = (node: Node, x: Float64Array): readonly Node[] => {
    let best: readonly Node[] = []
    let most = Number.NEGATIVE_INFINITY
    for (const edge of undecidedEdges(columns, x).slice(0, TRIED_EDGES)) {
      const halves = divide(columns, node, edge).flatMap(({upper}) => {
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
      if (next === undefined || isHopeless(next.bound)) return finish(loose - best.score)
      onProgress({gap: loose - next.bound - best.score, steps})
      const {node, x} = cut(next)
      if (isHopeless(node.bound)) continue
      if (x === undefined) return finish(Math.min(node.bound, nodes.at(-1)?.bound ?? node.bound))
      nodes.push(...branch(node, x))
      nodes.sort((a, b) => b.bound - a.bound)
    }
  } finally {
    program.dispose()
  }

  function finish(cost: number): GraphSearch {
    const {parents, score} = best
    const status = isHopeless(cost) ? 'optimal' : 'stopped'
    const bound = status === 'optimal' ? score : loose - cost
    return {parents, score, bound, gap: bound - score, status, method: 'integer-program', steps}
  }
}

/** Lists the families of graphs that cost at most `most`: costs are at least 0, so a family that alone costs more is in none. */
function usefulColumns(scores: FamilyScores, most: number): Column[] {
  return scores.flatMap((families, child) =>
    families
      .map(({parents, score}) => ({child, parents, cost: families[0].score - score}))
      .filter(({cost}) => cost <= most + COST_ROUNDING)
  )
}

/** Opens the relaxed program in which every concept has one family. */
function openProgram(solver: LinearSolver, columns: readonly Column[], m: number): LinearProgram {
  const program = solver.open({
    costs: columns.map(({cost}) => cost),
    lower: columns.map(() => 0),
    upper: columns.map(() => 1)
  })
  const families = Array.from({length: m}, (_, i) => [...columns.keys()].filter(n => columns[n].child === i))
  program.addRows(families.map(indices => ({indices, values: indices.map(() => 1), lower: 1, upper: 1})))
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
}

function isIntegral(x: Float64Array): boolean {
  return x.every(share => share < TINY_SHARE || share > 1 - TINY_SHARE)
}

/**
 * Finds violated clusters, the most violated first, by growing one from every edge of which x has a share; may miss some,
 * but none of an integral point that has a cycle.
 */
function violatedClusters(columns: readonly Column[], x: Float64Array, m: number): readonly (readonly number[])[] {
  const choices = columns.flatMap((column, n) => (x[n] > TINY_SHARE ? [{...column, share: x[n]}] : []))
  const ofChild = Array.from({length: m}, (_, i) => [...choices.keys()].filter(n => choices[n].child === i))
  const ofParent = Array.from({length: m}, (_, i) => [...choices.keys()].filter(n => choices[n].parents.includes(i)))
  const found = new Map<string, {readonly cluster: readonly number[]; readonly value: number}>()
  for (const child of ofChild.keys())
    for (const parent of new Set(ofChild[child].flatMap(n => choices[n].parents))) {
      const grown = growCluster({choices, ofChild, ofParent}, child, parent)
      if (grown.value < 1 - VIOLATION) found.set(grown.cluster.join(), grown)
    }
  if (found.size > 0)
    return [...found.values()]
      .sort((a, b) => a.value - b.value)
      .slice(0, ROWS_PER_ROUND)
      .map(({cluster}) => cluster)
  const cycle = isIntegral(x) ? findCycle(ofChild.map(([n]) => choices[n].parents)) : undefined
  return cycle === undefined ? [] : [cycle]
}

/** The choices of a point, and for every concept the numbers of those in which it is the child or a parent. */
interface Support {
  readonly choices: readonly Choice[]
  readonly ofChild: readonly (readonly number[])[]
  readonly ofParent: readonly (readonly number[])[]
}

/** Adds to an edge repeatedly the concept that makes f smallest; returns the cluster of smallest f on the way. */
function growCluster({choices, ofChild, ofParent}: Support, child: number, parent: number) {
  const cluster = new Set<number>()
  /** By choice, how many of its parents lie inside. */
  const inner = new Uint8Array(choices.length)
  let value = 0
  /** The change of f when a concept is added. */
  const change = (concept: number) => {
    let sum = 0
    for (const n of ofChild[concept]) if (inner[n] === 0) sum += choices[n].share
    for (const n of ofParent[concept]) if (inner[n] === 0 && cluster.has(choices[n].child)) sum -= choices[n].share
    return sum
  }
  const add = (concept: number) => {
    value += change(concept)
    cluster.add(concept)
    for (const n of ofParent[concept]) inner[n]++
  }
  add(child)
  add(parent)
  let best = {cluster: [...cluster], value}
  while (cluster.size < Math.min(LARGEST_CLUSTER, ofChild.length)) {
    let next = -1
    let least = Number.POSITIVE_INFINITY
    for (const concept of ofChild.keys()) {
      if (cluster.has(concept)) continue
      const after = change(concept)
      if (after >= least) continue
      least = after
      next = concept
    }
    add(next)
    if (value < best.value - TINY_SHARE) best = {cluster: [...cluster], value}
  }
  return {cluster: best.cluster.sort((a, b) => a - b), value: best.value}
}

/** The share of an edge: the sum of x over the families that have it. */
interface EdgeShare {
  readonly parent: number
  readonly child: number
  share: number
}

/** Lists the edges that x chooses in part, the most undecided first; none where x is a graph. */
function undecidedEdges(columns: readonly Column[], x: Float64Array): readonly EdgeShare[] {
  const edges = new Map<string, EdgeShare>()
  for (const [n, {child, parents}] of columns.entries())
    for (const parent of x[n] > 0 ? parents : []) {
      const edge = edges.get(`${parent},${child}`) ?? {parent, child, share: 0}
      edge.share += x[n]
      edges.set(`${parent},${child}`, edge)
    }
  return [...edges.values()]
    .filter(({share}) => share > TINY_SHARE && share < 1 - TINY_SHARE)
    .sort((a, b) => Math.abs(a.share - 0.5) - Math.abs(b.share - 0.5))
}

/** Divides a node into the graphs with an edge and the graphs without it. */
function divide(columns: readonly Column[], {upper, bound}: Node, {parent, child}: EdgeShare): readonly Node[] {
  return [true, false].map(isPresent => ({
    upper: upper.map((on, n) =>
      columns[n].child === child && columns[n].parents.includes(parent) !== isPresent ? 0 : on
    ),
    bound
  }))
}

/** Orders the concepts: next comes always the one for which x puts most weight on families within the order so far. */
function suggestedOrder(m: number, columns: readonly Column[], x: Float64Array): number[] {
  const choices = columns.flatMap((column, n) => (x[n] > 0 ? [{...column, share: x[n]}] : []))
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
