import {hashShare} from '../../base/numeric/index.ts'
import {type Row, rowKey} from './row.ts'

const HELD_OUT = 0.25

/**
 * Whether a document is held out, for evaluation: a quarter of those with tags, by a hash of the id, or else of the content. It
 * must never change: models would be judged on documents they were learned from.
 */
export function isHeldOut(row: Row): boolean {
  return row.tags !== undefined && hashShare(`held out ${rowKey(row)}`) < HELD_OUT
}
