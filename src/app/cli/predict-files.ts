import {listed} from '../../base/text/index.ts'
import {createInference, type EvidenceUse, type InferenceMethod} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {textDefaults} from '../../read/data/index.ts'
import {type KnownLabels, usualWorkers} from '../../read/engines/index.ts'
import {
  type DocumentSource,
  openDocuments,
  type TableFormat,
  tableFormatOf,
  withAtomicWriter,
  withTable
} from '../../read/files/index.ts'
import {ColumnSurvey, type DocumentBlock, recordOf} from '../../read/reading/index.ts'
import {type TaggedOptions, type TaggedTable, type TagRule, taggedTable, tagRule} from '../../use/prediction/index.ts'
import type {CommonOptions, FormatOptions, WorkOptions} from './common-options.ts'
import {eachBlock} from './each-block.ts'
import type {Output} from './output.ts'
import {
  createBlockPredictor,
  type DocumentColumns,
  type PredictedBlock,
  type PredictionJob,
  readKnown,
  type TagCounts
} from './predict-blocks.ts'
import {progressOf, readingOf} from './read-input.ts'
import {foreignTags} from './undecided.ts'
import {refuseMissing} from './unseen-fields.ts'

/** What all blocks add up to. */
export interface Predicted {
  readonly documents: number
  readonly unconverged: number
  readonly unseen: readonly string[]
  readonly tags: TagCounts | undefined
  /** Tags of the documents, where these are the known concepts. */
  readonly knownTags: ReadonlySet<string>
}

/** Predicts all documents and closes them; `write` takes the blocks in order. */
async function predictDocuments(
  job: PredictionJob,
  source: DocumentSource,
  {workers = usualWorkers(source), output}: {readonly workers?: number | undefined; readonly output: Output},
  write: (block: PredictedBlock) => Promise<void>
): Promise<Predicted> {
  let sum: Predicted = {documents: 0, unconverged: 0, unseen: [], tags: undefined, knownTags: new Set()}
  const take = async (block: PredictedBlock) => {
    await write(numbered(block, sum.documents + 1))
    sum = added(sum, block)
  }
  const worker = new URL('./predict-worker.ts', import.meta.url)
  const isSlow = job.use.method === 'exact'
  await eachBlock(
    source,
    {stage: 'predicting', job, begin: createBlockPredictor, worker, take},
    {workers: isSlow ? Math.max(1, workers) : workers, output, blocks: isSlow ? singly(source) : undefined}
  )
  return sum
}

/** Blocks of one document, so that the first is written before many more are predicted. */
async function* singly(source: DocumentSource): AsyncGenerator<DocumentBlock> {
  for await (const batch of source.batches()) for (const row of batch) yield [row]
}

/** The block with the numbers of documents without an id, of which the first has the number `first`. */
function numbered(block: PredictedBlock, first: number): PredictedBlock {
  const {bytes, cells, unnamed} = block
  if (unnamed.length === 0) return block
  const parts: Uint8Array[] = []
  let from = 0
  for (const {document, place} of unnamed) {
    const id = String(first + document)
    if (cells.length > 0) cells[document][0] = id
    parts.push(bytes.subarray(from, place), Buffer.from(id))
    from = place
  }
  return cells.length > 0 ? block : {...block, bytes: Buffer.concat([...parts, bytes.subarray(from)])}
}

function added(sum: Predicted, {documents, unconverged, unseen, tags, knownTags}: PredictedBlock): Predicted {
  const isFirst = sum.documents === 0
  return {
    documents: sum.documents + documents,
    unconverged: sum.unconverged + unconverged,
    unseen: isFirst ? unseen : sum.unseen.filter(name => unseen.includes(name)),
    tags: sum.tags === undefined || tags === undefined ? tags : addedTags(sum.tags, tags),
    knownTags: knownTags.length === 0 ? sum.knownTags : new Set([...sum.knownTags, ...knownTags])
  }
}

function addedTags(a: TagCounts, b: TagCounts): TagCounts {
  const plus = (x: readonly number[], y: readonly number[]) => x.map((value, i) => value + y[i])
  return {
    documents: a.documents + b.documents,
    anchored: plus(a.anchored, b.anchored),
    tagged: plus(a.tagged, b.tagged),
    withoutAnchor: plus(a.withoutAnchor, b.withoutAnchor),
    likely: plus(a.likely, b.likely),
    labelled: a.labelled + b.labelled,
    withTags: a.withTags + b.withTags
  }
}

interface TableOptions extends TaggedOptions {
  readonly format: TableFormat
}

