import {AdfaError} from '../../base/checks/index.ts'
import {logPrior} from '../../base/network/index.ts'
import {buildTables, emptyFactors, readDocument} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'

/** log P(x, a, y) of a document and a full assignment of its concepts; -Infinity when the model rules it out. */
export function logJoint(model: Model, evidence: Evidence, y: Int8Array | readonly number[]): number {
  const tables = buildTables(model)
  const factors = emptyFactors(tables.conceptCount)
  readDocument(factors, tables, evidence, {known: y, use: {anchors: 'used', words: 'used'}})
  const open = factors.known.indexOf(-1)
  if (open !== -1)
    throw new AdfaError('mismatch', `logJoint needs a full assignment, 0 or 1 a concept; concept ${open} is unknown`)
  if (factors.unexplainedWords > 0) return Number.NEGATIVE_INFINITY
  return factors.logConstant + logPrior(model.network, factors.known)
}
