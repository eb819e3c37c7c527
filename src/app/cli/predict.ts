import type {Command} from 'commander'
import {counted, percent} from '../../base/text/index.ts'
import {
  createInference,
  type InferenceMethod,
  type InferenceOptions,
  type Posterior
} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {createEncoder, type Evidence, FieldSurvey, type Labels, type Row, textDefaults} from '../../read/data/index.ts'
import {openThreads} from '../../read/engines/index.ts'
import {openDocuments, type TableFormat, tableFormatOf, withAtomicWriter, withTable} from '../../read/files/index.ts'
import {predictionLine, type SqlDatabase, sqlDatabases, taggedLine, tagsFrom} from '../../use/prediction/index.ts'
import {
  addCommonOptions,
  type CommonOptions,
  moreNames,
  outputOf,
  positiveNumber,
  readModel,
  usageError
} from './common-options.ts'
import {addCommand} from './declare.ts'
import {addFormatOptions, type FormatOptions} from './format-options.ts'
import type {Output} from './output.ts'
import {writeSql} from './predict-sql.ts'
import {openTaggedTable} from './predict-table.ts'
import {parseThreshold, readThreshold, type ThresholdOptions, tagRule, usualThreshold} from './predict-threshold.ts'
import {eachDocument, readingOf} from './read-input.ts'
import {fieldsWithWords, unseenNote} from './unseen-fields.ts'

interface PredictOptions extends CommonOptions, FormatOptions, ThresholdOptions {
  readonly output: string
  readonly hideAnchors?: true
  /** Names of concepts, or just `tags`. */
  readonly known?: readonly string[]
  readonly method: 'auto' | InferenceMethod
  readonly top?: number
  readonly onlyTags?: true
  readonly sql?: SqlDatabase
}

export function addPredictCommand(program: Command): void {
  const command = addCommand(program, {
    output: {preset: '-', shown: 'standard output'},
    top: positiveNumber,
    threshold: parseThreshold,
    sql: sqlDatabases,
    known: moreNames,
    words: WORD_MODELS,
    method: {choices: ['auto', 'exact', 'message-passing', 'gibbs'], preset: 'auto'}
  })`
predict: compute the probability of every concept in documents
Write one row or line per document, in input order. A table (-o tagged.csv, .tsv, .xlsx, .parquet) has all columns of the documents, "tags" (the
concepts to report) and the probability of each concept. Other names are JSON Lines: {"id", "posterior": {concept: probability}}.
  <model>              a model file
  [docs...]            document files, or -
  -o, --output <file>  file to write: .csv, .tsv, .xlsx, .parquet, .jsonl
  --top <k>            list only the k most probable concepts of each document in "posterior"
  --threshold <p>      tags are the concepts with at least this probability, most probable first; best, the default of tables: the threshold of the
      model, which maximises the expected F1
  --only-tags          write the id and the tags alone
  --sql <database>     write a query that scores documents inside the database instead
  --hide-anchors       ignore the anchors
  --known <tags>       concepts known to be present, separated by commas, or "tags": the tags of each document
  ${WORDS_OPTION}
  --method <name>      inference by noisy-or links: auto is exact for few concepts and message passing for more; gibbs is a slow reference

Examples:
  adfa predict model.json notes.csv -o tagged.csv
  adfa predict model.json notes.csv -o tagged.xlsx --threshold 0.8
  adfa predict model.json new.jsonl --only-tags -o tags.csv
  adfa predict model.json --sql duckdb -o score.sql
  adfa predict model.json new.jsonl -o predictions.jsonl
  adfa predict model.json new.jsonl --top 3 | head
  adfa predict model.json new.jsonl --known asthma,fever --hide-anchors -o predictions.jsonl`
  addCommonOptions(addFormatOptions(command)).action(runPredict)
}

