import {AdfaError} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Row} from '../../read/data/index.ts'

/** The known concepts of a row: none, the same for all rows, or the tags of the row. */
export function readKnown(model: Model, known: readonly string[] | undefined): (row: Row) => Int8Array | undefined {
  if (known === undefined) return () => undefined
  const names = model.concepts.map(({name}) => name)
  const fixed = (present: readonly string[]) => Int8Array.from(names, name => (present.includes(name) ? 1 : -1))
  if (known.length === 1 && known[0] === 'tags') return row => fixed(row.tags ?? [])
  const stranger = known.find(name => !names.includes(name))
  if (stranger !== undefined)
    throw new AdfaError('bad-option', `--known: the model has no concept "${stranger}"; it has ${names.join(', ')}`)
  const values = fixed(known)
  return () => values
}
