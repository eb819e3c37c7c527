import {AdfaError} from '../checks/index.ts'
import {log} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {type Parents, topologicalOrder} from './graph.ts'

/** The default of `cellLimit`: a pass over this many cells takes about half a second, and the tables take half a gigabyte. */
const CELL_LIMIT = 2 ** 24
/** A table is rescaled when its largest cell leaves this range, so that products of tables neither underflow nor overflow. */
const [SMALLEST, LARGEST] = [2 ** -100, 2 ** 100]

/**
 * A junction tree computes exact sums over P(Y). Weights are finite and at least 0, two per variable: weights[2*i + y] belongs to
 * Y_i = y. Each call overwrites the tables of the previous one, so a tree serves one caller at a time.
 */
export interface JunctionTree {
  readonly conceptCount: number
  /** Returns the logarithm of the sum over y of P(y) prod_i weights[2*i + y_i]. */
  logTotal(weights: Float64Array): number
  /**
   * Returns `logTotal`, and sets marginals[i] to the share of the sum with y_i = 1; all are NaN when the sum is 0. It takes about
   * three times as long as `logTotal`.
   */
  propagate(weights: Float64Array, marginals: Float64Array): number
  /**
   * Returns the joint table of some variables under the weights of the last `propagate`; the first is the most significant bit.
   * They must share a table of the tree, as a variable and its parents do.
   */
  table(variables: readonly number[]): Float64Array
}

export interface JunctionTreeOptions {
  /** Further variables that must share a table of the tree, as the variables of a family do. */
  readonly together?: readonly number[]
  /** The largest number of cells that a pass may visit; 2^24 by default. */
  readonly cellLimit?: number
}

/**
 * Builds the junction tree of a network from a min-fill elimination order, with one table per variable. Returns undefined when a
 * pass would visit more cells than the limit.
 *
 * The upward pass multiplies each table by its weights, sums out its own variable and multiplies the result into its parent. The
 * downward pass multiplies P(Y_i | separator), the normalised result of the upward pass, by P(separator) of the parent. No message
 * is divided by another, so zeros are safe. Cells below 1e-200 of the largest in their table may be lost.
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
    if (weights.length !== 2 * m) throw mismatch(`${weights.length} weights for ${m} variables; give two for each`)
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
        throw mismatch(`variables ${variables.join(', ')} do not share a table`)
      for (const [cell, at] of cellMap(scope, variables.toReversed()).entries()) result[at] += beliefs[cell]
      return result
    }
  }
}

function mismatch(fault: string): AdfaError {
  return new AdfaError('mismatch', `junctionTree: ${fault}`)
}

/**
 * Eliminates the variables in min-fill order: the next one is always the one whose neighbours need the fewest new edges to become a
 * clique; ties are broken by fewer neighbours, then by the lower index. Variables are neighbours when they share a family (the
 * moral graph) or are both in `together`. Returns the scope of each variable in this order: the variable itself, then its
 * neighbours at that time, in the order of elimination. Returns undefined when a pass would visit too many cells.
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
  const remaining = new Set(parents.keys())
  const rank = new Int32Array(parents.length)
  const scopes: number[][] = []
  let cells = 0
  while (remaining.size > 0) {
    const next = leastFill(graph, remaining)
    const separator = [...graph.neighbours[next]]
    cells += 2 ** (separator.length + 1)
    if (cells > cellLimit) return undefined
    connect(graph, separator)
    detach(graph, next)
    remaining.delete(next)
    rank[next] = scopes.push([next, ...separator]) - 1
  }
  for (const [b, scope] of scopes.entries()) {
    scope.sort((i, k) => rank[i] - rank[k])
    // Multiplying a message into its parent visits all cells of the parent.
    if (scope.length > 1) cells += 2 ** scopes[rank[scopes[b][1]]].length
  }
  return cells > cellLimit ? undefined : scopes
}

interface FillGraph {
  readonly neighbours: readonly Set<number>[]
  /** For each variable, the number of pairs of its neighbours that are not neighbours of each other. */
  readonly fill: Float64Array
}

/** Joins all variables of `group` to each other, and keeps `fill` up to date. */
function connect({neighbours, fill}: FillGraph, group: readonly number[]): void {
  for (const i of group)
    for (const k of group) {
      if (i === k || neighbours[i].has(k)) continue
      // If c is a neighbour of both, the edge i - k joins a pair of its neighbours. If not, i has the new unjoined pair c, k.
      for (const c of neighbours[i]) {
        if (neighbours[k].has(c)) fill[c]--
        else fill[i]++
      }
      for (const c of neighbours[k]) if (!neighbours[i].has(c)) fill[k]++
      neighbours[i].add(k)
      neighbours[k].add(i)
    }
}

