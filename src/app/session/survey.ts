/** What files hold, before their documents are read as a whole. */
import {AdfaError} from '../../base/checks/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {listed} from '../../base/text/index.ts'
import {anchorsWithRates} from '../../learn/model/index.ts'
import {type Anchors, anchorsToJson, parseAnchors} from '../../read/data/index.ts'
import {
  type ColumnGuess,
  guessColumns,
  type Role,
  readDocuments,
  readingFor,
  readSourceText,
  type SourceFile,
  surveyColumns
} from '../../read/reading/index.ts'
import {anchorHits, mostNegated} from '../../use/advice/index.ts'
import {type LabelRow, parseLabelRows} from '../../use/labelling/index.ts'
import {emergencyModel, generateDocuments} from '../../use/synthetic/index.ts'
import {openProject, type Project, type Reading, readOptionsOf} from '../project/index.ts'
import {fileSource, firstRows, type Source} from './documents.ts'
import {type RecognisedFile, recogniseFile} from './recognise-file.ts'

export interface Survey {
  readonly files: readonly SurveyedFile[]
  /** Rows that were looked at, and whether there are more. */
  readonly rows: number
  readonly hasMore: boolean
  readonly columns: readonly ColumnView[]
  readonly reading: Reading
  /** What files of anchors, labels or a project bring along. */
  readonly anchors?: Anchors
  readonly labels?: readonly LabelRow[]
  readonly project?: Project
  /** Of the demo: the name of its project, and the concept to begin with. */
  readonly demo?: {readonly name: string; readonly concept: string}
  /** What is missing or of no use, in words. */
  readonly warnings: readonly string[]
}

export interface SurveyedFile {
  readonly name: string
  readonly size: number
  readonly kind: RecognisedFile['kind']
  /** Of documents. */
  readonly format?: string
}

/** A column, as `adfa init` shows it. */
export interface ColumnView extends ColumnGuess {
  readonly example: string
}

/** `open`: how the documents are read that stay where these files have none. */
export async function surveyFiles(
  files: readonly SourceFile[],
  open: Reading | undefined
): Promise<{readonly survey: Survey; readonly source: Source | undefined}> {
  const recognised: (RecognisedFile & {readonly file: SourceFile})[] = []
  for (const file of files) recognised.push({file, ...(await recogniseFile(file))})
  const of = (kind: RecognisedFile['kind']) => recognised.flatMap(each => (each.kind === kind ? each.file : []))
  const one = async <T>(kind: 'anchors' | 'labels' | 'project', parse: (text: string, name: string) => T) => {
    const [file, second] = of(kind)
    if (second !== undefined)
      throw new AdfaError(
        'bad-file',
        `${second.name}: there are two files with ${kind === 'project' ? 'a project' : kind}; give one of them`
      )
    return file && parse(await readSourceText(file), file.name)
  }
  const documents = of('documents')
  refuseLarge(documents)
  for (const {name} of of('counts'))
    throw new AdfaError(
      'bad-file',
      `${name}: counts have no documents to show or to label; give the documents, or learn from counts on the command line: adfa fit ${name} -o model.json`
    )
  const warnings = of('model').map(
    ({name}) =>
      `${name} is a model, and the studio shows the one that it learns from documents. To score documents with ${name}, run adfa predict ` +
      `${name} ${documents.map(file => file.name).join(' ') || 'DOCUMENTS'} -o predictions.csv; to look at it, run adfa report ${name}`
  )
  const opened = await one('project', openProject)
  const anchors = await one('anchors', parseAnchors)
  const labels = await one('labels', parseLabelRows)
  for (const [what, value] of Object.entries({anchors, labels}) as ['anchors' | 'labels', unknown][])
    if (opened?.[what] !== undefined && value === undefined)
      warnings.push(`the project takes its ${what} from ${opened[what]}, which is not here; drop that file too`)
  const project = opened && {...opened.project, ...(anchors && {anchors}), ...(labels && {labels})}
  const source = documents.length === 0 ? undefined : fileSource(documents)
  const found = source && (await lookAt(documents, note => warnings.push(note)))
  const guessed = found && source && (await withNegation(found.reading, source, anchors ?? []))
  const {rows = 0, hasMore = false, columns = []} = found ?? {}
  const survey: Survey = {
    files: recognised.map(({file: {name, size}, ...is}) => ({name, size, ...is})),
    rows,
    hasMore,
    columns: project && found ? columnsAsRead(project.reading, columns) : columns,
    reading: project?.reading ?? guessed ?? open ?? {text: []},
    ...(anchors && {anchors}),
    ...(labels && {labels}),
    ...(project && {project}),
    warnings
  }
  return {survey, source}
}

/** Documents in which negated hits of anchors are counted. */
const LOOKED_AT = 1000

