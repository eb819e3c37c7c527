import {type Command, InvalidArgumentError, Option} from 'commander'
import {AdfaError} from '../../base/checks/index.ts'
import {createInference, type EvidenceUse, type InferenceMethod} from '../../learn/inference/index.ts'
import {loadModel, type Model} from '../../learn/model/index.ts'
import {createEncoder, FieldSurvey, type Row} from '../../read/data/index.ts'
import {openDocuments, readTextFile, withAtomicWriter} from '../../read/files/index.ts'
import {predictionLine} from '../../use/prediction/index.ts'
import {
  addCommonOptions,
  addFormatOptions,
  type CommonOptions,
  type FormatOptions,
  list,
  outputOf,
  positiveNumber,
  share
} from './common-options.ts'
import {fieldsWithWords, unseenNote} from './read-input.ts'
import {percent} from './text.ts'

interface PredictOptions extends CommonOptions, FormatOptions {
  readonly output: string
  readonly hideAnchors?: true
  /** Concepts, or the one word `tags`. */
  readonly known?: readonly string[]
  readonly method: 'auto' | InferenceMethod
  readonly words: EvidenceUse['wordModel']
  readonly top?: number
  readonly threshold?: Threshold
}

/** A probability, or the one that the model found best. */
type Threshold = 'best' | number

export function addPredictCommand(program: Command): void {
  const command = program
    .command('predict')
    .summary('the probability of every concept for every document')
    .description(
      'Write one line a document, in the order of the input: {"id", "posterior": {concept: probability}}; with --threshold also "tags", the concepts to report.'
    )
    .argument('<model>', 'a model file')
    .argument('<docs...>', 'document files, or -')
    .option('-o, --output <file>', 'the predictions to write (default: standard output)', '-')
    .option('--hide-anchors', 'do not look at the anchors')
    .option(
      '--known <tags>',
      'concepts known to be present, separated by commas; or "tags": each row\'s own tags',
      list
    )
    .option('--top <k>', 'only the k most probable concepts of each document, in "posterior"', positiveNumber)
    .option(
      '--threshold <p>',
      'add "tags": the concepts with at least this probability, most probable first; "best": the model\'s own, which promises the highest F1',
      parseThreshold
    )
    .addOption(wordOption())
    .addOption(
      new Option(
        '--method <name>',
        'noisy-or words; auto: exact for few concepts, message passing beyond; gibbs: slow reference'
      )
        .choices(['auto', 'exact', 'message-passing', 'gibbs'])
        .default('auto')
    )
  addCommonOptions(addFormatOptions(command))
    .addHelpText(
      'after',
      `
Examples:
  adfa predict model.json new.jsonl -o predictions.jsonl
  adfa predict model.json new.jsonl --top 3 | head
  adfa predict model.json new.jsonl --threshold best -o tagged.jsonl
  adfa predict model.json new.jsonl --known asthma,fever --hide-anchors -o predictions.jsonl`
    )
    .action(async (modelPath: string, paths: string[], options: PredictOptions) => {
      const output = outputOf(options)
      const model = loadModel(await readTextFile(modelPath), modelPath)
      const threshold = readThreshold(model, options)
      if (options.threshold === 'best' && threshold !== undefined && options.hideAnchors)
        output.note(
          `the model's threshold, ${percent(threshold)}, was chosen with anchors in sight; without them another may do better`
        )
      const started = performance.now()
      const done = await predictFiles(model, paths, {...options, threshold}, output.progress)
      const {documents, unconverged, unseen} = done
      const seconds = (performance.now() - started) / 1000
      const wordModel = options.words === 'noisy-or' ? 'noisy-or' : model.wordModel.kind
      const {length: concepts} = model.concepts
      output.json({file: options.output, documents, concepts, wordModel, threshold, unconverged, seconds})
      if (unseen.length > 0) output.note(unseenNote(unseen))
      if (unconverged > 0)
        output.note(`${unconverged} of ${documents} posteriors had not fully settled; --method gibbs checks them`)
      if (options.output !== '-')
        output.print(
          `${documents.toLocaleString('en')} documents in ${seconds.toFixed(2)} s${threshold === undefined ? '' : `; tags from a probability of ${percent(threshold)} on`}\nwrote ${options.output}`
        )
    })
}

/** How words are to speak. */
export function wordOption(): Option {
  return new Option(
    '--words <name>',
    'how words speak; model: as it was fitted to; noisy-or: by the links of the model, which every model has'
  )
    .choices(['model', 'noisy-or'])
    .default('model')
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
  if (model.wordModel.kind === 'noisy-or')
    throw new AdfaError(
      'bad-option',
      `--threshold best: the model has no threshold of its own, only those fitted with --words weights have; ${otherwise}`
    )
  if (words === 'noisy-or')
    throw new AdfaError(
      'bad-option',
      `--threshold best: the model's threshold is for its words in log-odds, not for its noisy-or links; leave --words out, or ${otherwise}`
    )
  return model.wordModel.threshold
}

async function predictFiles(
  model: Model,
  paths: readonly string[],
  options: Omit<PredictOptions, 'threshold'> & {readonly threshold: number | undefined},
  onProgress: (label: string, share?: number) => void
): Promise<{documents: number; unconverged: number; unseen: readonly string[]}> {
  const encoder = createEncoder(model.lexicon)
  const anchors = options.hideAnchors ? 'hidden' : 'used'
  const {method, words, seed, top, threshold} = options
  const inference = createInference(model, {method, wordModel: words, anchors, seed})
  const knownTags = readKnown(model, options.known)
  const {format, separator} = options
  const source = openDocuments(paths, {...model.lexicon.text, format, separator})
  const survey = new FieldSurvey(model.lexicon.text)
  let documents = 0
  let unconverged = 0
  const predict = (row: Row) => {
    documents++
    survey.add(row)
    const {probabilities, certificate} = inference.posterior(encoder.encode(row), knownTags(row))
    if (certificate.status === 'step-limit') unconverged++
    return predictionLine(model, row.id ?? documents, probabilities, {top, threshold})
  }
  try {
    await withAtomicWriter(options.output, async writer => {
      for await (const batch of source.batches()) {
        await writer.write(batch.map(predict).join(''))
        const share = source.bytesRead() / (source.byteCount ?? Number.NaN)
        onProgress(`predicting: ${documents.toLocaleString('en')} documents`, share)
      }
    })
  } finally {
    await source.close()
  }
  return {documents, unconverged, unseen: fieldsWithWords(survey.unseen(), model.lexicon)}
}

/** What is known of each row: nothing, the same tags for all, or the row's own. */
export function readKnown(model: Model, known: PredictOptions['known']): (row: Row) => Int8Array | undefined {
  if (known === undefined) return () => undefined
  const numbers = new Map(model.concepts.map(({name}, i) => [name, i]))
  const fixed = (names: readonly string[]) => {
    const values = new Int8Array(model.concepts.length).fill(-1)
    for (const name of names) {
      const i = numbers.get(name)
      if (i !== undefined) values[i] = 1
    }
    return values
  }
  if (known.length === 1 && known[0] === 'tags') return row => fixed(row.tags ?? [])
  for (const name of known)
    if (!numbers.has(name))
      throw new AdfaError(
        'bad-option',
        `--known: the model has no concept "${name}"; it has ${[...numbers.keys()].join(', ')}`
      )
  const values = fixed(known)
  return () => values
}