/** Looks at the documents for their columns, which a table needs first. */
async function openTaggedTable(
  model: Model,
  source: DocumentSource,
  options: TableOptions,
  output: Output
): Promise<{readonly table: TaggedTable; readonly found: DocumentColumns}> {
  const survey = await surveyColumns(source, options, output)
  const table = taggedTable(model, survey, options)
  const changed = table.renamed.map(name => `"${name}"`)
  if (changed.length > 0)
    output.note(`the documents have columns of the same name, so those added are called ${listed(changed)}`)
  return {table, found: {columns: survey.columns(), dialect: survey.dialect}}
}

async function surveyColumns(
  source: DocumentSource,
  {format, onlyTags}: TableOptions,
  output: Output
): Promise<ColumnSurvey> {
  const survey = new ColumnSurvey()
  const onProgress = progressOf(source, output)
  // Text has no types, and every record of a table the same columns.
  const needsTypes = (format === 'xlsx' || format === 'parquet') && !onlyTags
  let count = 0
  for await (const batch of source.batches()) {
    for (const row of batch) survey.add(recordOf(row))
    if (survey.dialect !== undefined && source.names.length === 1 && !needsTypes) break
    if (onlyTags) break
    count += batch.length
    onProgress('reading the columns', count)
  }
  return survey
}

/** Where tagged documents go; a format other than a table is JSON Lines. */
export interface TaggingOptions extends CommonOptions, FormatOptions, WorkOptions {
  readonly output: string
  /** Answers of people: labelled concepts have the probability 1 or 0. */
  readonly answers: KnownLabels | undefined
}

/** Writes documents with their tags, by the rule of the model. */
export async function tagDocuments(
  model: Model,
  paths: readonly string[],
  {answers, ...options}: TaggingOptions,
  output: Output
): Promise<TagCounts & {readonly rule: TagRule}> {
  const use = {method: 'auto', words: 'model'} as const
  const rule = tagRule(model)
  const tagging = {rule, answers: new Map(answers ?? [])}
  const {tags} = await predictFiles(model, paths, {...options, ...use, rule, tagging}, output)
  if (tags === undefined) throw new Error('internal error: the tags were not counted')
  return {...tags, rule}
}

export interface PredictingOptions extends FormatOptions, WorkOptions {
  readonly output: string
  readonly hideAnchors?: true
  /** Names of concepts, or just `tags`. */
  readonly known?: readonly string[]
  readonly method: 'auto' | InferenceMethod
  readonly words: EvidenceUse['wordModel']
  readonly top?: number
  readonly onlyTags?: true
  readonly allowMissing?: true
}

type FileOptions = PredictingOptions & {
  readonly rule: TagRule | undefined
  /** Writes documents with all of their fields. */
  readonly tagging?: PredictionJob['tagging']
}

export async function predictFiles(
  model: Model,
  paths: readonly string[],
  options: FileOptions,
  output: Output
): Promise<Predicted> {
  const {method, words, top, rule, onlyTags, known, tagging, workers} = options
  const use = {method, wordModel: words, anchors: options.hideAnchors ? 'hidden' : 'used'} as const
  // Refused here, before anything is read or written.
  readKnown(model, known)
  createInference(model, use)
  const format = tableFormatOf(options.output)
  const reading = readingOf(model, options, output)
  const source = openDocuments(paths, {...reading, keepsRecords: format !== undefined || tagging !== undefined})
  const predict = async (written: PredictionJob['written'], write: (block: PredictedBlock) => Promise<void>) => {
    const job = {model, use, known, written, tagging}
    const done = await predictDocuments(job, source, {workers, output}, write)
    if (done.knownTags.size > 0 && model.concepts.every(({name}) => !done.knownTags.has(name)))
      throw foreignTags(done.knownTags, model.lexicon, 'leave --known out')
    return {...done, unseen: await refuseMissing(done.unseen, model.lexicon, paths, options)}
  }
  if (format === undefined) {
    const written =
      tagging === undefined
        ? ({kind: 'predictions', options: {top, rule, onlyTags}} as const)
        : ({kind: 'tagged', rule: tagging.rule} as const)
    return withAtomicWriter(options.output, writer => predict(written, ({bytes}) => writer.write(bytes)))
  }
  const {separator = textDefaults.separator} = reading
  const ofTable = {rule: rule ?? tagRule(model), separator, onlyTags}
  const {table, found} = await openTaggedTable(model, source, {...ofTable, format}, output)
  return withTable(options.output, format, table, writer =>
    predict({kind: 'table', format, options: ofTable, ...found}, async ({bytes, cells}) => {
      await writer.text?.(bytes)
      for (const row of cells) await writer.row(row)
    })
  )
}
