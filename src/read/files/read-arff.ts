import type {Row} from '../data/index.ts'
import {arffError, createHeaderReader} from './arff-header.ts'
import {findLabelFile, labelPlaces} from './arff-labels.ts'
import {createArffRows, type ParseArffRow} from './arff-row.ts'
import type {ReaderContext} from './document-reader.ts'
import {eachLine, lineBlocks} from './line-blocks.ts'

/**
 * ARFF, the format of Weka, as MEKA and Mulan write data with several labels: every row is a document, its id the string
 * attribute `id` or else the number of the row.
 *
 * Tags are the labels that are 1; where some are missing (`?`), the others are `labels`, the truth of just these.
 * Features: an attribute that is 1, of a number or of the values {0,1}, by its name; one of other values as `name:value`.
 * Other numbers, and strings, are read when they are asked for as fields.
 */
export async function* readArff(
  chunks: AsyncIterable<Uint8Array>,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const {name} = context
  const labelFile = await findLabelFile(context.path)
  const readHeader = createHeaderReader()
  let parse: ParseArffRow | undefined
  let rowCount = 0
  let lineCount = 0
  for await (const block of lineBlocks(chunks, name)) {
    const rows: Row[] = []
    eachLine(block, name, (text, line) => {
      lineCount = line
      const where = `${name}:${line}`
      if (parse !== undefined) {
        if (!text.trimStart().startsWith('%')) rows.push(parse(text, where, ++rowCount))
        return
      }
      const header = readHeader(text, where)
      if (header !== undefined) parse = createArffRows(header, labelPlaces(header, labelFile, name), context)
    })
    yield rows
  }
  if (parse === undefined && lineCount > 0)
    throw arffError(`${name}:${lineCount}`, 'the file ends without a line @data', 'copy it again if it is cut short')
}
