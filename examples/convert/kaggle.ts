/**
 * The table of Kaggle's keyword extraction contest (Facebook Recruiting III), `Id,Title,Body,Tags`, as documents with `id`, `title`,
 * `text` (the body without markup and code) and `tags`, which blanks separate; its test table has none:
 *
 *     npx tsx examples/convert/kaggle.ts Train.csv > train.jsonl
 */
import {csvRecords} from 'adfa/node'
import {htmlText} from './html-text.ts'
import {bytesOf, writeDocuments} from './lines.ts'

const COLUMNS = 'Id,Title,Body,Tags'

export async function* kaggle(path: string): AsyncGenerator<object> {
  let columns: readonly string[] | undefined
  for await (const records of csvRecords(bytesOf(path), ','.charCodeAt(0), path))
    for (const {line, cells} of records) {
      if (columns === undefined) {
        columns = cells
        if (columns.length >= 3 && `${COLUMNS},`.startsWith(`${columns.join(',')},`)) continue
        throw new Error(
          `${path}:${line}: the columns are ${columns.join(', ')}; expected ${COLUMNS}, perhaps without Tags`
        )
      }
      if (cells.length !== columns.length)
        throw new Error(`${path}:${line}: the record has ${cells.length} cells; expected ${columns.length}`)
      const [id, title, body, tags] = cells
      yield {id, title, text: htmlText(body), tags: tags?.split(/\s+/).filter(tag => tag !== '')}
    }
}

await writeDocuments(import.meta.url, 'Train.csv', kaggle)
