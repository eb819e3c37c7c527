import type {Model} from '../model/index.ts'
import {log, log1p} from '../numeric/index.ts'
import type {LatentNetwork} from '../structure/index.ts'

/**
 * What one step of EM needs of a model, computed once a step.
 *
 * Failures lie word by word (word j, concept i at `j * m + i`), so that a document touches one short row for each word
 * that occurs. The totals over all words make the words that do not occur cheap: total less the words that do.
 */
export interface EmTables {
  readonly latentCount: number
  readonly wordCount: number
  readonly failure: Float64Array
  readonly logFailure: Float64Array
  /** Sum over all words of log f_ij, one a concept. */
  readonly logFailureTotal: Float64Array
  readonly leak: Float64Array
  /** log(1 - l_j), one a word. */
  readonly logNoLeak: Float64Array
  readonly logNoLeakTotal: number
  /** log P(A_i | Y_i = 1) - log P(A_i | Y_i = 0), for A_i = 1 and for A_i = 0. */
  readonly anchorOn: Float64Array
  readonly anchorOff: Float64Array
  /** log P(A_i | Y_i = 0), for A_i = 1 and for A_i = 0. */
  readonly anchorOnBase: Float64Array
  readonly anchorOffBase: Float64Array
  readonly network: LatentNetwork
  readonly children: readonly (readonly number[])[]
  /** log P(Y_i = 1 | parents) and log P(Y_i = 0 | parents), in the layout of the network's tables. */
  readonly logPresent: readonly Float64Array[]
  readonly logAbsent: readonly Float64Array[]
}

/** Read a model that has been checked into {@link EmTables}. Cost: O(m n). */
export function emTables({latents, network, loadings}: Model): EmTables {
  const m = latents.length
  const n = loadings.wordCount
  const failure = new Float64Array(m * n)
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) failure[j * m + i] = loadings.failure[i * n + j]
  const logFailure = failure.map(f => (f === 1 ? 0 : log(f)))
  const logFailureTotal = new Float64Array(m)
  for (let cell = 0; cell < m * n; cell++) logFailureTotal[cell % m] += logFailure[cell]
  const logNoLeak = loadings.leak.map(l => log1p(-l))
  const children: number[][] = latents.map(() => [])
  network.parents.forEach((list, child) => {
    for (const parent of list) children[parent].push(child)
  })
  return {
    latentCount: m,
    wordCount: n,
    failure,
    logFailure,
    logFailureTotal,
    leak: loadings.leak,
    logNoLeak,
    logNoLeakTotal: logNoLeak.reduce((sum, value) => sum + value, 0),
    anchorOn: Float64Array.from(latents, ({truePositive: t, falsePositive: e}) => log(t / e)),
    anchorOff: Float64Array.from(latents, ({truePositive: t, falsePositive: e}) => log((1 - t) / (1 - e))),
    anchorOnBase: Float64Array.from(latents, ({falsePositive: e}) => log(e)),
    anchorOffBase: Float64Array.from(latents, ({falsePositive: e}) => log1p(-e)),
    network,
    children,
    logPresent: network.cpt.map(table => table.map(p => log(p))),
    logAbsent: network.cpt.map(table => table.map(p => log1p(-p)))
  }
}