/** Reads negated words apart, as `adfa init` does, where the anchors fire on enough of them. */
async function withNegation(reading: Reading, source: Source, anchors: Anchors): Promise<Reading> {
  if (anchors.length === 0 || reading.text.length === 0) return reading
  const rows = await firstRows(source, reading, LOOKED_AT)
  const lexicon = {anchors: anchors.filter(({any}) => any.length > 0), phrases: [], reading: readOptionsOf(reading)}
  return mostNegated(anchorHits(lexicon, rows)) === undefined ? reading : {...reading, negation: true}
}

/** Documents of more bytes are for the command line. */
const MOST_BYTES = 200_000_000

function refuseLarge(documents: readonly SourceFile[]): void {
  const bytes = documents.reduce((sum, {size}) => sum + size, 0)
  if (bytes <= MOST_BYTES) return
  const names = documents.map(({name}) => name)
  throw new AdfaError(
    'bad-document',
    `${listed(names)}: ${megabytes(bytes)} of documents; a browser reads ${megabytes(MOST_BYTES)} at most; give fewer, or use the ` +
      `command line: adfa count ${names.join(' ')} --anchors anchors.json -o documents.counts, then adfa fit documents.counts -o model.json`
  )
}

export function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** The columns as `adfa init` shows them. */
async function lookAt(documents: readonly SourceFile[], onNote: (note: string) => void) {
  const rowsOf = readDocuments(documents, {text: [], keepsRecords: 'only', onNote})
  const {rows, hasMore, facts} = await surveyColumns(rowsOf)
  const guesses = guessColumns(facts, rows)
  const columns = guesses.map((guess, at): ColumnView => ({...guess, example: shownExample(facts[at].example)}))
  return {rows, hasMore, columns, reading: {text: [], ...readingFor(guesses)} as Reading}
}

const EXAMPLE = 80

/** A value as people read it: the items of a list with commas between. */
function shownExample(text: string): string {
  const plain = text.startsWith('[') ? text.replace(/^\["?|"?\]$/g, '').replaceAll('","', ', ') : text
  return plain.slice(0, EXAMPLE)
}

/** What a project reads, by its column: `age:10` and `meds:;` name a column with its bins or its separator. */
function readColumns(
  reading: Reading,
  isColumn: (name: string) => boolean
): Map<string, Pick<ColumnGuess, 'role' | 'detail'>> {
  const {id = 'id', tags = 'tags', tagSeparator = '', separator = '', ...lists} = reading
  const read = new Map<string, Pick<ColumnGuess, 'role' | 'detail'>>([
    [id, {role: 'id', detail: ''}],
    [tags, {role: 'tags', detail: tagSeparator}]
  ])
  for (const role of ['text', 'category', 'number', 'list', 'votes'] as const)
    for (const entry of lists[role] ?? []) {
      const [, name = entry, detail = role === 'list' ? separator : ''] =
        (role === 'number' || role === 'list') && !isColumn(entry) ? (/^(.*):([^:]*)$/.exec(entry) ?? []) : []
      if (!read.has(name)) read.set(name, {role, detail})
    }
  return read
}

/** The columns in the roles that a project gives them, and behind them those that it names and the first rows do not have. */
function columnsAsRead(reading: Reading, columns: readonly ColumnView[]): ColumnView[] {
  const has = (name: string) => columns.some(column => column.name === name)
  const read = readColumns(reading, has)
  const isUsual = (name: string) => name !== reading.id && name !== reading.tags && ['id', 'tags'].includes(name)
  const unseen = [...read.keys()].filter(name => !has(name) && !isUsual(name))
  const skipped = {role: 'skip' as Role, detail: ''}
  return [
    ...columns.map(column => ({...column, ...(read.get(column.name) ?? (column.role === 'skip' ? {} : skipped))})),
    ...unseen.map(name => ({name, example: '', ...skipped, ...read.get(name)}))
  ]
}

/** What to call the project of the demo, and the concept with a misspelt member. */
export const demo = {name: 'emergency visits', concept: 'alcohol'}
const MISSPELT = 'alcohol intoxicaton'

/**
 * Visits of a synthetic emergency department, as `adfa demo emergency` draws them, and their anchors without rates. One member is
 * misspelt, for the doctor to find.
 */
export function demoFiles(count: number): SourceFile[] {
  const model = emergencyModel()
  const visits = generateDocuments(model, count, rng(0).stream('documents'))
  const anchors = anchorsWithRates(model).map(({rates: _, ...anchor}) => ({
    ...anchor,
    any: anchor.concept === demo.concept ? [...anchor.any, MISSPELT] : anchor.any,
    rates: undefined
  }))
  return [
    fileOf('train.jsonl', Array.from(visits, visit => `${JSON.stringify(visit)}\n`).join('')),
    fileOf('anchors.json', JSON.stringify(anchorsToJson(anchors)))
  ]
}

function fileOf(name: string, text: string): SourceFile {
  const bytes = new TextEncoder().encode(text)
  return {name, size: bytes.length, slice: (from, to) => ({arrayBuffer: async () => bytes.slice(from, to).buffer})}
}
