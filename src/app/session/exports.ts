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
import {type Facts, labelReader, probabilityOf, readyModel} from './facts.ts'

/** What the studio saves. */
export type ExportKind = keyof typeof EXPORTS | 'documents.csv'

export interface ExportedFile {
  readonly name: string
  readonly type: string
  readonly parts: readonly Uint8Array[]
}

/** The text of report.html. */
type MakeReport = (task: ReportTask) => Promise<string>

/** The parts of a file, or its text, with its name and its type. */
interface Made {
  readonly name: string
  readonly type: string
  readonly content: string | readonly Uint8Array[]
}

type MakeFile = (facts: Facts, report: MakeReport) => Made | Promise<Made>

const JSON_TYPE = 'application/json'
/** Names of files that commands read, too. */
const MODEL = 'model.json'
const COUNTS = 'documents.counts'

const EXPORTS = {
  project: ({project}) => ({name: projectFileName(project), type: JSON_TYPE, content: projectToText(project)}),
  'project-with-model'(facts) {
    const {project} = facts
    const name = projectFileName({...project, name: `${project.name}-with-model`})
    return {name, type: JSON_TYPE, content: projectToText(project, saveModel(readyModel(facts).model))}
  },
  anchors: ({project}) => ({
    name: 'anchors.json',
    type: JSON_TYPE,
    content: `${JSON.stringify(anchorsToJson(project.anchors), null, 2)}\n`
  }),
  labels: ({project}) => ({name: 'labels.jsonl', type: 'application/jsonl', content: labelRowsToText(project.labels)}),
  model: facts => ({name: MODEL, type: JSON_TYPE, content: saveModel(readyModel(facts).model)}),
  counts({results: {encoded}, stages}) {
    if (encoded === undefined || stages.counts.is !== 'ready')
      throw new AdfaError('bad-option', 'the counts are not ready; wait for them, then export again')
    return {name: COUNTS, type: 'application/octet-stream', content: [countsToBytes(encoded.counts)]}
  },
  report: async (facts, report) => ({
    name: 'report.html',
    type: 'text/html',
    content: await report(await reportTask(facts))
  }),
  'predictions.jsonl': facts => predictions('predictions.jsonl', facts),
  'predictions.csv': facts => predictions('predictions.csv', facts),
  bif: facts => network(facts, 'bif'),
  dot: facts => network(facts, 'dot'),
  uai: facts => network(facts, 'uai'),
  'edges-csv': facts => ({...network(facts, 'csv'), name: 'edges.csv', type: 'text/csv'})
} as const satisfies Readonly<Record<string, MakeFile>>

export async function exportFile(what: keyof typeof EXPORTS, facts: Facts, report: MakeReport): Promise<ExportedFile> {
  const make: MakeFile = EXPORTS[what]
  const {content, ...file} = await make(facts, report)
  return {...file, parts: typeof content === 'string' ? [new TextEncoder().encode(content)] : content}
}

/** The network, as `adfa export` writes it. */
function network(facts: Facts, format: Parameters<typeof networkText>[2]): Made {
  const {model} = readyModel(facts)
  const names = model.concepts.map(({name}) => name)
  const content = networkText(model.network, names, format, unmeasuredConcepts(model))
  return {name: `network.${format}`, type: 'text/plain', content}
}

/** As `adfa report model.json --counts documents.counts --title NAME` makes it; with `--data` once this model is evaluated. */
async function reportTask(facts: Facts): Promise<ReportTask> {
  const learned = readyModel(facts)
  const {encoded, model} = learned
  const {project, judged} = facts
  const {evaluation, learnedShare, files} = (judged?.learned === learned ? judged.reported : undefined) ?? {}
  return {
    title: project.name,
    model,
    diagnosis: await diagnoseModel(model, encoded.counts, COUNTS),
    evaluation,
    learnedShare,
    files: {model: MODEL, counts: COUNTS, ...files}
  }
}

/** As `adfa predict model.json docs -o NAME` writes all documents, also those held out. */
async function predictions(name: 'predictions.jsonl' | 'predictions.csv', facts: Facts): Promise<Made> {
  const {files, work} = facts
  const {source, reading} = files
  const {model}: {readonly model: Model} = readyModel(facts)
  const isTable = name === 'predictions.csv'
  const {reading: fields} = model.lexicon
  const batches = async function* (keepsRecords: boolean | 'only') {
    for await (const {rows} of source.batches(reading, {...fields, keepsRecords})) yield rows
  }
  const parts: Uint8Array[] = []
  let written: Written = {kind: 'predictions'}
  if (isTable) {
    const survey = await surveyDocuments(batches('only'), {isOneFile: source.names.length === 1, hasTypes: false})
    const options = {rule: tagRule(model), separator: fields.separator}
    written = {kind: 'table', text: 'csv', options, columns: survey.columns(), dialect: survey.dialect}
    parts.push(new TextEncoder().encode(tableLines('csv', taggedTable(model, survey, options)).head))
  }
  const predictor = createDocumentPredictor({model, written})
  let documents = 0
  for await (const rows of batches(isTable)) {
    await work.each(rows.length, at => predictor.add(rows[at]))
    parts.push(numbered(predictor.take(), documents).bytes)
    documents += rows.length
  }
  return {name, type: isTable ? 'text/csv' : 'application/jsonl', content: parts}
}

/** Characters of a part of a long file. */
const PART = 1 << 21

/** A list of documents: id, probability and label of the concept, and the text. */
export async function exportList(
  facts: Facts,
  concept: string | undefined,
  numbers: readonly number[]
): Promise<ExportedFile> {
  const {documents, results, work} = facts
  const probability = concept === undefined ? undefined : probabilityOf(concept, results)
  const answer = labelReader(facts, concept)
  const {text: fields} = documents.options
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  let lines = csvLine(['id', ...(concept === undefined ? [] : [concept, 'label']), ...fields, 'features'])
  await work.each(numbers.length, k => {
    const at = numbers[k]
    const {text, features} = documents.row(at)
    const label = answer(at)
    const own =
      concept === undefined ? [] : [probability?.(at).toFixed(3) ?? '', label === undefined ? '' : label ? 'yes' : 'no']
    lines += csvLine([documents.name(at), ...own, ...fields.map(field => text.get(field) ?? ''), features.join('|')])
    if (lines.length < PART) return
    parts.push(encoder.encode(lines))
    lines = ''
  })
  return {name: 'documents.csv', type: 'text/csv', parts: [...parts, encoder.encode(lines)]}
}
