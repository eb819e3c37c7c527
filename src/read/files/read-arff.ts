import {statSync} from 'node:fs'
import {AdfaError} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {documentError, eachLine, lineBlocks, type ReaderContext} from '../reading/index.ts'
import {type ArffHeader, createHeaderReader} from './arff-header.ts'
import {createArffRows, type ParseArffRow} from './arff-row.ts'
import {readTextFile} from './read-bytes.ts'

/**
 * ARFF, the format of Weka, as MEKA and Mulan write data with several labels: every row is a document, its id the string
 * attribute `id` or else the number of the row.
 *
 * Tags are the labels that are 1; where some are missing (`?`), the others become `labels`.
 * Features: a number or an attribute with the values {0,1} that is 1, by its name; other nominal values as `name:value`.
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
  for await (const block of lineBlocks(chunks, {name}, true, context.tools)) {
    const rows: Row[] = []
    const visit = (text: string, line: number) => {
      lineCount = line
      const where = `${name}:${line}`
      if (parse !== undefined) {
        if (!text.trimStart().startsWith('%')) rows.push(parse(text, where, ++rowCount))
        return
      }
      const header = readHeader(text, where)
      if (header !== undefined) parse = createArffRows(header, labelPlaces(header, labelFile, name), context)
    }
    eachLine(block, visit, context.tools)
    yield rows
  }
  if (parse === undefined && lineCount > 0)
    throw documentError(
      `${name}:${lineCount}`,
      'the file ends without a line @data',
      'copy it again if it is cut short'
    )
}

/** The file beside an ARFF file in which Mulan lists the labels; parsed when needed. */
interface LabelFile {
  readonly path: string
  names(): readonly string[]
}

/** `corpus.xml` beside `corpus.arff`, which is read with it, if there is one. */
export function labelFilePath(arffPath: string): string | undefined {
  const path = arffPath.replace(/\.arff(\.gz|\.zst|\.7z)?$/i, '.xml')
  try {
    return path !== arffPath && statSync(path).isFile() ? path : undefined
  } catch {
    return undefined
  }
}

async function findLabelFile(arffPath: string | undefined): Promise<LabelFile | undefined> {
  const path = arffPath === undefined ? undefined : labelFilePath(arffPath)
  if (path === undefined) return undefined
  const text = await readTextFile(path)
  const {SaxesParser} = await import('saxes')
  return {
    path,
    names() {
      const parser = new SaxesParser()
      const names: string[] = []
      let isRoot = true
      parser.on('opentag', ({name: tag, attributes}) => {
        const isLabel = !isRoot
        isRoot = false
        if (tag.replace(/^.*:/, '') !== (isLabel ? 'label' : 'labels'))
          throw labelFileError(path, parser.line, `<${tag}> is not expected here`)
        if (!isLabel) return
        if (attributes.name === undefined) throw labelFileError(path, parser.line, 'a label has no name')
        names.push(attributes.name)
      })
      parser.on('error', error => {
        throw labelFileError(path, parser.line, `not valid XML (${error.message})`, error)
      })
      parser.write(text).close()
      return names
    }
  }
}

/**
 * The places of the attributes that are labels: the first 53 for `-C 53` in the name of the relation, the last 53 for
 * `-C -53` (MEKA), else those that the file beside it lists (Mulan). Undefined when there is neither.
 */
function labelPlaces(
  {relation, attributes}: ArffHeader,
  labelFile: LabelFile | undefined,
  name: string
): ReadonlySet<number> | undefined {
  const option = /(?:^|[\s:])-C\s+(-?\d+)/.exec(relation)
  if (option !== null) return countedPlaces(Number(option[1]), attributes.length, name)
  if (labelFile === undefined) return undefined
  const placeOf = new Map(attributes.map((attribute, place) => [attribute.name, place]))
  const places = labelFile.names().map(label => {
    const place = placeOf.get(label)
    if (place !== undefined) return place
    throw new AdfaError(
      'bad-file',
      `${labelFile.path}: it lists the label "${label}", which is not an attribute of ${name}; every label must be one; ` +
        'correct the name, or move the file elsewhere if it belongs to other data'
    )
  })
  return new Set(places)
}

function countedPlaces(count: number, attributeCount: number, name: string): ReadonlySet<number> {
  if (Math.abs(count) > attributeCount)
    throw new AdfaError(
      'bad-file',
      `${name}: the relation says that ${Math.abs(count)} attributes are labels (-C ${count}); there are only ` +
        `${attributeCount} attributes; correct the number`
    )
  const first = count < 0 ? attributeCount + count : 0
  return new Set(Array.from({length: Math.abs(count)}, (_, at) => first + at))
}

function labelFileError(path: string, line: number, what: string, cause?: unknown): AdfaError {
  return new AdfaError(
    'bad-file',
    `${path}:${line}: ${what}; a file beside an ARFF file lists its labels as ` +
      '<labels><label name="..."/></labels>; correct it, or move it elsewhere if it is something else',
    {cause}
  )
}