/** Removes i from the neighbours of all other variables, and the unjoined pairs with i from their `fill`. */
function detach({neighbours, fill}: FillGraph, i: number): void {
  for (const k of neighbours[i]) {
    neighbours[k].delete(i)
    for (const c of neighbours[k]) if (!neighbours[i].has(c)) fill[k]--
  }
}

function leastFill({neighbours, fill}: FillGraph, remaining: ReadonlySet<number>): number {
  let best = -1
  for (const i of remaining)
    if (best < 0 || fill[i] < fill[best] || (fill[i] === fill[best] && neighbours[i].size < neighbours[best].size))
      best = i
  return best
}

/** The table that sums out one variable. Cell 2*s + y belongs to the value y of this variable and the configuration s of its separator. */
interface CliqueTable {
  /** The variable, then its separator; the first is the least significant bit of a cell. */
  readonly scope: readonly number[]
  /** The product of the factors P(Y_k | parents) that belong to this table. */
  readonly prior: Float64Array
  /** The table after the upward pass: multiplied by the weights and by the messages of its children. */
  readonly weighted: Float64Array
  /** The joint distribution of the scope after the downward pass. */
  readonly beliefs: Float64Array
  /** The table of the separator's first variable, which receives the message; undefined if the separator is empty. */
  readonly parent: CliqueTable | undefined
  /** For each cell of the parent, the cell of the message: the configuration of the separator. */
  readonly messageCells: Int32Array
}

function buildTables({parents, cpt}: BayesNetwork, scopes: readonly (readonly number[])[]) {
  const rank = new Int32Array(scopes.length)
  for (const [b, [variable]] of scopes.entries()) rank[variable] = b
  const tables = new Array<CliqueTable>(scopes.length)
  // The parent of a table is eliminated later, so the tables are built from the last to the first.
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
      messageCells: parent === undefined ? new Int32Array(0) : cellMap(parent.scope, separator)
    }
  }
  for (const [child, list] of parents.entries()) {
    // The child is the lowest bit, the first parent the highest, as in `cpt`. The table is that of the variable eliminated first.
    const family = [child, ...list.toReversed()]
    const {scope, prior} = tables[Math.min(...family.map(i => rank[i]))]
    for (const [cell, at] of cellMap(scope, family).entries()) {
      const p = cpt[child][at >> 1]
      prior[cell] *= at & 1 ? p : 1 - p
    }
  }
  return {tables, rank}
}

/** Returns, for each cell of a table over `scope`, its cell in a table over `kept`; the first variable is the least significant bit. */
function cellMap(scope: readonly number[], kept: readonly number[]): Int32Array {
  const map = new Int32Array(2 ** scope.length)
  for (const [bit, i] of scope.entries()) {
    const at = kept.indexOf(i)
    const step = at < 0 ? 0 : 2 ** at
    for (let cell = 0; cell < 2 ** bit; cell++) map[2 ** bit + cell] = map[cell] + step
  }
  return map
}

/** Sums out all variables. Returns the logarithm of the sum, which is -Infinity for a sum of 0 and not finite for infinite weights. */
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

/** Weights a table and multiplies its message into the parent. Returns by what the parent was divided, or for a root its sum. */
function sumOut({weighted, parent, messageCells}: CliqueTable, w0: number, w1: number, message: Float64Array): number {
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
    const product = above[cell] * message[messageCells[cell]]
    above[cell] = product
    if (product > largest) largest = product
  }
  if (largest > SMALLEST && largest < LARGEST) return 1
  for (let cell = 0; cell < above.length; cell++) above[cell] /= largest
  return largest
}

/** Computes the beliefs of every table and P(Y_i = 1) of every variable, after an upward pass with a positive sum. */
function passDown(tables: readonly CliqueTable[], message: Float64Array, marginals: Float64Array): void {
  for (let b = tables.length - 1; b >= 0; b--) {
    const {scope, weighted, beliefs, parent, messageCells} = tables[b]
    // The message of the downward pass is P(separator).
    message.fill(parent === undefined ? 1 : 0, 0, weighted.length / 2)
    if (parent !== undefined)
      for (let cell = 0; cell < messageCells.length; cell++) message[messageCells[cell]] += parent.beliefs[cell]
    let absent = 0
    let present = 0
    for (let cell = 0; cell < weighted.length; cell += 2) {
      const sum = weighted[cell] + weighted[cell + 1]
      // Dividing by the sum first keeps the product at most 1. A configuration of the separator with probability 0 adds nothing.
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