async function runPredict(
  modelPath: string,
  paths: string[],
  options: PredictOptions,
  command: Command
): Promise<void> {
  const output = outputOf(options, command)
  if (options.sql !== undefined) return writeSql(modelPath, paths, command, output)
  if (paths.length === 0)
    throw usageError("missing required argument 'docs'; name at least one file, or - for standard input")
  const model = await readModel(modelPath)
  const format = tableFormatOf(options.output)
  const needsTags = format !== undefined || options.onlyTags === true
  if (options.top !== undefined && needsTags)
    throw usageError('--top is for "posterior" in JSON Lines, which is not written here; leave it out')
  const asked = options.threshold ?? (needsTags ? usualThreshold(model, options) : undefined)
  const threshold = asked === undefined ? undefined : readThreshold(model, asked, options)
  if (asked === 'best' && threshold !== undefined && options.hideAnchors)
    output.note(
      `the threshold of the model, ${percent(threshold)}, was chosen for predictions that use anchors; without them another one may do better`
    )
  const started = performance.now()
  const done = await predictFiles(model, paths, {...options, threshold}, output)
  const {documents, unconverged, unseen} = done
  const seconds = (performance.now() - started) / 1000
  const wordModel = options.words === 'noisy-or' ? 'noisy-or' : model.wordModel.kind
  const {length: concepts} = model.concepts
  output.json({file: options.output, documents, concepts, wordModel, threshold, unconverged, seconds})
  if (unseen.length > 0) output.note(unseenNote(unseen))
  if (unconverged > 0)
    output.note(`${unconverged} of ${documents} posteriors did not fully converge; check them with --method gibbs`)
  if (options.output !== '-')
    output.print(
      `${counted(documents, 'document')} in ${seconds.toFixed(2)} s${threshold === undefined ? '' : `; tags ${tagRule(model, threshold)}`}\nwrote ${options.output}`
    )
}

/** Which word model predictions use. */
export const WORDS_OPTION =
  '--words <name>  word model: the one chosen when fitting (model), or the noisy-or links, which every model has'
export const WORD_MODELS = {choices: ['model', 'noisy-or'], preset: 'model'}

/** Where tagged documents go; a format other than a table is JSON Lines. */
export interface TaggingOptions extends CommonOptions, FormatOptions {
  readonly output: string
  /** Answers of people: labelled concepts have the probability 1 or 0. */
  readonly known: Labels | undefined
  readonly onTags: (document: TaggedDocument) => void
}

export interface TaggedDocument {
  readonly isTagged: (concept: number) => boolean
  /** The concepts whose anchor fires. */
  readonly anchors: readonly number[]
  /** Whether a person has labelled some concept of it. */
  readonly isLabelled: boolean
  /** Whether it came with tags. */
  readonly hasTags: boolean
}

/** Writes documents with their tags, by the threshold of the model; returns the threshold. */
export async function tagDocuments(
  model: Model,
  paths: readonly string[],
  options: TaggingOptions,
  output: Output
): Promise<number> {
  const use = {method: 'auto', words: 'model'} as const
  const threshold = readThreshold(model, usualThreshold(model, use), use)
  const {known, onTags, ...others} = options
  const answers = createEncoder(model.lexicon, known ?? {get: () => undefined})
  const answered = (row: Row, {anchors}: Evidence, probabilities: ArrayLike<number>) => {
    const labels = answers.labels(row)
    const shown = Array.from(probabilities, (p, i) => (labels === undefined || labels[i] < 0 ? p : labels[i]))
    const tags = new Set(tagsFrom(model, shown, threshold))
    const isLabelled = labels?.some(label => label >= 0) ?? false
    onTags({
      isTagged: i => tags.has(model.concepts[i].name),
      anchors: Array.from(anchors),
      isLabelled,
      hasTags: row.tags !== undefined
    })
    return shown
  }
  await predictFiles(model, paths, {...others, ...use, threshold, answered}, output)
  return threshold
}

