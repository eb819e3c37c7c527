import {type Command, InvalidArgumentError, Option} from 'commander'
import {
  AdfaError,
  createEncoder,
  createInference,
  type InferenceMethod,
  loadModel,
  type Model,
  type Row
} from '../index.ts'
import {openAtomicWriter, openDocuments, readTextFile} from '../node.ts'
import {
  addCommonOptions,
  addFormatOptions,
  type CommonOptions,
  type FormatOptions,
  list,
  outputOf
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
    .option('--top <k>', 'only the k most probable concepts of each document', positive)
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
      if (options.json && options.output === '-')
        throw new AdfaError('bad-option', 'with --json the predictions need a file of their own; name it with -o')
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
  const writer = await openAtomicWriter(options.output)
  let documents = 0
  let unconverged = 0
  try {
    for await (const batch of source.batches()) {
      const lines = batch.map(row => {
        documents++
        const {probabilities, certificate} = inference.posterior(encoder.encode(row), knownTags(row))
        if (certificate.status === 'step-limit') unconverged++
        return `${JSON.stringify({id: row.id ?? documents, posterior: namedPosterior(model, probabilities, options.top)})}\n`
      })
      await writer.write(lines.join(''))
      onProgress(
        `predicting: ${documents.toLocaleString('en')} documents`,
        source.bytesRead() / (source.byteCount ?? Number.NaN)
      )
    }
    await writer.commit()
  } catch (error) {
    await writer.abort()
    throw error
  } finally {
    await source.close()
  }
  return {documents, unconverged}
}

function namedPosterior(model: Model, probabilities: Float64Array, top: number | undefined): Record<string, number> {
  const order = [...probabilities.keys()]
  const shown = top === undefined ? order : order.sort((a, b) => probabilities[b] - probabilities[a]).slice(0, top)
  return Object.fromEntries(shown.map(i => [model.latents[i].name, probabilities[i]]))
}

/** What is known of each row: nothing, the same tags for all, or the row's own. */
function readKnown(model: Model, known: PredictOptions['known']): (row: Row) => Int8Array | undefined {
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

function positive(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number above 0.')
  return value
}
