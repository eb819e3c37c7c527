import {basename} from 'node:path'
import {listed} from '../../base/text/index.ts'
import {createInference} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {textDefaults} from '../../read/data/index.ts'
import {
  type DocumentSource,
  type OnFinished,
  openDocuments,
  type TableFormat,
  tableFormatOf,
  withAtomicWriter,
  withTable
} from '../../read/files/index.ts'
import type {TableWriter} from '../../read/reading/index.ts'
import {type TaggedOptions, type TagRule, taggedTable, tagRule} from '../../use/prediction/index.ts'
import {
  addPredicted,
  createDocumentPredictor,
  nothingPredicted,
  numbered,
  type Predicted,
  type PredictedBlock,
  type PredictionJob,
  readKnown,
  surveyDocuments,
  type Written
} from '../pipeline/index.ts'
import {type FormatOptions, type InferringOptions, usageError, type WorkOptions} from './common-options.ts'
import {eachBlock} from './each-block.ts'
import type {Output} from './output.ts'
import {progressOf, readingOf} from './read-input.ts'
import {foreignTags} from './undecided.ts'
import {refuseMissing} from './unseen-fields.ts'

/** The columns of the table for these documents. */
async function openTaggedTable(
  model: Model,
  source: DocumentSource,
  {format, ...options}: TaggedOptions & {readonly format: TableFormat},
  output: Output
) {
  const onProgress = progressOf(source, output)
  const survey = await surveyDocuments(source.batches(), {
    isOneFile: source.names.length === 1,
    hasTypes: (format === 'xlsx' || format === 'parquet') && !options.onlyTags,
    onlyTags: options.onlyTags,
    onRows: count => onProgress('reading the columns', count)
  })
  const table = taggedTable(model, survey, options)
  const changed = table.renamed.map(name => `"${name}"`)
  if (changed.length > 0)
    output.note(`the documents have columns of the same name, so those added are called ${listed(changed)}`)
  const text = format === 'csv' || format === 'tsv' ? format : undefined
  return {table, written: {kind: 'table', text, options, columns: survey.columns(), dialect: survey.dialect} as const}
}

export interface PredictingOptions extends FormatOptions, InferringOptions, WorkOptions {
  readonly output: string
  readonly top?: number
  readonly onlyTags?: true
  readonly allowMissing?: true
}

/** The table that a file's name stands for, or undefined for JSON Lines, which are all names without an ending. */
export function formatOf(path: string): TableFormat | undefined {
  const format = tableFormatOf(path)
  const [, ending] = /\.(\w+)(?:\.gz)?$/.exec(basename(path)) ?? []
  if (format !== undefined || ending === undefined || /^(jsonl|ndjson|json)$/i.test(ending)) return format
  throw usageError(
    `${path}: .${ending} cannot be written; give a name that ends in .csv, .tsv, .xlsx, .parquet or .jsonl`
  )
}

type FileOptions = PredictingOptions & {
  readonly rule: TagRule | undefined
  /** Writes documents with all of their fields. */
  readonly tagging?: PredictionJob['tagging']
  readonly onFinished?: OnFinished | undefined
}

/** Opens documents to predict; a table of predictions has all of their columns. */
export function openToPredict(
  model: Model,
  paths: readonly string[],
  options: FormatOptions & {readonly output: string},
  output: Output
): DocumentSource {
  const keepsRecords = formatOf(options.output) !== undefined
  return openDocuments(paths, {...readingOf(model, options, output), keepsRecords})
}

/** Predicts all documents, writes their file and closes them. */
export async function predictFiles(
  model: Model,
  source: DocumentSource,
  options: FileOptions,
  output: Output
): Promise<Predicted> {
  const {method, words, top, rule, onlyTags, known, tagging, workers, onFinished} = options
  const use = {method, wordModel: words, anchors: options.hideAnchors ? 'hidden' : 'used'} as const
  // Refused here, before anything is read or written.
  readKnown(model, known)
  createInference(model, use)
  const format = formatOf(options.output)
  const predict = async (written: Written, write: (made: ReturnType<typeof numbered>) => Promise<void>) => {
    const job: PredictionJob = {model, use, known, written, tagging}
    const worker = new URL('./predict-worker.ts', import.meta.url)
    let done = nothingPredicted
    const take = async (block: PredictedBlock) => {
      await write(numbered(block, done.documents))
      done = addPredicted(done, block)
    }
    await eachBlock(source, {stage: 'predicting', job, begin: createDocumentPredictor, worker, take}, {workers, output})
    if (done.knownTags.size > 0 && model.concepts.every(({name}) => !done.knownTags.has(name)))
      throw foreignTags(done.knownTags, model.lexicon, 'leave --known out')
    return {...done, unseen: await refuseMissing(done.unseen, model.lexicon, source.names, options)}
  }
  if (format === undefined) {
    const written =
      tagging === undefined
        ? ({kind: 'predictions', options: {top, rule, onlyTags}} as const)
        : ({kind: 'tagged', rule: tagging.rule} as const)
    return withAtomicWriter(options.output, writer => predict(written, ({bytes}) => writer.write(bytes)), onFinished)
  }
  const {separator = model.lexicon.reading.separator ?? textDefaults.separator} = options
  const ofTable = {rule: rule ?? tagRule(model), separator, onlyTags}
  const {table, written} = await openTaggedTable(model, source, {...ofTable, format}, output)
  const write = (writer: TableWriter) =>
    predict(written, async ({bytes, cells}) => {
      if (cells.length === 0) await writer.text?.(bytes)
      for (const row of cells) await writer.row(row)
    })
  return withTable(options.output, format, table, write, onFinished)
}
