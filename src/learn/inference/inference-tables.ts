import {AdfaError} from '../../base/checks/index.ts'
import {type BayesNetwork, directedNetwork, topologicalOrder} from '../../base/network/index.ts'
import {log, log1p} from '../../base/numeric/index.ts'
import {distributionFault, type Model} from '../model/index.ts'

/**
 * A model prepared for inference, once for all documents.
 *
 * Failures are stored by word, only where they differ from 1: the edges of word j are `start[j] .. start[j + 1] - 1`,
 * edge e leads to concept `concept[e]` with weight `1 - f` and `log f`. Totals over all words make absent words cheap:
 * their share is the total minus the words that occur.
 */
export interface InferenceTables {
  readonly conceptCount: number
  readonly wordCount: number
  readonly start: Int32Array
  readonly concept: Int32Array
  readonly weight: Float64Array
  readonly logFailure: Float64Array
  /** Sum over all words of log f_ij, one per concept. */
  readonly logFailureTotal: Float64Array
  readonly leak: Float64Array
  /** log(1 - l_j), one per word. */
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

/** Reads a model into {@link InferenceTables}; refuses one whose parts do not fit or whose numbers are out of range. */
export function buildTables(model: Model): InferenceTables {
  const {concepts, loadings} = model
  // Of pairs, the forest that its links were learned with.
  const network = directedNetwork(model.network, 1)
  const fault = distributionFault(model)
  if (fault !== undefined) throw badModel(fault)
  checkRates(concepts)
  const children: number[][] = concepts.map(() => [])
  network.parents.forEach((list, child) => {
    for (const parent of list) children[parent].push(child)
  })
  const logNoLeak = loadings.leak.map(l => log1p(-l))
  return {
    conceptCount: concepts.length,
    wordCount: loadings.wordCount,
    ...edgesByWord(loadings),
    leak: loadings.leak,
    logNoLeak,
    logNoLeakTotal: logNoLeak.reduce((sum, value) => sum + value, 0),
    anchorOn: Float64Array.from(concepts, ({truePositive: t, falsePositive: e}) => log(t / e)),
    anchorOff: Float64Array.from(concepts, ({truePositive: t, falsePositive: e}) => log((1 - t) / (1 - e))),
    anchorOnBase: Float64Array.from(concepts, ({falsePositive: e}) => log(e)),
    anchorOffBase: Float64Array.from(concepts, ({falsePositive: e}) => log1p(-e)),
    network,
    order: topologicalOrder(network.parents) ?? [],
    children
  }
}

/** Refuses rates of 0 or 1, which would make a concept certain. */
export function checkRates(concepts: Model['concepts']): void {
  for (const {name, truePositive, falsePositive} of concepts)
    for (const rate of [truePositive, falsePositive])
      if (!(rate > 0 && rate < 1))
        throw badModel(`the anchor rates of "${name}" must lie strictly between 0 and 1; got ${rate}`)
}

function edgesByWord({failure, conceptCount: m, wordCount: n}: Model['loadings']) {
  const start = new Int32Array(n + 1)
  for (let cell = 0; cell < m * n; cell++) if (failure[cell] < 1) start[(cell % n) + 1]++
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

function badModel(fault: string): AdfaError {
  return new AdfaError('bad-model', `the model cannot be used for inference: ${fault}; fit or load it again`)
}