async function predictFiles(
  model: Model,
  paths: readonly string[],
  options: Omit<PredictOptions, 'threshold'> & {readonly threshold: number | undefined} & {
    /** What to write instead of the probabilities of a document, together with all of its fields. */
    readonly answered?: (row: Row, evidence: Evidence, probabilities: ArrayLike<number>) => ArrayLike<number>
  },
  output: Output
): Promise<{documents: number; unconverged: number; unseen: readonly string[]}> {
  const {method, words, seed, top, threshold, onlyTags, answered} = options
  const encoder = createEncoder(model.lexicon)
  const anchors = options.hideAnchors ? 'hidden' : 'used'
  const inference = openInference(model, {method, wordModel: words, anchors, seed})
  const knownTags = readKnown(model, options.known)
  const format = tableFormatOf(options.output)
  const reading = readingOf(model, options, output)
  const source = openDocuments(paths, {...reading, keepsRecords: format !== undefined || answered !== undefined})
  const survey = new FieldSurvey(model.lexicon.text)
  let number = 0
  let unconverged = 0
  const predict = async (row: Row) => {
    number++
    survey.add(row)
    const evidence = encoder.encode(row)
    const {probabilities, certificate} = await inference.posterior(evidence, knownTags(row))
    if (certificate.status === 'step-limit') unconverged++
    return answered?.(row, evidence, probabilities) ?? probabilities
  }
  const eachPrediction = (write: (row: Row, probabilities: ArrayLike<number>) => Promise<void>) =>
    eachDocument(source, 'predicting', output, async row => write(row, await predict(row)))
  const writeLines = () =>
    withAtomicWriter(options.output, writer =>
      eachPrediction((row, probabilities) =>
        writer.write(
          answered === undefined || threshold === undefined
            ? predictionLine(model, row.id ?? number, probabilities, {top, threshold, onlyTags})
            : taggedLine(model, row, probabilities, threshold)
        )
      )
    )
  const writeTable = async (format: TableFormat) => {
    const {separator = textDefaults.separator} = reading
    const table = await openTaggedTable(
      model,
      source,
      {format, threshold: threshold ?? 0.5, separator, onlyTags},
      output
    )
    return withTable(options.output, format, table, ({row: write}) =>
      eachPrediction((row, probabilities) => write(table.cells(row, number, probabilities)))
    )
  }
  const documents = await (format === undefined ? writeLines() : writeTable(format)).finally(inference.close)
  return {documents, unconverged, unseen: fieldsWithWords(survey.unseen(), model.lexicon)}
}

export interface InferenceWork {
  readonly model: Model
  readonly use: Partial<InferenceOptions>
}

export interface InferenceTasks {
  posterior(document: {readonly evidence: Evidence; readonly known: Int8Array | undefined}): Posterior
}

/** These may take a second per document, during which no signal would get through: they run on a thread. */
const SLOW: readonly string[] = ['exact', 'gibbs']

function openInference(model: Model, use: Partial<InferenceOptions>) {
  const inference = createInference(model, use)
  if (!SLOW.includes(String(use.method)))
    return {
      posterior: (evidence: Evidence, known: Int8Array | undefined) => inference.posterior(evidence, known),
      close: async () => {}
    }
  const data: InferenceWork = {model, use}
  const stopped = 'nothing was written; start again'
  const threads = openThreads<InferenceTasks>(1, {file: new URL('./predict-worker.ts', import.meta.url), data, stopped})
  return {
    posterior: (evidence: Evidence, known: Int8Array | undefined) =>
      threads.run(([thread]) => thread.ask('posterior', {evidence, known})),
    close: () => threads.close()
  }
}

/** The known concepts of a row: none, the same for all rows, or the tags of the row. */
export function readKnown(model: Model, known: PredictOptions['known']): (row: Row) => Int8Array | undefined {
  if (known === undefined) return () => undefined
  const names = model.concepts.map(({name}) => name)
  const fixed = (present: readonly string[]) => Int8Array.from(names, name => (present.includes(name) ? 1 : -1))
  if (known.length === 1 && known[0] === 'tags') return row => fixed(row.tags ?? [])
  const stranger = known.find(name => !names.includes(name))
  if (stranger !== undefined)
    throw usageError(`--known: the model has no concept "${stranger}"; it has ${names.join(', ')}`)
  const values = fixed(known)
  return () => values
}
