import {type Command, InvalidArgumentError, Option} from 'commander'
import {
  AdfaError,
  type Anchors,
  type Counts,
  countsFromBytes,
  type Divergence,
  defaultGaps,
  type FitCertificate,
  type FitControl,
  type FitStage,
  fit,
  fitChoices,
  isCountsFile,
  loadLinearSolver,
  type Model,
  type MomentSolver,
  type NoiseMethod,
  networkEdges,
  type PolytopeName,
  type Preset,
  type Pull,
  parsePull,
  presets,
  type SolveStatus,
  type StructureKind,
  saveModel
} from '../index.ts'
import {checkWritable, readBinaryFile, readFileHead, writeAtomically} from '../node.ts'
import {
  addCommonOptions,
  addReadingOptions,
  outputOf,
  readAnchors,
  refuseReadingOptions,
  share
} from './common-options.ts'
import {type CountOptions, countFiles, noteSkipped} from './count.ts'
import {interruptible} from './interruptible.ts'
import type {Output} from './output.ts'
import {conceptTree} from './text.ts'

interface FitCommandOptions extends CountOptions {
  readonly output: string
  readonly preset: Preset
  readonly noise?: NoiseMethod
  readonly polytope?: PolytopeName
  readonly solver?: MomentSolver
  readonly gap?: number
  readonly timeLimit?: number
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
    .addOption(
      new Option('--polytope <name>', 'constraints on recovered moments, each tighter than the one before').choices(
        fitChoices.polytope
      )
    )
    .addOption(
      new Option(
        '--solver <name>',
        'newton: the fast method of each polytope; conditional-gradient: the one of the paper'
      ).choices(fitChoices.solver)
    )
    .option('--gap <g>', `stop when the moments are proven to be this close to the best (${gapHelp()})`, above0)
    .option('--time-limit <s>', 'seconds for the moments; what was reached by then is used, and its gap told', above0)
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
  adfa fit notes.counts --structure independent -o model.json            # from counts, in a moment
  adfa fit notes.counts --polytope marginal --time-limit 60 -o model.json   # moments that one distribution can have`
    )
    .action(async (paths: string[], options: FitCommandOptions, command: Command) => {
      const output = outputOf(options)
      const seconds = new Stopwatch()
      await checkWritable(options.output)
      const counts = await readCounts(paths, options, command, output, seconds)
      const control = await momentControl(options, output)
      const model = interruptible(() => learn(counts, options, output, seconds, control))
      seconds.begin('write')
      await writeAtomically(options.output, saveModel(model))
      reportFit(model, options.output, output, seconds.finish())
    })
}

/** Documents are counted; a counts file is taken as it is, its rates renewed from --anchors if that is given. */
async function readCounts(
  paths: readonly string[],
  options: FitCommandOptions,
  command: Command,
  output: Output,
  seconds: Stopwatch
): Promise<Counts> {
  seconds.begin('count')
  const [path] = paths
  const isCounts = path !== '-' && (/\.counts(\.gz)?$/.test(path) || isCountsFile(await readFileHead(path)))
  if (!isCounts) {
    const labelShare = options.labelShare ?? (options.noise === 'labels' ? 1 : 0)
    return countFiles(paths, {...options, labelShare}, command, output)
  }
  if (paths.length > 1)
    throw new AdfaError('bad-option', 'fit takes one counts file; add several up with adfa merge first')
  refuseReadingOptions(
    command,
    ['anchorsFromTags', 'like', 'labelShare', 'format'],
    'the documents are counted already'
  )
  const counts = countsFromBytes(await readBinaryFile(path), path)
  return options.anchors === undefined ? counts : withRates(counts, await readAnchors(options.anchors), options.anchors)
}

