/** What the studio writes: the same bytes as the command line. */
import {AdfaError} from '../../base/checks/index.ts'
import {networkText} from '../../base/network/index.ts'
import {csvLine} from '../../base/text/index.ts'
import {createInference} from '../../learn/inference/index.ts'
import {type Model, saveModel} from '../../learn/model/index.ts'
import {countsToBytes} from '../../read/counts/index.ts'
import {anchorsToJson, Encoder} from '../../read/data/index.ts'
import {ColumnSurvey, recordOf, tableLines} from '../../read/reading/index.ts'
import {diagnoseModel} from '../../use/advice/index.ts'
import {labelRowsToText} from '../../use/labelling/index.ts'
import {predictionWriter, taggedTable, tagRule, unmeasuredConcepts} from '../../use/prediction/index.ts'
import type {ReportTask} from '../report/index.ts'
import type {Documents} from './documents.ts'
import {
  COUNTS,
  type ExportedFile,
  type ExportKind,
  isReadOnlyExport,
  MODEL,
  REPORT,
  type ReadOnlyExport
} from './export-kinds.ts'
import {type Facts, labelReader, readyModel} from './facts.ts'
import {learnAnchorsOf} from './learn-options.ts'
import {type Lists, probabilityOf} from './lists.ts'
import type {LearnedResult} from './pipeline.ts'
import {projectFileName, projectToText} from './project-file.ts'
import type {ReadOnlyModel} from './survey.ts'
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

/** The text of report.html. */
type MakeReport = (task: ReportTask) => Promise<string>

export async function exportFile(
  what: ExportKind,
  query: ListQuery,
  facts: Facts,
  lists: Lists,
  report: MakeReport
): Promise<ExportedFile> {
  const {project, results, stages} = facts
  if (isReadOnlyExport(what))
    return modelFile(what, readyModel(facts).model, async () => report(await reportTask(facts)))
  switch (what) {
    case 'project':
      return textFile(projectFileName(project), 'application/json', projectToText(project))
    case 'project-with-model':
      return textFile(
        projectFileName({...project, name: `${project.name}-with-model`}),
        'application/json',
        projectToText(project, saveModel(readyModel(facts).model))
      )
    case 'anchors':
      return textFile(
        'anchors.json',
        'application/json',
        `${JSON.stringify(anchorsToJson(learnAnchorsOf(project)), null, 2)}\n`
      )
    case 'labels':
      return textFile('labels.jsonl', 'application/jsonl', labelRowsToText(project.labels))
    case 'counts': {
      if (results.encoded === undefined || stages.counts.is !== 'ready')
        throw new AdfaError('bad-option', 'the counts are not ready; wait for them, then export again')
      return {name: COUNTS, type: 'application/octet-stream', parts: [countsToBytes(results.encoded.counts)]}
    }
    case 'predictions.jsonl':
      return {name: what, type: 'application/jsonl', parts: await predictionLines(readyModel(facts), facts)}
    case 'predictions.csv':
      return {name: what, type: 'text/csv', parts: await predictionTable(readyModel(facts), facts)}
    case 'documents.csv':
      return {name: what, type: 'text/csv', parts: await listTable(query, facts, lists)}
  }
}

/** The same bytes as the command line writes from the model alone; what needs documents is refused. */
export async function exportReadOnly(
  what: ExportKind,
  {file, model}: ReadOnlyModel,
  report: MakeReport
): Promise<ExportedFile> {
  if (!isReadOnlyExport(what))
    throw new AdfaError('bad-option', `${file} is open without its documents, which this needs; add them on Start`)
  return modelFile(what, model, () => report({title: `Report on ${file}`, model, files: {model: file}}))
}

async function modelFile(what: ReadOnlyExport, model: Model, report: () => Promise<string>): Promise<ExportedFile> {
  if (what === 'model') return textFile(MODEL, 'application/json', saveModel(model))
  if (what === 'report') return textFile(REPORT, 'text/html', await report())
  const names = model.concepts.map(({name}) => name)
  const [name, type, format] =
    what === 'edges-csv'
      ? (['edges.csv', 'text/csv', 'csv'] as const)
      : ([`network.${what}`, 'text/plain', what] as const)
  return textFile(name, type, networkText(model.network, names, format, unmeasuredConcepts(model)))
}

function textFile(name: string, type: string, text: string): ExportedFile {
  const parts = new Parts()
  parts.add(text)
  return {name, type, parts: parts.finish()}
}

/** As `adfa report model.json --counts documents.counts --title NAME` makes it; with `--data` once this model is evaluated. */
async function reportTask(facts: Facts): Promise<ReportTask> {
  const learned = readyModel(facts)
  const {encoded, model} = learned
  const {project, judged} = facts
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
async function predictionLines(learned: LearnedResult, {documents, slices}: Facts): Promise<Uint8Array[]> {
  const next = predictions(learned, documents)
  const write = predictionWriter(learned.model)
  const parts = new Parts()
  await slices.each(documents.total, place => {
    const {id, probabilities} = next(place)
    parts.add(write(id, probabilities))
  })
  return parts.finish()
}

/** Of all documents, place by place, also of those held out. */
function predictions({model, evidence}: LearnedResult, documents: Documents) {
  const inference = createInference(model)
  const read = new Encoder(model.lexicon).encode
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
async function predictionTable(learned: LearnedResult, facts: Facts): Promise<Uint8Array[]> {
  const {documents, slices} = facts
  const {source, reading} = facts.files
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
  const next = predictions(learned, documents)
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
async function listTable(query: ListQuery, facts: Facts, lists: Lists): Promise<Uint8Array[]> {
  const {documents, results, slices} = facts
  const {concept} = query
  const numbers = await lists.numbers(facts, query)
  const probability = concept === undefined ? undefined : probabilityOf(concept, results)
  const answer = labelReader(facts, concept)
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
