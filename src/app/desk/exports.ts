/** What the studio writes: the same bytes as the command line. */
import {AdfaError} from '../../base/checks/index.ts'
import {networkText} from '../../base/network/index.ts'
import {csvLine} from '../../base/text/index.ts'
import {createInference} from '../../learn/inference/index.ts'
import {type Model, saveModel} from '../../learn/model/index.ts'
import {countsToBytes} from '../../read/counts/index.ts'
import {anchorsToJson, createEncoder} from '../../read/data/index.ts'
import {ColumnSurvey, recordOf, tableLines} from '../../read/reading/index.ts'
import {diagnoseModel} from '../../use/advice/index.ts'
import {labelRowsToText} from '../../use/labelling/index.ts'
import {predictionWriter, taggedTable, tagRule, unmeasuredConcepts} from '../../use/prediction/index.ts'
import type {ReportTask} from '../drawing/index.ts'
import type {Documents} from './documents.ts'
import {COUNTS, type ExportedFile, type ExportKind, MODEL, type NetworkExport, REPORT} from './export-kinds.ts'
import {learnAnchorsOf} from './learn-options.ts'
import {type ListSource, labelReader} from './list-source.ts'
import {type Lists, probabilityOf} from './lists.ts'
import type {LearnedResult, Stages} from './pipeline.ts'
import type {Reading} from './project.ts'
import {projectFileName, projectToText} from './project-file.ts'
import type {Slices} from './slices.ts'
import type {Source} from './sources.ts'
import type {ListQuery} from './views.ts'

/** Characters of one part. */
const PART = 1 << 21

/** Collects text as parts of a file. */
class Parts {
  readonly #encoder = new TextEncoder()
  readonly #parts: Uint8Array[] = []
  #text = ''

