import {AdfaError, nearestName} from '../../../base/checks/index.ts'
import type {Row, RowFields} from '../../../read/data/index.ts'
import {type DocumentFormat, openDocuments} from '../../../read/files/index.ts'

/** Ids among which the nearest to a mistyped one is looked for. */
const REMEMBERED = 50_000

export interface FindOptions {
  readonly fields: RowFields
  readonly format?: DocumentFormat | undefined
  readonly separator?: string | undefined
  readonly onProgress: (label: string, share?: number) => void
}

/**
 * The one document with this id; a row without an id has its number, counted through all files from 1, as in the
 * predictions. All files are read to the end, since ids need not be unique.
 */
export async function findDocument(paths: readonly string[], id: string, options: FindOptions): Promise<Row> {
  const {fields, format, separator, onProgress} = options
  const source = openDocuments(paths, {...fields, format, separator})
  const ids: string[] = []
  const found: Row[] = []
  const numbers: number[] = []
  let count = 0
  try {
    for await (const batch of source.batches()) {
      for (const row of batch) {
        count++
        const own = String(row.id ?? count)
        if (ids.length < REMEMBERED) ids.push(own)
        if (own !== id) continue
        if (found.length === 0) found.push(row)
        numbers.push(count)
      }
      onProgress(
        `looking for the document: ${count.toLocaleString('en')} read`,
        source.bytesRead() / (source.byteCount ?? Number.NaN)
      )
    }
  } finally {
    await source.close()
  }
  if (numbers.length > 1)
    throw new AdfaError(
      'bad-document',
      `${source.names.join(', ')}: "${id}" is the id of ${numbers.length} documents (number ${numbers.slice(0, 5).join(', ')}${numbers.length > 5 ? ', ...' : ''}); an explanation needs one; give a file with the one that is meant`
    )
  if (found.length === 0) throw notFound(id, ids, count, source.names)
  return found[0]
}

function notFound(id: string, ids: readonly string[], count: number, names: readonly string[]): AdfaError {
  const nearest = nearestName(id, ids)
  const sample = ids.slice(0, 3).map(other => `"${other}"`)
  const hint = nearest === undefined ? `ids there look like ${sample.join(', ')}` : `did you mean "${nearest}"?`
  return new AdfaError(
    'bad-option',
    `--id: none of the ${count.toLocaleString('en')} documents of ${names.join(', ')} has the id "${id}"; ${hint}`
  )
}
