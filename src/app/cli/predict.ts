import {type Command, InvalidArgumentError, Option} from 'commander'
import {counted, percent} from '../../base/text/index.ts'
import {
  createInference,
  type EvidenceUse,
  type InferenceMethod,
  type InferenceOptions,
  type Posterior
} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {createEncoder, type Evidence, FieldSurvey, type Row} from '../../read/data/index.ts'
import {openThreads} from '../../read/engines/index.ts'
import {openDocuments, withAtomicWriter} from '../../read/files/index.ts'
import {predictionLine} from '../../use/prediction/index.ts'
import {
  addCommonOptions,
  addFormatOptions,
  type CommonOptions,
  choice,
  type FormatOptions,
  moreNames,
  outputOf,
  positiveNumber,
  readModel,
  share,
  usageError
} from './common-options.ts'
import type {Output} from './output.ts'
import {eachDocument, fieldsWithWords, readingOf, unseenNote} from './read-input.ts'

interface PredictOptions extends CommonOptions, FormatOptions {
  readonly output: string
  readonly hideAnchors?: true
  /** Names of concepts, or just `tags`. */
  readonly known?: readonly string[]
  readonly method: 'auto' | InferenceMethod
  readonly words: EvidenceUse['wordModel']
  readonly top?: number
  readonly threshold?: Threshold
}

/** A probability, or the threshold of the model. */
type Threshold = 'best' | number

export function addPredictCommand(program: Command): void {
  const command = program
    .command('predict')
    .summary('compute the probability of every concept in documents')
    .description(
      'Write one line per document, in input order: {"id", "posterior": {concept: probability}}; with --threshold also "tags", the concepts to report.'
    )
    .argument('<model>', 'a model file')
    .argument('<docs...>', 'document files, or -')
    .addOption(new Option('-o, --output <file>', 'predictions file to write').default('-', 'standard output'))
    .option('--top <k>', 'list only the k most probable concepts of each document in "posterior"', positiveNumber)
    .option(
      '--threshold <p>',
      'add "tags": the concepts with at least this probability, most probable first; best: the threshold of the model, which maximises the expected F1',
      parseThreshold
    )
    .option('--hide-anchors', 'ignore the anchors')
    .option(
      '--known <tags>',
      'concepts known to be present, separated by commas, or "tags": the tags of each document',
      moreNames
    )
    .addOption(wordOption())
    .addOption(
      choice(
        '--method <name>',
        'inference by noisy-or links: auto is exact for few concepts and message passing for more; gibbs is a slow reference',
        ['auto', 'exact', 'message-passing', 'gibbs'],
        'auto'
      )
    )
  addCommonOptions(addFormatOptions(command))
    .addHelpText(
      'after',
      `
Examples:
  adfa predict model.json new.jsonl -o predictions.jsonl
  adfa predict model.json new.jsonl --threshold best -o tagged.jsonl
  adfa predict model.json new.jsonl --top 3 | head
  adfa predict model.json new.jsonl --known asthma,fever --hide-anchors -o predictions.jsonl`
    )
    .action(runPredict)
}

async function runPredict(
  modelPath: string,
  paths: string[],
  options: PredictOptions,
  command: Command
): Promise<void> {
  const output = outputOf(options, command)
  const model = await readModel(modelPath)
  const threshold = readThreshold(model, options)
  if (options.threshold === 'best' && threshold !== undefined && options.hideAnchors)
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
      `${counted(documents, 'document')} in ${seconds.toFixed(2)} s${threshold === undefined ? '' : `; tags from a probability of ${percent(threshold)} on`}\nwrote ${options.output}`
    )
}

/** Which word model predictions use. */
export function wordOption(): Option {
  const text = 'word model: the one chosen when fitting (model), or the noisy-or links, which every model has'
  return choice('--words <name>', text, ['model', 'noisy-or'], 'model')
}

function parseThreshold(text: string): Threshold {
  if (text === 'best') return text
  try {
    return share(text)
  } catch {
    throw new InvalidArgumentError('It must be "best" or a probability from 0 to 1.')
  }
}

function readThreshold(
  model: Model,
  {threshold, words}: Pick<PredictOptions, 'threshold' | 'words'>
): number | undefined {
  if (threshold !== 'best') return threshold
  const otherwise = 'give a probability, such as --threshold 0.5'
  if (model.wordModel.threshold === undefined)
    throw usageError(
      `--threshold best: this model has no threshold; only models fitted with --words weights have one; ${otherwise}`
    )
  if (words === 'noisy-or' && model.wordModel.kind !== 'noisy-or')
    throw usageError(
      `--threshold best: the threshold of the model is for its word weights, not for its noisy-or links; leave --words out, or ${otherwise}`
    )
  return model.wordModel.threshold
}

async function predictFiles(
  model: Model,
  paths: readonly string[],
  options: Omit<PredictOptions, 'threshold'> & {readonly threshold: number | undefined},
  output: Output
): Promise<{documents: number; unconverged: number; unseen: readonly string[]}> {
  const {method, words, seed, top, threshold} = options
  const encoder = createEncoder(model.lexicon)
  const anchors = options.hideAnchors ? 'hidden' : 'used'
  const inference = openInference(model, {method, wordModel: words, anchors, seed})
  const knownTags = readKnown(model, options.known)
  const source = openDocuments(paths, readingOf(model, options, output))
  const survey = new FieldSurvey(model.lexicon.text)
  let number = 0
  let unconverged = 0
  const predict = async (row: Row) => {
    number++
    survey.add(row)
    const {probabilities, certificate} = await inference.posterior(encoder.encode(row), knownTags(row))
    if (certificate.status === 'step-limit') unconverged++
    return predictionLine(model, row.id ?? number, probabilities, {top, threshold})
  }
  const documents = await withAtomicWriter(options.output, writer =>
    eachDocument(source, 'predicting', output, async row => writer.write(await predict(row)))
  ).finally(inference.close)
  return {documents, unconverged, unseen: fieldsWithWords(survey.unseen(), model.lexicon)}
}

/** What the thread of slow methods is given. */
export interface InferenceWork {
  readonly model: Model
  readonly use: Partial<InferenceOptions>
}

/** What it can do. */
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
