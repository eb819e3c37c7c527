import {withDefaults} from '../../base/checks/index.ts'
import type {LinearProgram, LinearRow, LinearSolver} from '../../base/linear/index.ts'
import {type Parents, topologicalOrder} from '../../base/network/index.ts'
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

/** A search for clusters takes about as long as this many simplex steps (0.5 s for 7,190 families of 50 concepts). */
const STEPS_PER_ROUND = 500

/**
 * HiGHS solves the program with whole columns only where the relaxed one took at most this share of the work. It looks at its steps
 * rarely: on a generated problem of 30 concepts the time between two looks was up to three times that of the relaxed program.
 */
const RELAXED_SHARE = 1 / 3

/** Cluster rows per round; more of them slow the simplex method down without a better bound. */
const ROWS_PER_ROUND = 60

/** Larger clusters are seldom violated, and their rows are dense. */
const LARGEST_CLUSTER = 12

/** By how much a cluster row must be violated, well above the tolerance 1e-7 of the solver. */
const VIOLATION = 1e-4

/** Shares of a family below this are rounding errors of the solver. */
const TINY_SHARE = 1e-7

/** A difference of costs, in the unit of the scores, that is negligible beside the tolerances of the solver. */
const COST_ROUNDING = 1e-6

/**
 * Finds the best acyclic graph by an integer program: x[n] = 1 if family n is chosen, one family per concept. Any number of
 * concepts; the time depends on the scores.
 *
 * First the relaxed program is solved again and again with violated cluster rows added (Jaakkola, Sontag, Globerson and
 * Meila, 2010): in an acyclic graph every set C of concepts has a member whose parents all lie outside C, so
 *
 *     f(C) = sum of x[n] over families n of concepts in C with no parent in C  >=  1.
 *
 * Each relaxed point also gives an order to climb from. A family whose reduced cost exceeds the distance from the bound to
 * the best known graph is in no better graph and is dropped. Then HiGHS solves the program with whole x. There places p of
 * the concepts exclude all cycles: p_parent + 1 <= p_child for every edge, written p_j - p_k + m x(j -> k) <= m - 1.
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
  let bound = best.bound
  let steps = 0
  let work = 0

  /** Keeps a better graph, found by climbing from the order that x suggests. */
  const climbFrom = (columns: readonly Column[], x: Float64Array) => {
    const {families} = climbOrder(scores, suggestedOrder(scores.length, columns, x), stop)
    if (families === undefined) return
    const found = graphSearch(families, bound, {status: 'heuristic', method: 'greedy', steps})
    if (found.score > best.score) best = found
  }
  const isProven = () => bound <= best.score + COST_ROUNDING
  const isOver = () => work >= workLimit || stop()
  /** Solves within what is left of the work. */
  const solve = (program: LinearProgram, columnCount: number, start?: Float64Array) => {
    const stepLimit = Math.ceil((workLimit - work) / columnCount)
    const result = program.solve({stop, stepLimit, ...(start && {start})})
    steps += result.iterations
    work += result.iterations * columnCount
    return result
  }
  const finish = (): GraphSearch => {
    const status = isProven() ? 'optimal' : 'stopped'
    const proven = status === 'optimal' ? best.score : bound
    const {parents, score} = best
    return {parents, score, bound: proven, gap: proven - score, status, method: 'integer-program', steps}
  }

  /** Adds cluster rows to the relaxed program until none is found; returns them and the columns that remain. */
  const relax = (columns: readonly Column[]) => {
    const rows: LinearRow[] = []
    const program = openProgram(solver, columns, scores.length, [])
    try {
      for (;;) {
        const {status, objective, x, duals} = solve(program, columns.length)
        if (status !== 'optimal') return {rows, columns}
        bound = Math.min(bound, loose - objective)
        climbFrom(columns, x)
        work += STEPS_PER_ROUND * columns.length
        onProgress({gap: Math.max(0, bound - best.score), steps})
        const found = violatedClusters(columns, x).map(cluster => clusterRow(columns, cluster))
        if (found.length === 0 || isProven() || isOver()) {
          const slack = bound - best.score + COST_ROUNDING
          const kept = columns.map((_, n) => duals.columns[n] <= slack)
          return {rows: rows.map(row => withoutColumns(row, kept)), columns: columns.filter((_, n) => kept[n])}
        }
        rows.push(...found)
        program.addRows(found)
      }
    } finally {
      program.dispose()
    }
  }

  /** Solves the program with whole columns, from the best known graph. */
  const solveWhole = (columns: readonly Column[], rows: readonly LinearRow[]) => {
    const program = openProgram(solver, columns, scores.length, [...rows, ...placeRows(columns, scores.length)])
    try {
      const result = solve(program, columns.length, pointOf(columns, best.parents))
      if (result.x.length > 0) climbFrom(columns, result.x)
      // Without a point no choice of the remaining families is better than the best known graph. An optimal point is a graph,
      // whose cost is summed anew: that of the solver has the errors of its tolerances.
      const chosen = columns.reduce((sum, {cost}, n) => (result.x[n] > 0.5 ? sum + cost : sum), 0)
      if (result.status === 'infeasible') bound = best.score
      else bound = Math.min(bound, loose - (result.status === 'optimal' ? chosen : result.bound))
    } finally {
      program.dispose()
    }
  }

  if (isProven()) return finish()
  const {columns, rows} = relax(usefulColumns(scores, best.gap))
  if (!isProven() && work <= RELAXED_SHARE * workLimit && !stop()) solveWhole(columns, rows)
  return finish()
}

