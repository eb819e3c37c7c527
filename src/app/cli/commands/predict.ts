import {type Command, InvalidArgumentError} from 'commander'
import {counted} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {tableFormatOf, writeAtomically} from '../../../read/files/index.ts'
import {
  evenRule,
  ruleFacts,
  type ScoringDatabase,
  scoreSql,
  scoringDatabases,
  type TagRule,
  tagRule,
  unmeasuredConcepts
} from '../../../use/prediction/index.ts'
import {ruleText} from '../../present/index.ts'
import {flagOf, positiveNumber, share, workerSettings} from '../../project/index.ts'
import {
  type CommonOptions,
  commonOptions,
  formatOptions,
  INFERRING,
  outputOf,
  readModel,
  typedOptions,
  usageError,
  WORDS_OPTION
} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import type {Output} from '../output.ts'
import {formatOf, openToPredict, type PredictingOptions, predictFiles} from '../predict-files.ts'
import {MISSING_OPTION, unseenText} from '../unseen-fields.ts'

interface PredictOptions extends CommonOptions, PredictingOptions {
  readonly threshold?: Threshold
  readonly sql?: ScoringDatabase
}

export function addPredictCommand(program: Command): void {
  addCommand(
    program,
    {
      output: {preset: '-', shown: 'standard output'},
      top: positiveNumber,
      threshold: parseThreshold,
      sql: scoringDatabases,
      ...INFERRING
    },
    [...formatOptions, ...workerSettings, ...commonOptions]
  )`
predict: compute the probability of every concept in documents
Write one row or line per document, in input order. A table (-o tagged.csv, .tsv, .xlsx, .parquet) has all columns of the documents, "tags" (the
concepts to report) and the probability of each concept. Without labels, "likely" lists concepts that the model finds without an anchor word, and
probabilities are scores, which only rank documents. Names that end in .jsonl are JSON Lines: {"id", "posterior": {concept: probability}}.
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
  adfa predict model.json new.jsonl --known asthma,fever --hide-anchors -o predictions.jsonl`.action(runPredict)
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
  const format = formatOf(options.output)
  const needsTags = format !== undefined || options.onlyTags === true
  if (options.top !== undefined && needsTags)
    throw usageError('--top is for "posterior" in JSON Lines, which is not written here; leave it out')
  const {threshold: asked} = options
  const rule = needsTags || asked !== undefined ? readRule(model, asked, options.words) : undefined
  if (rule !== undefined && typeof asked !== 'number' && options.hideAnchors)
    output.note(
      'the rule for tags was chosen for predictions that use anchors; without them another --threshold may do better'
    )
  const started = performance.now()
  const source = openToPredict(model, paths, options, output)
  const done = await predictFiles(model, source, {...options, rule}, output)
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

/** A probability, or the rule of the model. */
type Threshold = 'best' | number

function parseThreshold(text: string): Threshold {
  if (text === 'best') return text
  try {
    return share(text)
  } catch {
    throw new InvalidArgumentError('It must be "best" or a probability from 0 to 1.')
  }
}

/** The rule of tags: a probability for all concepts, or the rule of the model. */
function readRule(model: Model, asked: Threshold | undefined, words: PredictOptions['words']): TagRule {
  if (typeof asked === 'number') return evenRule(model.concepts.length, asked)
  const otherwise = 'give a probability, such as --threshold 0.5'
  if (asked === 'best' && model.wordModel.threshold === undefined)
    throw usageError(
      `--threshold best: this model has no threshold; only models fitted with --words weights have one; ${otherwise}`
    )
  if (words !== 'noisy-or' || model.wordModel.kind === 'noisy-or') return tagRule(model)
  if (asked === 'best')
    throw usageError(
      `--threshold best: the threshold of the model is for its word weights, not for its noisy-or links; leave --words out, or ${otherwise}`
    )
  return evenRule(model.concepts.length, 0.5)
}

/** Options that a query cannot follow, or does not need. */
const OTHERS = ['top', 'onlyTags', 'hideAnchors', 'known', 'words', 'method', 'format', 'separator']

async function writeSql(modelPath: string, paths: readonly string[], command: Command, output: Output): Promise<void> {
  const options = command.opts<PredictOptions & {readonly sql: ScoringDatabase}>()
  const {output: file, sql: database} = options
  const given = [...(paths.length > 0 ? ['documents'] : []), ...typedOptions(command, OTHERS).map(flagOf)]
  if (given.length > 0)
    throw usageError(`--sql writes a query for the table "documents", which takes no ${given.join(', ')}; leave it out`)
  if (tableFormatOf(file) !== undefined)
    throw usageError('--sql writes a query, not a table; give -o a name that ends in .sql')
  const model = await readModel(modelPath)
  const rule = readRule(model, options.threshold, options.words)
  await writeAtomically(file, scoreSql(model, database, rule))
  output.json({file, database, concepts: model.concepts.length, ...ruleFacts(rule)})
  if (file !== '-') output.print(`wrote ${file}`)
}
