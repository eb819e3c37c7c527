import type {Command} from 'commander'
import {counted} from '../../base/text/index.ts'
import {createInference, type InferenceMethod} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {textDefaults} from '../../read/data/index.ts'
import type {KnownLabels} from '../../read/engines/index.ts'
import {openDocuments, tableFormatOf, withAtomicWriter, withTable} from '../../read/files/index.ts'
import {
  ruleFacts,
  ruleText,
  type ScoringDatabase,
  scoringDatabases,
  type TagRule,
  tagRule,
  unmeasuredConcepts
} from '../../use/prediction/index.ts'
import {
  addCommonOptions,
  addWorkersOption,
  type CommonOptions,
  moreNames,
  outputOf,
  positiveNumber,
  readModel,
  usageError,
  type WorkOptions
} from './common-options.ts'
import {addCommand} from './declare.ts'
import {addFormatOptions, type FormatOptions} from './format-options.ts'
import type {Output} from './output.ts'
import type {PredictedBlock, PredictionJob, TagCounts} from './predict-blocks.ts'
import {type Predicted, predictDocuments} from './predict-files.ts'
import {readKnown} from './predict-known.ts'
import {writeSql} from './predict-sql.ts'
import {openTaggedTable} from './predict-table.ts'
import {parseThreshold, readRule, type ThresholdOptions} from './predict-threshold.ts'
import {readingOf} from './read-input.ts'
import {foreignTags} from './undecided.ts'
import {MISSING_OPTION, refuseMissing, unseenText} from './unseen-fields.ts'

interface PredictOptions extends CommonOptions, FormatOptions, ThresholdOptions, Pick<WorkOptions, 'workers'> {
  readonly output: string
  readonly hideAnchors?: true
  /** Names of concepts, or just `tags`. */
  readonly known?: readonly string[]
  readonly method: 'auto' | InferenceMethod
  readonly top?: number
  readonly onlyTags?: true
  readonly sql?: ScoringDatabase
  readonly allowMissing?: true
}

export function addPredictCommand(program: Command): void {
  const command = addCommand(program, {
    output: {preset: '-', shown: 'standard output'},
    top: positiveNumber,
    threshold: parseThreshold,
    sql: scoringDatabases,
    known: moreNames,
    words: WORD_MODELS,
    method: {choices: ['auto', 'exact', 'message-passing'], preset: 'auto'}
  })`
predict: compute the probability of every concept in documents
Write one row or line per document, in input order. A table (-o tagged.csv, .tsv, .xlsx, .parquet) has all columns of the documents, "tags" (the
concepts to report) and the probability of each concept. Without labels, "likely" lists concepts that the model finds without an anchor word, and
probabilities are scores, which only rank documents. Other names are JSON Lines: {"id", "posterior": {concept: probability}}.
  <model>              a model file
  [docs...]            document files, or -
  -o, --output <file>  file to write: .csv, .tsv, .xlsx, .parquet, .jsonl
  --top <k>            list only the k most probable concepts of each document in "posterior"
  --threshold <p>      tags are the concepts with at least this probability, most probable first; best, the default of tables: with labels the threshold
      of the model, which maximises the expected F1; without labels the concepts whose anchor fires or whose score is 0.97 or more
  --only-tags          write the id and the tags alone
  --sql <database>     write a query that scores documents inside the database instead
  --hide-anchors       ignore the anchors
  ${MISSING_OPTION}
  --known <tags>       concepts known to be present, separated by commas, or "tags": the tags of each document
  ${WORDS_OPTION}
  --method <name>      inference by noisy-or links: auto is exact for few concepts and message passing for more

Examples:
  adfa predict model.json notes.csv -o tagged.csv
  adfa predict model.json notes.csv -o tagged.xlsx --threshold 0.8
  adfa predict model.json new.jsonl --only-tags -o tags.csv
  adfa predict model.json --sql duckdb -o score.sql
  adfa predict model.json new.jsonl -o predictions.jsonl
  adfa predict model.json new.jsonl --top 3 | head
  adfa predict model.json new.jsonl --known asthma,fever --hide-anchors -o predictions.jsonl`
  addCommonOptions(addWorkersOption(addFormatOptions(command))).action(runPredict)
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
  const {threshold: asked} = options
  const rule = needsTags || asked !== undefined ? readRule(model, asked, options) : undefined
  if (rule !== undefined && typeof asked !== 'number' && options.hideAnchors)
    output.note(
      'the rule for tags was chosen for predictions that use anchors; without them another --threshold may do better'
    )
  const started = performance.now()
  const done = await predictFiles(model, paths, {...options, rule}, output)
  const {documents, unconverged, unseen} = done
  const seconds = (performance.now() - started) / 1000
  const wordModel = options.words === 'noisy-or' ? 'noisy-or' : model.wordModel.kind
  const {length: concepts} = model.concepts
  output.json({
    file: options.output,
    documents,
    concepts,
    wordModel,
    ...ruleFacts(rule),
    scores: [...unmeasuredConcepts(model)],
    unconverged,
    seconds
  })
  if (unseen.length > 0) output.note(unseenText(unseen))
  if (unconverged > 0)
    output.note(
      `${unconverged} of ${documents} posteriors did not fully converge; with at most 20 concepts, check them with --method exact`
    )
  if (options.output !== '-')
    output.print(
      `${counted(documents, 'document')} in ${seconds.toFixed(2)} s${rule === undefined ? '' : `; tags ${ruleText(model, rule)}`}\nwrote ${options.output}`
    )
}

/** Which word model predictions use. */
export const WORDS_OPTION =
  '--words <name>  word model: the one chosen when fitting (model), or the noisy-or links, which every model has'
export const WORD_MODELS = {choices: ['model', 'noisy-or'], preset: 'model'}

/** Where tagged documents go; a format other than a table is JSON Lines. */
export interface TaggingOptions extends CommonOptions, FormatOptions, Pick<WorkOptions, 'workers'> {
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

type FileOptions = Omit<PredictOptions, 'threshold'> & {
  readonly rule: TagRule | undefined
  /** Writes documents with all of their fields. */
  readonly tagging?: PredictionJob['tagging']
}

async function predictFiles(
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