/** A family as a column of the program. */
interface Column {
  readonly child: number
  readonly parents: readonly number[]
  /** The score of the concept's best family minus the score of this one. A graph costs the loose bound minus its score. */
  readonly cost: number
}

/** The families of a graph that costs at most `most`: costs are at least 0, so one that alone costs more is in none. */
function usefulColumns(scores: FamilyScores, most: number): Column[] {
  return scores.flatMap((families, child) =>
    families
      .map(({parents, score}) => ({child, parents, cost: families[0].score - score}))
      .filter(({cost}) => cost <= most + COST_ROUNDING)
  )
}

/**
 * Opens the program in which every concept has one family. With further rows that mention places, column
 * `columns.length + i` is the place of concept i, and the families are whole.
 */
function openProgram(solver: LinearSolver, columns: readonly Column[], m: number, rows: readonly LinearRow[]) {
  const isWhole = rows.length > 0
  const places = isWhole ? m : 0
  const program = solver.open({
    costs: [...columns.map(({cost}) => cost), ...Array(places).fill(0)],
    lower: Array(columns.length + places).fill(0),
    upper: [...columns.map(() => 1), ...Array(places).fill(m - 1)],
    integer: isWhole ? [...columns.keys()] : []
  })
  const families = Array.from({length: m}, (_, i) => [...columns.keys()].filter(n => columns[n].child === i))
  program.addRows(families.map(indices => ({indices, values: indices.map(() => 1), lower: 1, upper: 1})))
  program.addRows(rows)
  return program
}

/** p_j - p_k + m x(j -> k) <= m - 1 for every edge j -> k of some family; the sum over a cycle would be a contradiction. */
function placeRows(columns: readonly Column[], m: number): LinearRow[] {
  const families = new Map<number, number[]>()
  for (const [n, {child, parents}] of columns.entries())
    for (const parent of parents) {
      const edge = parent * m + child
      families.set(edge, [...(families.get(edge) ?? []), n])
    }
  return [...families].map(([edge, list]) => ({
    indices: [columns.length + Math.floor(edge / m), columns.length + (edge % m), ...list],
    values: [1, -1, ...list.map(() => m)],
    lower: Number.NEGATIVE_INFINITY,
    upper: m - 1
  }))
}

/** The point of a graph: its families and the length of the longest path to each concept; undefined if one is not a column. */
function pointOf(columns: readonly Column[], parents: Parents): Float64Array | undefined {
  const point = new Float64Array(columns.length + parents.length)
  for (const [child, list] of parents.entries()) {
    const n = columns.findIndex(column => column.child === child && column.parents.join() === list.join())
    if (n < 0) return undefined
    point[n] = 1
  }
  for (const child of topologicalOrder(parents) ?? [])
    for (const parent of parents[child])
      point[columns.length + child] = Math.max(point[columns.length + child], point[columns.length + parent] + 1)
  return point
}

/**
 * The row f(C) >= 1 of a cluster. Each concept has exactly one family, so it can also be written over the other families;
 * the shorter form is used.
 */
