/** What files hold, before they are read as a whole. */
import {AdfaError} from '../../base/checks/index.ts'
import {counted, listed} from '../../base/text/index.ts'
import {loadModel, type Model, saveModel} from '../../learn/model/index.ts'
import {type Anchors, parseAnchors, type Row} from '../../read/data/index.ts'
import {
  BY_NAME,
  guessColumns,
  type RecognisedFile,
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
import type {LearnedResult} from './pipeline.ts'
import {DEMO_CONCEPT, DEMO_NAME, DEMO_READING, demoAnchors, fileSource, type Source} from './sources.ts'
import type {HeldModel, Survey, SurveyedFile} from './views.ts'

/** Documents of more bytes are for the command line. */
const MOST_BYTES = 200_000_000
const EXAMPLE = 80
/** Documents in which negated hits of anchors are counted. */
const LOOKED_AT = 1000

type Recognised = RecognisedFile & {readonly file: SourceFile}

/** What the files bring besides documents. */
interface Brought {
  anchors?: Anchors
  labels?: readonly LabelRow[]
  project?: Project
  /** The model in the project file. */
  held?: Held & {readonly facts: HeldModel}
  /** A model to look at where there are no documents: that of a file, or else the one in the project file. */
  lone?: ReadOnlyModel & {readonly facts: HeldModel}
  /** Files that the project names. */
  missing?: Partial<Record<'anchors' | 'labels', string | undefined>>
  readonly words: Map<SourceFile, string>
  readonly warnings: string[]
}

export interface Surveyed {
  readonly survey: Survey
  readonly source: Source | undefined
  readonly held: Held | undefined
  readonly lone: ReadOnlyModel | undefined
}

/** `open`: how the documents are read that stay where these files have none. */
export async function surveyFiles(files: readonly SourceFile[], open: Reading | undefined): Promise<Surveyed> {
  const recognised: Recognised[] = []
  for (const file of files) recognised.push({file, ...(await recogniseFile(file))})
  const documents = recognised.filter(({kind}) => kind === 'documents').map(({file}) => file)
  refuseLarge(documents)
  const brought = await readOthers(recognised, open !== undefined)
  const columns = documents.length === 0 ? undefined : await lookAt(documents, note => brought.warnings.push(note))
  const {anchors, labels, project, held, lone, words, warnings} = brought
  const source = documents.length === 0 ? undefined : fileSource(documents)
  const guessed = columns && source && (await withNegation(columns.reading, source, anchors ?? []))
  const facts = (held ?? lone)?.facts
  const survey: Survey = {
    files: recognised.map(one => surveyedFile(one, words)),
    rows: columns?.rows ?? 0,
    hasMore: columns?.hasMore ?? false,
    columns: columns?.views ?? [],
    reading: project?.reading ?? guessed ?? open ?? {text: []},
    ...(anchors && {anchors}),
    ...(labels && {labels}),
    ...(project && {project}),
    ...(facts && {model: facts}),
    warnings
  }
  return {survey, source, held, lone}
}

/** Reads negated words apart, as `adfa init` does, where the anchors fire on enough of them. */
async function withNegation(reading: Reading, source: Source, anchors: Anchors): Promise<Reading> {
  if (anchors.length === 0 || reading.text.length === 0) return reading
  const text = readOptionsOf(reading)
  const rows: Row[] = []
  for await (const batch of source.batches(reading, text)) {
    rows.push(...batch.rows.slice(0, LOOKED_AT - rows.length))
    if (rows.length >= LOOKED_AT) break
  }
  return mostNegated(
    anchorHits({anchors: anchors.filter(({any}) => any.length > 0), phrases: [], reading: text}, rows)
  ) === undefined
    ? reading
    : {...reading, negation: true}
}

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

/** The columns as `adfa init` shows them. */
async function lookAt(documents: readonly SourceFile[], onNote: (note: string) => void) {
  const rowsOf = readDocuments(documents, {text: [], keepsRecords: 'only', onNote})
  const {rows, hasMore, facts} = await surveyColumns(rowsOf)
  const guesses = guessColumns(facts, rows)
  const views = guesses.map((guess, at) => ({...guess, example: shownExample(facts[at].example)}))
  return {rows, hasMore, views, reading: {text: [], ...readingFor(guesses)} as Reading}
}

/** A value as people read it: the items of a list with commas between. */
function shownExample(text: string): string {
  const plain = text.startsWith('[') ? text.replace(/^\["?|"?\]$/g, '').replaceAll('","', ', ') : text
  return plain.slice(0, EXAMPLE)
}

/** `isOpen`: documents stay open where these files have none. */
async function readOthers(files: readonly Recognised[], isOpen: boolean): Promise<Brought> {
  const brought: Brought = {words: new Map(), warnings: []}
  const documents = files.flatMap(({kind, file}) => (kind === 'documents' ? [file.name] : []))
  const isAlone = documents.length === 0 && !isOpen
  for (const kind of ['anchors', 'labels', 'project', ...(isAlone ? (['model'] as const) : [])] as const) {
    const [, second] = files.filter(file => file.kind === kind)
    if (second !== undefined) throw twice(second.file.name, kind)
  }
  // Files of anchors and labels come last: a project may name them.
  const inOrder = [...files].sort((a, b) => Number(b.kind === 'project') - Number(a.kind === 'project'))
  for (const {kind, file} of inOrder) {
    const {name} = file
    if (kind === 'counts') throw noCounts(name)
    if (kind === 'documents') continue
    const text = await readSourceText(file)
    if (kind === 'anchors') {
      brought.anchors = parseAnchors(text, name)
      brought.words.set(file, `anchors of ${counted(brought.anchors.length, 'concept')}`)
    } else if (kind === 'labels') {
      brought.labels = parseLabelRows(text, name)
      brought.words.set(file, counted(brought.labels.length, 'answer'))
    } else if (kind === 'project') {
      takeProject(brought, file, text)
    } else {
      const model = loadModel(text, name)
      const words = `a model of ${counted(model.concepts.length, 'concept')}`
      brought.words.set(file, isAlone ? `${words}, open read-only` : `${words}, not opened here`)
      if (isAlone) brought.lone = {file: name, model, facts: heldModel(model, text)}
      else brought.warnings.push(notAlone(name, documents))
    }
  }
  const {anchors, labels, project, missing, held} = brought
  if (isAlone && held !== undefined && brought.lone === undefined)
    brought.lone = {...held, model: loadModel(held.text, `${held.file}, model`)}
  for (const what of ['anchors', 'labels'] as const)
    if (missing?.[what] !== undefined && brought[what] === undefined)
      brought.warnings.push(
        `the project takes its ${what} from ${missing[what]}, which is not here; drop that file too`
      )
  if (project !== undefined) brought.project = {...project, ...(anchors && {anchors}), ...(labels && {labels})}
  return brought
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

function takeProject(brought: Brought, file: SourceFile, text: string): void {
  const opened = openProject(text, file.name)
  const {project, model} = opened
  const {anchors, labels} = project
  brought.project = project
  if (model !== undefined)
    brought.held = {
      project,
      file: file.name,
      text: model,
      facts: heldModel(loadModel(model, `${file.name}, model`), model)
    }
  brought.missing = {anchors: opened.anchors, labels: opened.labels}
  brought.words.set(
    file,
    `a project with ${listed([
      counted(anchors.length, 'concept'),
      labels.length === 0 ? 'no labels' : counted(labels.length, 'answer'),
      ...(brought.held === undefined ? [] : [`a model (${megabytes(brought.held.facts.bytes)})`])
    ])}`
  )
}

function noCounts(name: string): AdfaError {
  return new AdfaError(
    'bad-file',
    `${name}: counts have no documents to show or to label; give the documents, or learn from counts on the command line: adfa fit ${name} -o model.json`
  )
}

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  jsonl: 'JSON Lines',
  json: 'JSON',
  csv: 'CSV',
  tsv: 'TSV',
  txt: 'text',
  parquet: 'Parquet',
  xlsx: 'workbook (.xlsx)'
}

function surveyedFile(recognised: Recognised, words: Brought['words']): SurveyedFile {
  const {file, kind} = recognised
  const {name, size} = file
  const format = recognised.kind === 'documents' ? (FORMAT_WORDS[recognised.format] ?? recognised.format) : ''
  return {name, size, kind, words: words.get(file) ?? `${format}, ${megabytes(size)}`}
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** The generated visits as if their files had been dropped. */
export function demoSurvey({names: [name]}: Source, rows: number): Survey {
  const anchors = demoAnchors()
  return {
    files: [
      {name, size: 0, kind: 'documents', words: `${counted(rows, 'generated visit')} to an emergency department`},
      {name: 'anchors.json', size: 0, kind: 'anchors', words: `anchors of ${counted(anchors.length, 'concept')}`}
    ],
    rows,
    hasMore: false,
    columns: [
      {name: 'id', role: 'id', detail: '', example: 'emergency-000001'},
      {name: 'features', role: 'skip', detail: BY_NAME, example: 'etoh, intoxicated, sober'},
      {name: 'tags', role: 'tags', detail: '', example: 'alcohol'}
    ],
    reading: DEMO_READING,
    anchors,
    demo: {name: DEMO_NAME, concept: DEMO_CONCEPT},
    warnings: []
  }
}

export interface Held {
  /** The project as the file has it. */
  readonly project: Project
  readonly file: string
  /** As in a model file. */
  readonly text: string
}

/** A model without its documents: to be looked at, not to be changed. */
export interface ReadOnlyModel {
  readonly file: string
  readonly model: Model
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

/**
 * Whether a fit of the same project gives the same model, in words; undefined where the project has changed since. A model in a
 * file proves nothing about the documents that are open, so the studio learns its own and compares.
 */
export function heldWords({project, file, text}: Held, {model, encoded}: LearnedResult): string | undefined {
  const decided = ({reading, anchors, fit, labels, edges}: Project) =>
    JSON.stringify([reading, anchors, fit, labels, edges])
  if (decided(project) !== decided(encoded.project)) return undefined
  return saveModel(model) === text
    ? `The model in ${file} is the one that was learned here, byte for byte.`
    : `The model in ${file} is not what these documents give; the one that was learned here is used.`
}
