import {AdfaError} from '../../base/checks/index.ts'
import {firstNames} from '../../base/text/index.ts'
import {didYouMean, otherSpellings, type RowFields, soughtNames} from '../data/index.ts'
import type {ReaderContext} from './format.ts'

/**
 * The columns of a table under the names by which they are asked for: `NOTE` is `note` where that is the field to read.
 * Refuses a table that lacks a required column. `where` names the place of the columns in errors.
 */
export function namedColumns(
  columns: readonly string[],
  {fields, required = [], onColumns}: ReaderContext,
  where: string
): readonly string[] {
  const own = new Map(columns.map(column => [column, column]))
  for (const [name, column] of otherSpellings(soughtNames(fields), own, where)) own.set(column, name)
  const names = new Set(own.values())
  const missing = required.find(name => !names.has(name))
  if (missing === undefined) {
    onColumns?.([...names])
    return columns.map(column => own.get(column) ?? column)
  }
  throw new AdfaError(
    'bad-document',
    `${where}: there is no column "${missing}"; the columns are ${firstNames(columns)}${didYouMean(missing, columns)}`
  )
}

/** The fields, for a format in which the id and the tags have fixed names. */
export function withFixedKeys(fields: RowFields): RowFields {
  return {...fields, idField: 'id', tagsField: 'tags'}
}
