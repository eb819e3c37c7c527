/** What files hold, before they are read as a whole. */
import {AdfaError} from '../../base/checks/index.ts'
import {counted, listed} from '../../base/text/index.ts'
import {loadModel} from '../../learn/model/index.ts'
import {type Anchors, parseAnchors} from '../../read/data/index.ts'
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
import {type LabelRow, parseLabelRows} from '../../use/labelling/index.ts'
import type {Project, Reading} from './project.ts'
import {parseProjectFile} from './project-file.ts'
import {DEMO_CONCEPT, DEMO_NAME, DEMO_READING, demoAnchors, fileSource, type Source} from './sources.ts'
import type {Survey, SurveyedFile} from './views.ts'

/** Documents of more bytes are for the command line. */
const MOST_BYTES = 200_000_000
const EXAMPLE = 80

type Recognised = RecognisedFile & {readonly file: SourceFile}

/** What the files bring besides documents. */
interface Brought {
  anchors?: Anchors
  labels?: readonly LabelRow[]
  project?: Project
  /** Files that the project names. */
  missing?: Partial<Record<'anchors' | 'labels', string | undefined>>
  readonly words: Map<SourceFile, string>
  readonly warnings: string[]
}

/** `reading` is that of the documents that stay where these files have none. */
export async function surveyFiles(
  files: readonly SourceFile[],
  reading: Reading
): Promise<{survey: Survey; source: Source | undefined}> {
  const recognised: Recognised[] = []
  for (const file of files) recognised.push({file, ...(await recogniseFile(file))})
  const documents = recognised.filter(({kind}) => kind === 'documents').map(({file}) => file)
  refuseLarge(documents)
  const brought = await readOthers(recognised)
  const columns = documents.length === 0 ? undefined : await lookAt(documents, note => brought.warnings.push(note))
  const {anchors, labels, project, words, warnings} = brought
  const survey: Survey = {
    files: recognised.map(one => surveyedFile(one, words)),
    rows: columns?.rows ?? 0,
    hasMore: columns?.hasMore ?? false,
    columns: columns?.views ?? [],
    reading: project?.reading ?? columns?.reading ?? reading,
    ...(anchors && {anchors}),
    ...(labels && {labels}),
    ...(project && {project}),
    warnings
  }
  return {survey, source: documents.length === 0 ? undefined : fileSource(documents)}
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
  const rowsOf = readDocuments(documents, {fields: [], keepsRecords: 'only', onNote})
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

async function readOthers(files: readonly Recognised[]): Promise<Brought> {
  const brought: Brought = {words: new Map(), warnings: []}
  const once = (what: 'anchors' | 'labels' | 'project', name: string) => {
    if (brought[what] !== undefined)
      throw new AdfaError(
        'bad-file',
        `${name}: there are two files with ${what === 'project' ? 'a project' : what}; give one of them`
      )
  }
  // Files of anchors and labels come last: a project may name them.
  const inOrder = [...files].sort((a, b) => Number(b.kind === 'project') - Number(a.kind === 'project'))
  for (const {kind, file} of inOrder) {
    const {name} = file
    if (kind === 'counts') throw noCounts(name)
    if (kind === 'documents') continue
    const text = await readSourceText(file)
    if (kind === 'anchors') {
      if (brought.project === undefined) once('anchors', name)
      brought.anchors = parseAnchors(text, name)
      brought.words.set(file, `anchors of ${counted(brought.anchors.length, 'concept')}`)
    } else if (kind === 'labels') {
      if (brought.project === undefined) once('labels', name)
      brought.labels = parseLabelRows(text, name)
      brought.words.set(file, counted(brought.labels.length, 'answer'))
    } else if (kind === 'project') {
      once('project', name)
      takeProject(brought, file, text)
    } else {
      const {concepts} = loadModel(text, name)
      brought.words.set(file, `a model of ${counted(concepts.length, 'concept')}, not opened here`)
      const documents = files.flatMap(other => (other.kind === 'documents' ? [other.file.name] : []))
      brought.warnings.push(
        `${name} is a model, and the studio learns models but does not open them. To score documents with it, run adfa predict ` +
          `${name} ${documents.length === 0 ? 'DOCUMENTS' : documents.join(' ')} -o predictions.csv. To change it, give the documents and anchors that it was learned from.`
      )
    }
  }
  const {anchors, labels, project, missing} = brought
  for (const what of ['anchors', 'labels'] as const)
    if (missing?.[what] !== undefined && brought[what] === undefined)
      brought.warnings.push(
        `the project takes its ${what} from ${missing[what]}, which is not here; drop that file too`
      )
  if (project !== undefined) brought.project = {...project, ...(anchors && {anchors}), ...(labels && {labels})}
  return brought
}

function takeProject(brought: Brought, file: SourceFile, text: string): void {
  const opened = parseProjectFile(text, file.name)
  const {anchors, labels} = opened.project
  brought.project = opened.project
  brought.missing = {anchors: opened.anchors, labels: opened.labels}
  brought.words.set(
    file,
    `a project with ${counted(anchors.length, 'concept')} and ${labels.length === 0 ? 'no labels' : counted(labels.length, 'answer')}`
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
  txt: 'text'
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