function clusterRow(columns: readonly Column[], cluster: ReadonlySet<number>): LinearRow {
  const outer: number[] = []
  const inner: number[] = []
  for (const [n, {child, parents}] of columns.entries())
    if (cluster.has(child)) (parents.some(parent => cluster.has(parent)) ? inner : outer).push(n)
  return inner.length < outer.length
    ? {indices: inner, values: inner.map(() => 1), lower: Number.NEGATIVE_INFINITY, upper: cluster.size - 1}
    : {indices: outer, values: outer.map(() => 1), lower: 1, upper: Number.POSITIVE_INFINITY}
}

/** A cluster row over the columns that are kept, with their new numbers; all its values are 1. */
function withoutColumns({indices, lower, upper}: LinearRow, kept: readonly boolean[]): LinearRow {
  let count = 0
  const places = kept.map(isKept => (isKept ? count++ : -1))
  const left = Array.from(indices)
    .filter(n => kept[n])
    .map(n => places[n])
  return {indices: left, values: left.map(() => 1), lower, upper}
}

/** A column with a positive share of a relaxed point. */
interface Choice extends Column {
  readonly share: number
}

/**
 * Finds violated clusters, the most violated first, by growing one from every pair that x joins: the concept is added that
 * makes f smallest. May miss some.
 */
function violatedClusters(columns: readonly Column[], x: Float64Array): ReadonlySet<number>[] {
  const choices = columns.flatMap((column, n) => (x[n] > TINY_SHARE ? [{...column, share: x[n]}] : []))
  const found = new Map<string, {readonly cluster: ReadonlySet<number>; readonly value: number}>()
  for (const pair of new Set(choices.flatMap(({child, parents}) => parents.map(parent => `${child},${parent}`)))) {
    const grown = growCluster(choices, pair.split(',').map(Number))
    if (grown.value < 1 - VIOLATION) found.set([...grown.cluster].sort((a, b) => a - b).join(), grown)
  }
  if (found.size === 0) return cyclesOf(choices)
  return [...found.values()]
    .sort((a, b) => a.value - b.value)
    .slice(0, ROWS_PER_ROUND)
    .map(({cluster}) => cluster)
}

/** A shortest cycle through every concept, if it is on one, over the families of which x chooses more than half. */
function cyclesOf(choices: readonly Choice[]): ReadonlySet<number>[] {
  const above = new Map(choices.filter(({share}) => share > 0.5).map(({child, parents}) => [child, parents]))
  const cycles = new Map<string, ReadonlySet<number>>()
  for (const start of above.keys()) {
    // Breadth first, so the first path that returns is a shortest one.
    const paths = new Map([[start, [start]]])
    for (const [at, path] of paths)
      for (const parent of above.get(at) ?? []) {
        if (parent === start && !cycles.has(start.toString())) cycles.set(start.toString(), new Set(path))
        if (!paths.has(parent)) paths.set(parent, [...path, parent])
      }
  }
  return [...new Map([...cycles.values()].map(cycle => [[...cycle].sort((a, b) => a - b).join(), cycle])).values()]
}

/** The cluster of smallest f on the way from a pair to the largest cluster. */
function growCluster(choices: readonly Choice[], pair: readonly number[]) {
  const cluster = new Set(pair)
  let value = outerShare(choices, cluster)
  let best = {cluster: new Set(cluster), value}
  while (cluster.size < LARGEST_CLUSTER) {
    const outer = choices.filter(choice => isOuter(choice, cluster))
    let next = -1
    value = Number.POSITIVE_INFINITY
    for (const candidate of new Set(outer.flatMap(({parents}) => parents))) {
      cluster.add(candidate)
      const after = outerShare(choices, cluster)
      cluster.delete(candidate)
      if (after >= value) continue
      value = after
      next = candidate
    }
    if (next < 0) break
    cluster.add(next)
    if (value < best.value - TINY_SHARE) best = {cluster: new Set(cluster), value}
  }
  return best
}

/** f(C). */
function outerShare(choices: readonly Choice[], cluster: ReadonlySet<number>): number {
  let sum = 0
  for (const choice of choices) if (isOuter(choice, cluster)) sum += choice.share
  return sum
}

function isOuter({child, parents}: Column, cluster: ReadonlySet<number>): boolean {
  return cluster.has(child) && !parents.some(parent => cluster.has(parent))
}

/** Repeatedly the concept for which x puts most weight on families within the order so far; the first of equals. */
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
