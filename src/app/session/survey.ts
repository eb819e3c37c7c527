/** What files hold, before their documents are read as a whole. */
import {AdfaError} from '../../base/checks/index.ts'
import {listed} from '../../base/text/index.ts'
import {loadModel, type Model} from '../../learn/model/index.ts'
import {type Anchors, parseAnchors, type Row} from '../../read/data/index.ts'
import {
  type ColumnGuess,
  guessColumns,
  type RecognisedFile,
  type Role,
  readDocuments,
  readingFor,
  readSourceText,
  recogniseFile,
  type SourceFile,
  surveyColumns
} from '../../read/reading/index.ts'
import {anchorHits, mostNegated} from '../../use/advice/index.ts'
import {type LabelRow, parseLabelRows} from '../../use/labelling/index.ts'
import {openProject, type Project, type Reading, readOptionsOf} from '../project/index.ts'
import {fileSource, type Source} from './sources.ts'

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
  /** What the project holds besides what a person decided; or the model that is given alone, which is then open read-only. */
  readonly model?: HeldModel
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

/** A model in a project file or a file of its own, in numbers. */
export interface HeldModel {
  readonly concepts: number
  /** Of text, in its documents. */
  readonly fields: readonly string[]
  /** How many it was learned from, where the model says so. */
  readonly documents?: number
  /** Of its text. */
  readonly bytes: number
}

/** A column, as `adfa init` shows it. */
export interface ColumnView extends ColumnGuess {
  readonly example: string
}

/** A model without its documents: to be looked at, not to be changed. */
export interface ReadOnlyModel {
  readonly file: string
  readonly model: Model
}

/** A model in a project file, and the project as the file has it. */
export interface Held {
  readonly project: Project
  readonly file: string
  /** As in a model file. */
  readonly text: string
}

interface Surveyed {
  readonly survey: Survey
  /** The documents among the files. */
  readonly source: Source | undefined
  readonly held: Held | undefined
  /** A model to look at where there are no documents: that of a file, or else the one in the project file. */
  readonly lone: ReadOnlyModel | undefined
}

/** `open`: how the documents are read that stay where these files have none. */
export async function surveyFiles(files: readonly SourceFile[], open: Reading | undefined): Promise<Surveyed> {
  const recognised: (RecognisedFile & {readonly file: SourceFile})[] = []
  for (const file of files) recognised.push({file, ...(await recogniseFile(file))})
  const of = (kind: RecognisedFile['kind']) => recognised.flatMap(each => (each.kind === kind ? each.file : []))
  const one = async <T>(kind: 'anchors' | 'labels' | 'project' | 'model', parse: (text: string, name: string) => T) => {
    const [file, second] = of(kind)
    if (second !== undefined) throw twice(second.name, kind)
    return file && {name: file.name, value: parse(await readSourceText(file), file.name)}
  }
  const documents = of('documents')
  const names = documents.map(({name}) => name)
  refuseLarge(documents)
  for (const {name} of of('counts')) throw noCounts(name)
  const warnings: string[] = []
  const isAlone = documents.length === 0 && open === undefined
  const opened = await one('project', openProject)
  const anchors = (await one('anchors', parseAnchors))?.value
  const labels = (await one('labels', parseLabelRows))?.value
  for (const [what, value] of Object.entries({anchors, labels}) as ['anchors' | 'labels', unknown][]) {
    const path = opened?.value[what]
    if (path !== undefined && value === undefined)
      warnings.push(`the project takes its ${what} from ${path}, which is not here; drop that file too`)
  }
  const {project: own, model: text} = opened?.value ?? {}
  const project = own && {...own, ...(anchors && {anchors}), ...(labels && {labels})}
  const held = opened && own && text !== undefined ? {project: own, file: opened.name, text} : undefined
  const inProject = held && {name: `${held.file}, model`, text: held.text}
  const [found] = isAlone ? [await one('model', (text, name) => ({text, name}))] : []
  if (!isAlone) warnings.push(...of('model').map(({name}) => notAlone(name, names)))
  const brought = found?.value ?? inProject
  const model = brought && loadModel(brought.text, brought.name)
  const source = documents.length === 0 ? undefined : fileSource(documents)
  const columns = source && (await lookAt(documents, note => warnings.push(note)))
  const guessed = columns && source && (await withNegation(columns.reading, source, anchors ?? []))
  const survey: Survey = {
    files: recognised.map(({file: {name, size}, ...is}) => ({name, size, ...is})),
    rows: columns?.rows ?? 0,
    hasMore: columns?.hasMore ?? false,
    columns: project && columns ? columnsAsRead(project.reading, columns.views) : (columns?.views ?? []),
    reading: project?.reading ?? guessed ?? open ?? {text: []},
    ...(anchors && {anchors}),
    ...(labels && {labels}),
    ...(project && {project}),
    ...(brought && model && {model: heldModel(model, brought.text)}),
    warnings
  }
  const file = found?.name ?? held?.file
  return {survey, source, held, lone: isAlone && model && file !== undefined ? {file, model} : undefined}
}

