import {AdfaError} from '../../base/checks/index.ts'
import {type BayesNetwork, topologicalOrder} from '../../base/network/index.ts'
import {log, log1p} from '../../base/numeric/index.ts'
import type {Model} from '../model/index.ts'

/**
 * What every document needs of a model, computed once.
 *
 * Failures are kept word by word, only where they differ from 1: the edges of word j are `start[j] .. start[j + 1] - 1`,
 * edge e leads to concept `concept[e]` with weight `1 - f` and `log f`. The totals over all words make the words that do not
 * occur cheap: their share is the total less the words that do.
 */
export interface InferenceTables {
  readonly conceptCount: number
  readonly wordCount: number
  readonly start: Int32Array
  readonly concept: Int32Array
  readonly weight: Float64Array
  readonly logFailure: Float64Array
  /** Sum over all words of log f_ij, one a concept. */
  readonly logFailureTotal: Float64Array
  readonly leak: Float64Array
  /** log(1 - l_j), one a word. */
  readonly logNoLeak: Float64Array
  /** Sum over all words of log(1 - l_j). */
  readonly logNoLeakTotal: number
  /** log P(A_i | Y_i = 1) - log P(A_i | Y_i = 0), for A_i = 1 and for A_i = 0. */
  readonly anchorOn: Float64Array
  readonly anchorOff: Float64Array
  /** log P(A_i | Y_i = 0), for A_i = 1 and for A_i = 0. */
  readonly anchorOnBase: Float64Array
  readonly anchorOffBase: Float64Array
  readonly network: BayesNetwork
  /** Concepts, parents first. */
  readonly order: readonly number[]
  /** `children[i]`: the concepts that have i among their parents. */
  readonly children: readonly (readonly number[])[]
}

/** Read a model into {@link InferenceTables}; refuses one whose parts do not fit or whose numbers are out of range. */
export function buildTables(model: Model): InferenceTables {
  const {concepts, network, loadings} = model
  const m = concepts.length
  const n = loadings.wordCount
  const order = checkShapes(model)
  checkRates(concepts)
  const children: number[][] = concepts.map(() => [])
  network.parents.forEach((list, child) => {
    for (const parent of list) children[parent].push(child)
  })
  loadings.leak.forEach((l, j) => {
    if (!(l >= 0 && l < 1)) throw badModel(`the leak of word ${j} must lie in [0, 1); got ${l}`)
  })
  const logNoLeak = loadings.leak.map(l => log1p(-l))
  return {
    conceptCount: m,
    wordCount: n,
    ...edgesByWord(loadings.failure, m, n),
    leak: loadings.leak,
    logNoLeak,
    logNoLeakTotal: logNoLeak.reduce((sum, value) => sum + value, 0),
    anchorOn: Float64Array.from(concepts, ({truePositive: t, falsePositive: e}) => log(t / e)),
    anchorOff: Float64Array.from(concepts, ({truePositive: t, falsePositive: e}) => log((1 - t) / (1 - e))),
    anchorOnBase: Float64Array.from(concepts, ({falsePositive: e}) => log(e)),
    anchorOffBase: Float64Array.from(concepts, ({falsePositive: e}) => log1p(-e)),
    network,
    order,
    children
  }
}

/** Refuse rates that make an anchor certain. */
export function checkRates(concepts: Model['concepts']): void {
  for (const {name, truePositive, falsePositive} of concepts)
    for (const rate of [truePositive, falsePositive])
      if (!(rate > 0 && rate < 1))
        throw badModel(`the anchor rates of "${name}" must lie strictly between 0 and 1; got ${rate}`)
}

function edgesByWord(failure: Float64Array, m: number, n: number) {
  const start = new Int32Array(n + 1)
  for (let cell = 0; cell < m * n; cell++) {
    const f = failure[cell]
    if (!(f > 0 && f <= 1))
      throw badModel(`the failure of concept ${Math.floor(cell / n)}, word ${cell % n} must lie in (0, 1]; got ${f}`)
    if (f < 1) start[(cell % n) + 1]++
  }
  for (let j = 0; j < n; j++) start[j + 1] += start[j]
  const concept = new Int32Array(start[n])
  const weight = new Float64Array(start[n])
  const logFailure = new Float64Array(start[n])
  const logFailureTotal = new Float64Array(m)
  const next = start.slice()
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      const f = failure[i * n + j]
      if (f === 1) continue
      const e = next[j]++
      concept[e] = i
      weight[e] = 1 - f
      logFailure[e] = log(f)
      logFailureTotal[i] += logFailure[e]
    }
  return {start, concept, weight, logFailure, logFailureTotal}
}

function checkShapes({concepts, network, loadings}: Model): readonly number[] {
  const m = concepts.length
  const n = loadings.wordCount
  const sizes: readonly (readonly [what: string, size: number, right: number])[] = [
    ['concepts in the network', network.parents.length, m],
    ['tables in the network', network.cpt.length, m],
    ['concepts in the loadings', loadings.conceptCount, m],
    ['failures', loadings.failure.length, m * n],
    ['leaks', loadings.leak.length, n]
  ]
  for (const [what, size, right] of sizes)
    if (size !== right) throw badModel(`${what}: expected ${right} for ${m} concepts and ${n} words; got ${size}`)
  network.cpt.forEach((table, i) => {
    const rows = 2 ** network.parents[i].length
    if (table.length !== rows) throw badModel(`the table of concept ${i} must have ${rows} rows; got ${table.length}`)
    for (const p of table)
      if (!(p > 0 && p < 1))
        throw badModel(`the table of concept ${i} must hold numbers strictly between 0 and 1; got ${p}`)
  })
  network.parents.forEach((list, i) => {
    for (const parent of list)
      if (!(parent in concepts)) throw badModel(`parent ${parent} is none of the ${m} concepts`)
    if (new Set(list).size < list.length) throw badModel(`concept ${i} has the same parent twice (${list.join(', ')})`)
  })
  const order = topologicalOrder(network.parents)
  if (order === undefined) throw badModel('the network has a cycle; a concept cannot be its own ancestor')
  return order
}

function badModel(fault: string): AdfaError {
  return new AdfaError('bad-model', `the model cannot be used for inference: ${fault}; fit or load it again`)
}
