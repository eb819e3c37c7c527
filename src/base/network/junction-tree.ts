import {AdfaError} from '../checks/index.ts'
import {log} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {type Parents, topologicalOrder} from './graph.ts'

/** A pass over more cells takes longer than half a second, and the tables more than half a gigabyte. */
const CELL_LIMIT = 2 ** 24
/** A table is scaled when its largest cell leaves this range, so that products of tables neither underflow nor overflow. */
const [SMALLEST, LARGEST] = [2 ** -100, 2 ** 100]

/**
 * P(Y) prepared for many exact sums. Weights are finite and at least 0, two per variable: weights[2*i + y] is for Y_i = y.
 * Each call overwrites the working tables of the previous one, so a tree serves one caller at a time.
 */
export interface JunctionTree {
  readonly conceptCount: number
  /** log of the sum over y of P(y) prod_i weights[2*i + y_i]; -Infinity when every term is 0. */
  logTotal(weights: Float64Array): number
  /**
   * Returns the same, and sets marginals[i] to the share of the sum that has y_i = 1; all are NaN when the sum is 0.
   * Cost: about three times that of `logTotal`.
   */
  propagate(weights: Float64Array, marginals: Float64Array): number
  /**
   * The joint table, under the last `propagate`, of distinct variables that share a table of the tree, such as a variable
   * and its parents; the first is the most significant bit.
   */
  table(variables: readonly number[]): Float64Array
}

export interface JunctionTreeOptions {
  /** Variables that must share a table. */
  readonly together?: readonly number[]
  /** The most cells that one pass may visit; 2^24 by default. */
  readonly cellLimit?: number
}

/**
 * Builds the junction tree of a network along its min-fill elimination order, one table per variable; undefined when a pass
 * would visit more cells than the limit.
 *
 * Method: on the way up, each table times its weights is summed over its own variable and multiplied into its parent. On
 * the way down, P(Y_i | separator), the normalised result of the way up, is multiplied by the parent's P(separator): no
 * message is divided by another, so zeros are safe. Cells below 1e-200 of the largest in their table may be lost.
 */
export function junctionTree(
  network: BayesNetwork,
  {together = [], cellLimit = CELL_LIMIT}: JunctionTreeOptions = {}
): JunctionTree | undefined {
  const scopes = eliminationScopes(network.parents, together, cellLimit)
  if (scopes === undefined) return undefined
  const m = scopes.length
  const {tables, rank} = buildTables(network, scopes)
  const message = new Float64Array(tables.reduce((most, {prior}) => Math.max(most, prior.length / 2), 1))

  function logTotal(weights: Float64Array): number {
    if (weights.length !== 2 * m) throw refusal(`${weights.length} weights for ${m} variables; give two for each`)
    return passUp(tables, weights, message)
  }

  return {
    conceptCount: m,
    logTotal,
    propagate(weights, marginals) {
      const total = logTotal(weights)
      if (Number.isFinite(total)) passDown(tables, message, marginals)
      else marginals.fill(Number.NaN)
      return total
    },
    table(variables) {
      const result = new Float64Array(2 ** variables.length)
      if (variables.length === 0) return result.fill(1)
      const {scope, beliefs} = tables[Math.min(...variables.map(i => rank[i]))]
      if (!variables.every(i => scope.includes(i)))
        throw refusal(`variables ${variables.join(', ')} do not share a table`)
      for (const [cell, at] of cellMap(scope, variables.toReversed()).entries()) result[at] += beliefs[cell]
      return result
    }
  }
}

function refusal(fault: string): AdfaError {
  return new AdfaError('mismatch', `junctionTree: ${fault}`)
}

/**
 * Eliminates the variables in min-fill order: next is always the one whose neighbours need the fewest new edges to become a
 * clique, among equals the one with fewer neighbours, then the lower number. The order is not proven best, since finding the
 * least width is NP-hard. Variables are neighbours when they share a family (the moral graph) or are both in `together`.
 * Returns, for each variable in this order, its scope: the variable, then its neighbours at that time in the order in which
 * they are eliminated. A family is part of the scope of its first variable. Undefined where a pass visits too many cells.
 */