/** Documents in which negated hits of anchors are counted. */
const LOOKED_AT = 1000

/** Reads negated words apart, as `adfa init` does, where the anchors fire on enough of them. */
async function withNegation(reading: Reading, source: Source, anchors: Anchors): Promise<Reading> {
  if (anchors.length === 0 || reading.text.length === 0) return reading
  const text = readOptionsOf(reading)
  const rows = await firstRows(source, reading, LOOKED_AT)
  const lexicon = {anchors: anchors.filter(({any}) => any.length > 0), phrases: [], reading: text}
  return mostNegated(anchorHits(lexicon, rows)) === undefined ? reading : {...reading, negation: true}
}

/** The first documents, as they would be read. */
export async function firstRows(source: Source, reading: Reading, count: number): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const batch of source.batches(reading, readOptionsOf(reading))) {
    rows.push(...batch.rows.slice(0, count - rows.length))
    if (rows.length >= count) break
  }
  return rows
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
  const views = guesses.map((guess, at): ColumnView => ({...guess, example: shownExample(facts[at].example)}))
  return {rows, hasMore, views, reading: {text: [], ...readingFor(guesses)} as Reading}
}

const EXAMPLE = 80

/** A value as people read it: the items of a list with commas between. */
function shownExample(text: string): string {
  const plain = text.startsWith('[') ? text.replace(/^\["?|"?\]$/g, '').replaceAll('","', ', ') : text
  return plain.slice(0, EXAMPLE)
}

const LISTS = ['text', 'category', 'number', 'list', 'votes'] as const

/** The columns in the roles that a project gives them, and behind them those that it names and the first rows do not have. */
function columnsAsRead(reading: Reading, views: readonly ColumnView[]): ColumnView[] {
  const {text, category = [], number = [], list = [], votes = []} = reading
  const bare = (entry: string) => (views.some(({name}) => name === entry) ? entry : entry.replace(/:[^:]*$/, ''))
  const lists = [...text, ...category, ...votes, ...[...number, ...list].map(bare)]
  const named = [reading.id, reading.tags, ...lists].filter(name => name !== undefined)
  const unseen = [...new Set(named)].filter(name => views.every(view => view.name !== name))
  const added = unseen.map((name): ColumnView => ({name, role: 'skip', detail: '', example: ''}))
  return [...views, ...added].map(view => asRead(reading, view))
}

/** A column in the role that a project gives it; `age:10` and `meds:;` name a column with its bins or its separator. */
function asRead(reading: Reading, column: ColumnView): ColumnView {
  const {name} = column
  const as = (role: Role, detail = ''): ColumnView => ({...column, role, detail})
  if ((reading.id ?? 'id') === name) return as('id')
  if ((reading.tags ?? 'tags') === name) return as('tags', reading.tagSeparator)
  for (const list of LISTS)
    for (const entry of reading[list] ?? []) {
      if (entry === name) return as(list, list === 'list' ? reading.separator : '')
      const isDetailed = list === 'number' || list === 'list'
      if (isDetailed && entry.replace(/:[^:]*$/, '') === name) return as(list, entry.slice(name.length + 1))
    }
  return column.role === 'skip' ? column : as('skip')
}

function twice(name: string, what: 'anchors' | 'labels' | 'project' | 'model'): AdfaError {
  const words = what === 'project' || what === 'model' ? `a ${what}` : what
  return new AdfaError('bad-file', `${name}: there are two files with ${words}; give one of them`)
}

/** Beside documents a model is not opened: what is shown is learned from them. */
function notAlone(name: string, documents: readonly string[]): string {
  return (
    `${name} is a model, and beside documents the studio shows the one that it learns from them. To score documents with ${name}, run adfa predict ` +
    `${name} ${documents.length === 0 ? 'DOCUMENTS' : documents.join(' ')} -o predictions.csv. To look at it, open it alone in another tab.`
  )
}

function noCounts(name: string): AdfaError {
  return new AdfaError(
    'bad-file',
    `${name}: counts have no documents to show or to label; give the documents, or learn from counts on the command line: adfa fit ${name} -o model.json`
  )
}

/** What a model is, in numbers, and what its documents have. */
function heldModel({concepts, options, lexicon}: Model, text: string): HeldModel {
  const {documents} = options
  return {
    concepts: concepts.length,
    ...(typeof documents === 'number' && {documents}),
    fields: lexicon.reading.text,
    bytes: new TextEncoder().encode(text).length
  }
}
