import {type Command, Option} from 'commander'
import {
  AdfaError,
  createEncoder,
  createInference,
  type InferenceMethod,
  loadModel,
  type Model,
  predictionLine,
  type Row
} from '../index.ts'
import {openDocuments, readTextFile, withAtomicWriter} from '../node.ts'
import {
  addCommonOptions,
  addFormatOptions,
  type CommonOptions,
  type FormatOptions,
  list,
  outputOf,
  positiveNumber
} from './common-options.ts'

interface PredictOptions extends CommonOptions, FormatOptions {
  readonly output: string
  readonly hideAnchors?: true
  /** Concepts, or the one word `tags`. */
  readonly known?: readonly string[]
  readonly method: 'auto' | InferenceMethod
  readonly top?: number
}

export function addPredictCommand(program: Command): void {
  const command = program
    .command('predict')
    .summary('the probability of every concept for every document')
    .description('Write one line a document, in the order of the input: {"id", "posterior": {concept: probability}}.')
    .argument('<model>', 'a model file')
    .argument('<docs...>', 'document files, or -')
    .option('-o, --output <file>', 'the predictions to write (default: standard output)', '-')
    .option('--hide-anchors', 'do not look at the anchors')
    .option(
      '--known <tags>',
      'concepts known to be present, separated by commas; or "tags": each row\'s own tags',
      list
    )
    .option('--top <k>', 'only the k most probable concepts of each document', positiveNumber)
    .addOption(
      new Option('--method <name>', 'auto: exact for few concepts, message passing beyond; gibbs: slow reference')
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
  adfa predict model.json new.jsonl --known asthma,fever --hide-anchors -o predictions.jsonl`
    )
    .action(async (modelPath: string, paths: string[], options: PredictOptions) => {
      const output = outputOf(options)
      const model = loadModel(await readTextFile(modelPath), modelPath)
      const started = performance.now()
      const {documents, unconverged} = await predictFiles(model, paths, options, output.progress)
      const seconds = (performance.now() - started) / 1000
      output.json({file: options.output, documents, latents: model.latents.length, unconverged, seconds})
      if (unconverged > 0)
        output.note(`${unconverged} of ${documents} posteriors had not fully settled; --method gibbs checks them`)
      if (options.output !== '-')
        output.print(`${documents.toLocaleString('en')} documents in ${seconds.toFixed(2)} s\nwrote ${options.output}`)
    })
}

async function predictFiles(
  model: Model,
  paths: readonly string[],
  options: PredictOptions,
  onProgress: (label: string, share?: number) => void
): Promise<{documents: number; unconverged: number}> {
  const encoder = createEncoder(model.lexicon)
  const anchors = options.hideAnchors ? 'hidden' : 'used'
  const inference = createInference(model, {method: options.method, anchors, seed: options.seed})
  const knownTags = readKnown(model, options.known)
  const {format, separator} = options
  const source = openDocuments(paths, {fields: model.lexicon.text.fields, format, separator})
  let documents = 0
  let unconverged = 0
  const predict = (row: Row) => {
    documents++
    const {probabilities, certificate} = inference.posterior(encoder.encode(row), knownTags(row))
    if (certificate.status === 'step-limit') unconverged++
    return predictionLine(model, row.id ?? documents, probabilities, options.top)
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
  return {documents, unconverged}
}

/** What is known of each row: nothing, the same tags for all, or the row's own. */
export function readKnown(model: Model, known: PredictOptions['known']): (row: Row) => Int8Array | undefined {
  if (known === undefined) return () => undefined
  const numbers = new Map(model.latents.map(({name}, i) => [name, i]))
  const fixed = (names: readonly string[]) => {
    const values = new Int8Array(model.latents.length).fill(-1)
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