function eliminationScopes(
  parents: Parents,
  together: readonly number[],
  cellLimit: number
): readonly (readonly number[])[] | undefined {
  if (topologicalOrder(parents) === undefined)
    throw new AdfaError('bad-model', 'the network has a cycle; remove one of its edges')
  const graph = {neighbours: parents.map(() => new Set<number>()), fill: new Float64Array(parents.length)}
  for (const group of [...parents.map((list, child) => [child, ...list]), together]) connect(graph, group)
  const left = new Set(parents.keys())
  const rank = new Int32Array(parents.length)
  const scopes: number[][] = []
  let cells = 0
  while (left.size > 0) {
    const next = cheapest(graph, left)
    const separator = [...graph.neighbours[next]]
    cells += 2 ** (separator.length + 1)
    if (cells > cellLimit) return undefined
    connect(graph, separator)
    detach(graph, next)
    left.delete(next)
    rank[next] = scopes.push([next, ...separator]) - 1
  }
  for (const [b, scope] of scopes.entries()) {
    scope.sort((i, k) => rank[i] - rank[k])
    // The message of a table visits all cells of its parent.
    if (scope.length > 1) cells += 2 ** scopes[rank[scopes[b][1]]].length
  }
  return cells > cellLimit ? undefined : scopes
}

interface FillGraph {
  readonly neighbours: readonly Set<number>[]
  /** How many pairs of each variable's neighbours are not neighbours of each other. */
  readonly fill: Float64Array
}

/** Makes a clique of `group`. */
function connect({neighbours, fill}: FillGraph, group: readonly number[]): void {
  for (const i of group)
    for (const k of group) {
      if (i === k || neighbours[i].has(k)) continue
      for (const c of neighbours[i]) {
        if (neighbours[k].has(c)) fill[c]--
        else fill[i]++
      }
      for (const c of neighbours[k]) if (!neighbours[i].has(c)) fill[k]++
      neighbours[i].add(k)
      neighbours[k].add(i)
    }
}

/** Removes i from the lists of its neighbours. */
function detach({neighbours, fill}: FillGraph, i: number): void {
  for (const k of neighbours[i]) {
    neighbours[k].delete(i)
    for (const c of neighbours[k]) if (!neighbours[i].has(c)) fill[k]--
  }
}

function cheapest({neighbours, fill}: FillGraph, left: ReadonlySet<number>): number {
  let best = -1
  for (const i of left)
    if (best < 0 || fill[i] < fill[best] || (fill[i] === fill[best] && neighbours[i].size < neighbours[best].size))
      best = i
  return best
}

/** The table in which one variable is summed out. Cell 2*s + y has y for this variable and s for the state of its separator. */
interface CliqueTable {
  /** The variable and its separator, the first the least significant bit of a cell. */
  readonly scope: readonly number[]
  /** The product of the families P(Y_k | parents) that belong to this table. */
  readonly prior: Float64Array
  /** The table after the way up: weighted, with everything below it summed out. */
  readonly weighted: Float64Array
  /** The joint distribution of the scope after the way down. */
  readonly beliefs: Float64Array
  /** The table of the separator's first variable, which receives the message; undefined where the separator is empty. */
  readonly parent: CliqueTable | undefined
  /** The cell of the message, a state of the separator, for each cell of the parent. */
  readonly map: Int32Array
}

function buildTables({parents, cpt}: BayesNetwork, scopes: readonly (readonly number[])[]) {
  const rank = new Int32Array(scopes.length)
  for (const [b, [variable]] of scopes.entries()) rank[variable] = b
  const tables = new Array<CliqueTable>(scopes.length)
  // Parents are eliminated later, so they are built first.
  for (let b = scopes.length - 1; b >= 0; b--) {
    const [, ...separator] = scopes[b]
    const size = 2 ** scopes[b].length
    const parent = separator.length === 0 ? undefined : tables[rank[separator[0]]]
    tables[b] = {
      scope: scopes[b],
      prior: new Float64Array(size).fill(1),
      weighted: new Float64Array(size),
      beliefs: new Float64Array(size),
      parent,
      map: parent === undefined ? new Int32Array(0) : cellMap(parent.scope, separator)
    }
  }
  for (const [child, list] of parents.entries()) {
    // The first parent is the most significant bit, as in `cpt`; the child is the least.
    const family = [child, ...list.toReversed()]
    const {scope, prior} = tables[Math.min(...family.map(i => rank[i]))]
    for (const [cell, at] of cellMap(scope, family).entries()) {
      const p = cpt[child][at >> 1]
      prior[cell] *= at & 1 ? p : 1 - p
    }
  }
  return {tables, rank}
}

