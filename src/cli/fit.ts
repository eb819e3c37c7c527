import {type Command, InvalidArgumentError, Option} from 'commander'
import {
  AdfaError,
  type Anchors,
  type Counts,
  countsFromBytes,
  type Divergence,
  type FitCertificate,
  type FitStage,
  fit,
  fitChoices,
  isCountsFile,
  type Model,
  type NoiseMethod,
  networkEdges,
  type Preset,
  type Pull,
  parsePull,
  presets,
  type StructureKind,
  saveModel
} from '../index.ts'
import {readBinaryFile, writeAtomically} from '../node.ts'
import {addCommonOptions, addReadingOptions, outputOf, readAnchors, share} from './common-options.ts'
import {type CountOptions, countFiles, noteSkipped} from './count.ts'
import type {Output} from './output.ts'
import {conceptTree} from './text.ts'

interface FitCommandOptions extends CountOptions {
  readonly output: string
  readonly preset: Preset
  readonly noise?: NoiseMethod
  readonly polytope?: 'simplex'
  readonly structure?: StructureKind
  readonly divergence?: Divergence
  readonly pull?: Pull
  readonly loadingPull?: Pull
  readonly leakFloor?: number
}

export function addFitCommand(program: Command): void {
  const {pull, loadingPull, leakFloor} = presets.robust
  const command = program
    .command('fit')
    .summary('learn a model from documents or counts')
    .description('Learn a model: the network over the concepts and the words that each concept switches on.')
    .argument('<input...>', 'document files, or one counts file')
    .requiredOption('-o, --output <file>', 'the model file to write')
    .addOption(
      new Option('--preset <name>', 'paper: Algorithm 1 as published; robust: what real text needs')
        .choices(['paper', 'robust'])
        .default('robust')
    )
    .addOption(
      new Option('--noise <method>', 'rates from the anchors file, or from tags and labels').choices([
        'given',
        'labels'
      ])
    )
    .addOption(new Option('--polytope <name>', 'constraints on recovered moments').choices(fitChoices.polytope))
    .addOption(new Option('--structure <kind>', 'graph over the concepts').choices(fitChoices.structure))
    .addOption(
      new Option('--divergence <name>', 'distance of recovered moments from observed ones').choices(
        fitChoices.divergence
      )
    )
    .option('--pull <p>', `pull to independence for the network: a number, or C/N (robust: ${pull})`, pullOption)
    .option('--loading-pull <p>', `the same for words (robust: ${loadingPull})`, pullOption)
    .option('--leak-floor <share>', `least leak, as a share of the word's frequency (robust: ${leakFloor})`, share)
  addCommonOptions(addReadingOptions(command))
    .addHelpText(
      'after',
      `
Examples:
  adfa fit notes.jsonl --anchors anchors.json -o model.json              # rates stand in anchors.json
  adfa fit notes.jsonl --anchors anchors.json --noise labels -o model.json   # rates from the rows' tags
  adfa fit questions.jsonl.gz --anchors-from-tags title --latents 50 --min-tags 2 --noise labels -o model.json
  adfa fit notes.counts --structure independent -o model.json            # from counts, in a moment`
    )
    .action(async (paths: string[], options: FitCommandOptions) => {
      const output = outputOf(options)
      const seconds = new Stopwatch()
      const counts = await readCounts(paths, options, output, seconds)
      const {model, edges} = learn(counts, options, output, seconds)
      seconds.begin('write')
      await writeAtomically(options.output, saveModel(model))
      reportFit(model, edges, options, output, seconds.finish())
    })
}

/** Documents are counted; a counts file is taken as it is, its rates renewed from --anchors if that is given. */
async function readCounts(
  paths: readonly string[],
  options: FitCommandOptions,
  output: Output,
  seconds: Stopwatch
): Promise<Counts> {
  seconds.begin('count')
  const [path] = paths
  if (path !== '-' && path.endsWith('.counts')) {
    if (paths.length > 1)
      throw new AdfaError('bad-option', 'fit takes one counts file; add several up with adfa merge first')
    const bytes = await readBinaryFile(path)
    if (!isCountsFile(bytes))
      throw new AdfaError('bad-counts', `${path}: not a counts file; give a file written by adfa count`)
    const counts = countsFromBytes(bytes, path)
    return options.anchors === undefined
      ? counts
      : withRates(counts, await readAnchors(options.anchors), options.anchors)
  }
  const labelShare = options.labelShare ?? (options.noise === 'labels' ? 1 : 0)
  return countFiles(paths, {...options, labelShare}, output)
}

function withRates(counts: Counts, anchors: Anchors, where: string): Counts {
  const features = (list: Anchors) => JSON.stringify(list.map(({concept, any, not}) => [concept, any, not]))
  if (features(anchors) !== features(counts.lexicon.anchors))
    throw new AdfaError(
      'mismatch',
      `${where}: its anchors are not those the counts were made with; only rates may change; count the documents again`
    )
  return {...counts, lexicon: {...counts.lexicon, anchors}}
}

function learn(counts: Counts, options: FitCommandOptions, output: Output, seconds: Stopwatch) {
  const {preset, noise, polytope, structure, divergence, pull, loadingPull, leakFloor, seed} = options
  const given = Object.entries({noise, polytope, structure, divergence, pull, loadingPull, leakFloor})
  const chosen = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  const skipBadAnchors = options.skipBadAnchors === true
  const model = fit(
    counts,
    {preset, ...chosen, skipBadAnchors, seed},
    {
      onStage: stage => {
        seconds.begin(stage)
        output.progress(`learning: ${stage}`)
      }
    }
  )
  return {model, edges: networkEdges(model.network).map(edge => edge.map(i => model.latents[i].name))}
}

function reportFit(
  model: Model & {readonly certificate: FitCertificate},
  edges: readonly (readonly string[])[],
  options: FitCommandOptions,
  output: Output,
  seconds: Readonly<Record<string, number>>
): void {
  const {moments, structure, loadings} = model.certificate
  const {skipped} = model.lexicon
  output.json({
    file: options.output,
    documents: model.options.documents,
    latents: model.latents.length,
    words: model.lexicon.words.length,
    seconds,
    moments,
    structure: {edges, score: structure.score, status: structure.status},
    loadings,
    skippedAnchors: skipped
  })
  noteSkipped(model.lexicon, output)
  output.print(conceptTree(model))
  const total = Object.values(seconds).reduce((sum, value) => sum + value, 0)
  output.print(
    `\n${model.latents.length} concepts and ${model.lexicon.words.length} words from ${model.options.documents} documents in ${total.toFixed(2)} s` +
      `\nmoments: ${moments.status}, gap ${moments.gap.toExponential(1)}; structure: ${structure.status}` +
      `\nloadings: ${loadings.failuresAboveOne} of ${loadings.failures} clipped to "no effect", ${loadings.leaksAtFloor} of ${loadings.words} leaks at the floor` +
      `\nwrote ${options.output}`
  )
}

function pullOption(text: string): Pull {
  try {
    return parsePull(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** Seconds of each stage, in their order. */
class Stopwatch {
  readonly #seconds: Record<string, number> = {}
  #stage: FitStage | 'count' | 'write' | undefined
  #since = 0

  begin(stage: FitStage | 'count' | 'write'): void {
    this.finish()
    this.#stage = stage
    this.#since = performance.now()
  }

  finish(): Readonly<Record<string, number>> {
    if (this.#stage !== undefined) this.#seconds[this.#stage] = (performance.now() - this.#since) / 1000
    this.#stage = undefined
    return this.#seconds
  }
}