/** The counts with the rates of an anchors file, which must have every feature that they were made with. */
function withRates(counts: Counts, given: Anchors, where: string): Counts {
  const byName = new Map(given.map(anchor => [anchor.concept, anchor]))
  const anchors = counts.lexicon.anchors.map(anchor => {
    const found = byName.get(anchor.concept)
    if (
      found === undefined ||
      !anchor.any.every(name => found.any.includes(name)) ||
      `${found.not}` !== `${anchor.not}`
    )
      throw new AdfaError(
        'mismatch',
        `${where}: its anchor for "${anchor.concept}" is not the one the counts were made with; only rates may change; count the documents again`
      )
    return {...anchor, rates: found.rates}
  })
  return {...counts, lexicon: {...counts.lexicon, anchors}}
}

/** A clock, progress for people, and a linear solver where the method needs one. */
async function momentControl({polytope, solver}: FitCommandOptions, output: Output): Promise<FitControl['moments']> {
  const needsPrograms = solver === 'conditional-gradient' && polytope === 'cycle'
  return {
    clock: () => performance.now() / 1000,
    onProgress: ({gap, steps}) =>
      output.progress(`learning: moments, gap ${gap.toExponential(1)} after ${steps} steps`),
    ...(needsPrograms && {linearSolver: await loadLinearSolver()})
  }
}

function learn(
  counts: Counts,
  options: FitCommandOptions,
  output: Output,
  seconds: Stopwatch,
  moments: FitControl['moments']
): FittedModel {
  const {preset, noise, polytope, solver, gap, timeLimit, structure, divergence, pull, loadingPull, leakFloor, seed} =
    options
  const given = Object.entries({
    noise,
    polytope,
    solver,
    gap,
    timeLimit,
    structure,
    divergence,
    pull,
    loadingPull,
    leakFloor
  })
  const chosen = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  const skipBadAnchors = options.skipBadAnchors === true
  return fit(
    counts,
    {preset, ...chosen, skipBadAnchors, seed},
    {
      onStage: stage => {
        seconds.begin(stage)
        output.progress(`learning: ${stage}`)
      },
      ...(moments && {moments})
    }
  )
}

type FittedModel = Model & {readonly certificate: FitCertificate}

/** Why the moments are not as close to the best as was asked for. */
const REASONS: Readonly<Record<Exclude<SolveStatus, 'optimal'>, string>> = {
  gap: 'nothing more could be done',
  'step-limit': 'stopped by the limit of steps',
  'time-limit': 'stopped by the time limit',
  cancelled: 'cancelled'
}

function reportFit(model: FittedModel, file: string, output: Output, seconds: Readonly<Record<string, number>>): void {
  const edges = networkEdges(model.network).map(edge => edge.map(i => model.latents[i].name))
  const {moments, structure, loadings} = model.certificate
  const {skipped} = model.lexicon
  output.json({
    file,
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
  if (moments.status !== 'optimal')
    output.note(
      `moments: ${REASONS[moments.status]}; they are proven to be within ${moments.gap.toPrecision(2)} of the best, which is more than was asked for`
    )
  output.print(conceptTree(model))
  const total = Object.values(seconds).reduce((sum, value) => sum + value, 0)
  output.print(
    `\n${model.latents.length} concepts and ${model.lexicon.words.length} words from ${model.options.documents} documents in ${total.toFixed(2)} s` +
      `\nmoments: ${moments.status}, objective ${moments.objective.toPrecision(4)}, gap ${moments.gap.toExponential(1)}; structure: ${structure.status}` +
      `\nloadings: ${loadings.failuresAboveOne} of ${loadings.failures} clipped to "no effect", ${loadings.leaksAtFloor} of ${loadings.words} leaks at the floor` +
      `\nwrote ${file}`
  )
}

function gapHelp(): string {
  const {'conditional-gradient': slow, ...fast} = defaultGaps
  const each = Object.entries(fast).map(([polytope, gap]) => `${polytope} ${gap}`)
  return `default: ${each.join(', ')}; conditional-gradient ${slow}`
}

function above0(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0)) throw new InvalidArgumentError('It must be a number above 0.')
  return value
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