/** Returns the cell of a table over `kept` for each cell of one over `scope`; the first variable is the least significant bit. */
function cellMap(scope: readonly number[], kept: readonly number[]): Int32Array {
  const map = new Int32Array(2 ** scope.length)
  for (const [bit, i] of scope.entries()) {
    const at = kept.indexOf(i)
    const step = at < 0 ? 0 : 2 ** at
    for (let cell = 0; cell < 2 ** bit; cell++) map[2 ** bit + cell] = map[cell] + step
  }
  return map
}

/** Weights and sums out all variables; returns the log of the sum, which is not finite for weights that are not. */
function passUp(tables: readonly CliqueTable[], weights: Float64Array, message: Float64Array): number {
  for (const {weighted, prior} of tables) weighted.set(prior)
  let logTotal = 0
  for (const table of tables) {
    const i = table.scope[0]
    const larger = Math.max(weights[2 * i], weights[2 * i + 1])
    if (!(larger > 0 && larger < Number.POSITIVE_INFINITY)) return log(larger)
    const factor = sumOut(table, weights[2 * i] / larger, weights[2 * i + 1] / larger, message)
    if (!(factor > 0)) return log(factor)
    if (larger !== 1) logTotal += log(larger)
    if (factor !== 1) logTotal += log(factor)
  }
  return logTotal
}

/** Weights a table and multiplies its message into the parent. Returns the factor taken out of the sum, usually 1. */
function sumOut({weighted, parent, map}: CliqueTable, w0: number, w1: number, message: Float64Array): number {
  for (let cell = 0; cell < weighted.length; cell += 2) {
    const zero = weighted[cell] * w0
    const one = weighted[cell + 1] * w1
    weighted[cell] = zero
    weighted[cell + 1] = one
    message[cell >> 1] = zero + one
  }
  if (parent === undefined) return message[0]
  const above = parent.weighted
  let largest = 0
  for (let cell = 0; cell < above.length; cell++) {
    const product = above[cell] * message[map[cell]]
    above[cell] = product
    if (product > largest) largest = product
  }
  if (largest > SMALLEST && largest < LARGEST) return 1
  for (let cell = 0; cell < above.length; cell++) above[cell] /= largest
  return largest
}

/** Computes the beliefs of every table and P(Y_i = 1) of every variable, after a way up with a positive sum. */
function passDown(tables: readonly CliqueTable[], message: Float64Array, marginals: Float64Array): void {
  for (let b = tables.length - 1; b >= 0; b--) {
    const {scope, weighted, beliefs, parent, map} = tables[b]
    // The message down is P(separator).
    message.fill(parent === undefined ? 1 : 0, 0, weighted.length / 2)
    if (parent !== undefined) for (let cell = 0; cell < map.length; cell++) message[map[cell]] += parent.beliefs[cell]
    let absent = 0
    let present = 0
    for (let cell = 0; cell < weighted.length; cell += 2) {
      const sum = weighted[cell] + weighted[cell + 1]
      // A ratio of at most 1 times the share does not overflow. A state of probability 0 has no share.
      const zero = sum === 0 ? 0 : (weighted[cell] / sum) * message[cell >> 1]
      const one = sum === 0 ? 0 : (weighted[cell + 1] / sum) * message[cell >> 1]
      beliefs[cell] = zero
      beliefs[cell + 1] = one
      absent += zero
      present += one
    }
    marginals[scope[0]] = present / (absent + present)
  }
}
