/** What the studio writes: the same bytes as the command line. */
import {AdfaError} from '../../base/checks/index.ts'
import {networkText} from '../../base/network/index.ts'
import {csvLine} from '../../base/text/index.ts'
import {type Model, saveModel} from '../../learn/model/index.ts'
import {countsToBytes} from '../../read/counts/index.ts'
import {anchorsToJson} from '../../read/data/index.ts'
import {tableLines} from '../../read/reading/index.ts'
import {diagnoseModel} from '../../use/advice/index.ts'
import {labelRowsToText} from '../../use/labelling/index.ts'
import {taggedTable, tagRule, unmeasuredConcepts} from '../../use/prediction/index.ts'
import {createDocumentPredictor, numbered, surveyDocuments, type Written} from '../pipeline/index.ts'
import {projectFileName, projectToText} from '../project/index.ts'
import type {ReportTask} from '../report/index.ts'
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
import {type Lists, probabilityOf} from './lists.ts'
import type {LearnedResult} from './pipeline.ts'
import type {ReadOnlyModel} from './survey.ts'
import type {ListQuery} from './views.ts'

const encoder = new TextEncoder()

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
        `${JSON.stringify(anchorsToJson(project.anchors), null, 2)}\n`
      )
    case 'labels':
      return textFile('labels.jsonl', 'application/jsonl', labelRowsToText(project.labels))
    case 'counts': {
      if (results.encoded === undefined || stages.counts.is !== 'ready')
        throw new AdfaError('bad-option', 'the counts are not ready; wait for them, then export again')
      return {name: COUNTS, type: 'application/octet-stream', parts: [countsToBytes(results.encoded.counts)]}
    }
    case 'predictions.jsonl':
    case 'predictions.csv':
      return predictionFile(what, readyModel(facts), facts)
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
  return {name, type, parts: [encoder.encode(text)]}
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

/** As `adfa predict model.json docs -o NAME` writes all documents, also those held out. */
async function predictionFile(
  name: 'predictions.jsonl' | 'predictions.csv',
  {model}: LearnedResult,
  {files: {source, reading}, slices}: Facts
): Promise<ExportedFile> {
  const isTable = name === 'predictions.csv'
  const {reading: fields} = model.lexicon
  const batches = async function* (keepsRecords: boolean | 'only') {
    for await (const {rows} of source.batches(reading, {...fields, keepsRecords})) yield rows
  }
  const parts: Uint8Array[] = []
  let written: Written = {kind: 'predictions'}
  if (isTable) {
    const survey = await surveyDocuments(batches('only'), {isOneFile: source.names.length === 1, hasTypes: false})
    const [columns, {dialect}] = [survey.columns(), survey]
    const options = {rule: tagRule(model), separator: fields.separator}
    written = {kind: 'table', text: 'csv', options, columns, dialect}
    parts.push(encoder.encode(tableLines('csv', taggedTable(model, survey, options)).head))
  }
  const predictor = createDocumentPredictor({model, written})
  let documents = 0
  for await (const rows of batches(isTable)) {
    await slices.each(rows.length, at => predictor.add(rows[at]))
    parts.push(numbered(predictor.take(), documents).bytes)
    documents += rows.length
  }
  return {name, type: isTable ? 'text/csv' : 'application/jsonl', parts}
}

/** Characters of a part of a long file. */
const PART = 1 << 21

/** The current list: id, probability and label of the concept, and the text. */
async function listTable(query: ListQuery, facts: Facts, lists: Lists): Promise<Uint8Array[]> {
  const {documents, results, slices} = facts
  const {concept} = query
  const numbers = await lists.numbers(facts, query)
  const probability = concept === undefined ? undefined : probabilityOf(concept, results)
  const answer = labelReader(facts, concept)
  const {text: fields} = documents.options
  const parts: Uint8Array[] = []
  let lines = csvLine(['id', ...(concept === undefined ? [] : [concept, 'label']), ...fields, 'features'])
  await slices.each(numbers.length, k => {
    const at = numbers[k]
    const {text, features} = documents.row(at)
    const label = answer(at)
    const own =
      concept === undefined ? [] : [probability?.(at).toFixed(3) ?? '', label === undefined ? '' : label ? 'yes' : 'no']
    const cells = [documents.name(at), ...own, ...fields.map(field => text.get(field) ?? ''), features.join('|')]
    lines += csvLine(cells)
    if (lines.length < PART) return
    parts.push(encoder.encode(lines))
    lines = ''
  })
  return [...parts, encoder.encode(lines)]
}
