import {log, log1p} from '../../base/numeric/index.ts'
import {buildTables, type InferenceTables} from '../inference/index.ts'
import type {Model} from '../model/index.ts'

/**
 * What one step of EM needs of a model, computed once a step.
 *
 * Failures lie word by word (word j, concept i at `j * m + i`), so that a document touches one short row for each word
 * that occurs. The totals over all words make the words that do not occur cheap: total less the words that do.
 */
export interface EmTables extends Omit<InferenceTables, 'start' | 'concept' | 'weight' | 'order'> {
  readonly failure: Float64Array
  readonly logFailure: Float64Array
  /** log P(Y_i = 1 | parents) and log P(Y_i = 0 | parents), in the layout of the network's tables. */
  readonly logPresent: readonly Float64Array[]
  readonly logAbsent: readonly Float64Array[]
}

/** Read a model into {@link EmTables}. Cost: O(m n). */
export function emTables(model: Model): EmTables {
  const {concepts, network, loadings} = model
  const m = concepts.length
  const n = loadings.wordCount
  const failure = new Float64Array(m * n)
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) failure[j * m + i] = loadings.failure[i * n + j]
  return {
    ...buildTables(model),
    failure,
    logFailure: failure.map(f => (f === 1 ? 0 : log(f))),
    logPresent: network.cpt.map(table => table.map(p => log(p))),
    logAbsent: network.cpt.map(table => table.map(p => log1p(-p)))
  }
}