  add(text: string): void {
    this.#text += text
    if (this.#text.length >= PART) this.#flush()
  }

  finish(): Uint8Array[] {
    this.#flush()
    return this.#parts
  }

  #flush(): void {
    if (this.#text !== '') this.#parts.push(this.#encoder.encode(this.#text))
    this.#text = ''
  }
}

export interface ExportTools {
  /** The files that the documents are from, and how these are read. */
  readonly files: {readonly source: Source; readonly reading: Reading}
  readonly source: ListSource
  readonly stages: Stages
  readonly lists: Lists
  readonly slices: Slices
  /** The text of report.html. */
  report(task: ReportTask): Promise<string>
}

export async function exportFile(what: ExportKind, query: ListQuery, tools: ExportTools): Promise<ExportedFile> {
  const {project, results} = tools.source
  switch (what) {
    case 'project':
      return textFile(projectFileName(project), 'application/json', projectToText(project))
    case 'anchors':
      return textFile(
        'anchors.json',
        'application/json',
        `${JSON.stringify(anchorsToJson(learnAnchorsOf(project)), null, 2)}\n`
      )
    case 'labels':
      return textFile('labels.jsonl', 'application/jsonl', labelRowsToText(project.labels))
    case 'model':
      return textFile(MODEL, 'application/json', saveModel(readyModel(tools).model))
    case 'counts': {
      if (results.encoded === undefined || tools.stages.counts.is !== 'ready') throw notReady('counts are')
      return {
        name: COUNTS,
        type: 'application/octet-stream',
        parts: [countsToBytes(results.encoded.counts)]
      }
    }
    case 'predictions.jsonl':
      return {name: what, type: 'application/jsonl', parts: await predictionLines(readyModel(tools), tools)}
    case 'predictions.csv':
      return {name: what, type: 'text/csv', parts: await predictionTable(readyModel(tools), tools)}
    case 'documents.csv':
      return {name: what, type: 'text/csv', parts: await listTable(query, tools)}
    case 'project-with-model':
      return textFile(
        projectFileName({...project, name: `${project.name}-with-model`}),
        'application/json',
        projectToText(project, saveModel(readyModel(tools).model))
      )
    case 'bif':
    case 'dot':
    case 'uai':
    case 'edges-csv':
      return networkFile(what, readyModel(tools).model)
    case 'report':
      return textFile(REPORT, 'text/html', await tools.report(await reportTask(tools)))
  }
}

/** The network as `adfa export` writes it. */
export function networkFile(
  what: NetworkExport,
  model: Pick<Model, 'network' | 'concepts' | 'certificate'>
): ExportedFile {
  const {network, concepts} = model
  const names = concepts.map(({name}) => name)
  const isTable = what === 'edges-csv'
  return textFile(
    isTable ? 'edges.csv' : `network.${what}`,
    isTable ? 'text/csv' : 'text/plain',
    networkText(network, names, isTable ? 'csv' : what, unmeasuredConcepts(model))
  )
}

export function textFile(name: string, type: string, text: string): ExportedFile {
  const parts = new Parts()
  parts.add(text)
  return {name, type, parts: parts.finish()}
}

function notReady(what: string): AdfaError {
  return new AdfaError('bad-option', `the ${what} not ready; wait for the fit, then export again`)
}

/** The model of the project as it is now. */
function readyModel({source, stages}: ExportTools): LearnedResult {
  const {learned} = source.results
  if (learned === undefined || stages.numbers.is !== 'ready') throw notReady('numbers are')
  return learned
}

/** As `adfa report model.json --counts documents.counts --title NAME` makes it; with `--data` once this model is evaluated. */
async function reportTask(tools: ExportTools): Promise<ReportTask> {
  const learned = readyModel(tools)
  const {encoded, model} = learned
  const {project, judged} = tools.source
  const {evaluation, learnedShare, files} = (judged?.learned === learned ? judged.figures : undefined) ?? {}
  return {
    title: project.name,
    model,
    diagnosis: await diagnoseModel(model, encoded.counts, COUNTS),
    evaluation,
    learnedShare,
    files: {model: MODEL, counts: COUNTS, data: files?.data, train: files?.train}
  }
}

/** As `adfa predict model.json docs -o predictions.jsonl` writes them. */
async function predictionLines(learned: LearnedResult, {source, slices}: ExportTools): Promise<Uint8Array[]> {
  const {documents} = source
  const next = predictions(learned, documents)
  const write = predictionWriter(learned.model)
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  let text = ''
  await slices.each(documents.total, place => {
    const {id, probabilities} = next(place)
    text += write(id, probabilities)
    if (text.length < PART) return
    parts.push(encoder.encode(text))
    text = ''
  })
  return [...parts, encoder.encode(text)]
}

/** Of all documents, place by place, also of those held out. */
function predictions({model, evidence}: LearnedResult, documents: Documents) {
  const inference = createInference(model)
  const read = createEncoder(model.lexicon).encode
  let at = 0
  return (place: number) => {
    const held = documents.heldOut.get(place)
    const id = held === undefined ? documents.id(at) : (held.id ?? place + 1)
    const own = held === undefined ? evidence(at++) : read(held)
    const {probabilities} = inference.posterior(own)
    return {id, probabilities, anchors: own.anchors}
  }
}

/** As `adfa predict model.json docs -o predictions.csv` writes them: all columns of the documents, tags, a column per concept. */
async function predictionTable(learned: LearnedResult, tools: ExportTools): Promise<Uint8Array[]> {
  const {files, slices} = tools
  const {source, reading} = files
  const {model} = learned
  const {reading: text} = model.lexicon
  const records = () => source.batches(reading, {...text, keepsRecords: 'only'})
  const survey = new ColumnSurvey()
  for await (const {rows} of records()) {
    for (const row of rows) survey.add(recordOf(row))
    // All records of a table have the same columns.
    if (survey.dialect !== undefined && source.names.length === 1) break
  }
  const table = taggedTable(model, survey, {rule: tagRule(model), separator: text.separator})
  const {head, line} = tableLines('csv', table)
  const next = predictions(learned, tools.source.documents)
  const parts = new Parts()
  parts.add(head)
  let first = 0
  for await (const {rows} of records()) {
    await slices.each(rows.length, k => {
      const {probabilities, anchors} = next(first + k)
      parts.add(line(table.cells(rows[k], first + k + 1, probabilities, anchors)))
    })
    first += rows.length
  }
  return parts.finish()
}

/** The current list: id, probability and label of the concept, and the text. */
async function listTable(query: ListQuery, {source, lists, slices}: ExportTools): Promise<Uint8Array[]> {
  const {documents, results} = source
  const {concept} = query
  const numbers = await lists.numbers(source, query)
  const probability = concept === undefined ? undefined : probabilityOf(concept, results)
  const answer = labelReader(source, concept)
  const {text: fields} = documents.options
  const parts = new Parts()
  parts.add(csvLine(['id', ...(concept === undefined ? [] : [concept, 'label']), ...fields, 'features']))
  await slices.each(numbers.length, k => {
    const at = numbers[k]
    const {text, features} = documents.row(at)
    const label = answer(at)
    const own =
      concept === undefined ? [] : [probability?.(at).toFixed(3) ?? '', label === undefined ? '' : label ? 'yes' : 'no']
    const cells = [documents.name(at), ...own, ...fields.map(field => text.get(field) ?? ''), features.join('|')]
    parts.add(csvLine(cells))
  })
  return parts.finish()
}
