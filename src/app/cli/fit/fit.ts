import type {Command} from 'commander'
import {counted} from '../../../base/text/index.ts'
import {DEFAULT_REPLICATES} from '../../../learn/bootstrap.ts'
import {
  type LearnControl,
  type LearnedModel,
  type LearnOptions,
  type LearnStage,
  learnFromCounts
} from '../../../learn/learn.ts'
import {saveModel} from '../../../learn/model/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {addInputOptions, outputOf} from '../common-options.ts'
import {addCommand, required} from '../declare.ts'
import type {Output} from '../output.ts'
import {type Input, type InputOptions, readInput, sampleDocuments} from '../read-input.ts'
import {noteUnused, refuseUndecided} from '../undecided.ts'
import {addLearningOptions, type LearningOptions, readLearningOptions} from './options.ts'
import {reportFit} from './report.ts'

export interface FitCommandOptions extends InputOptions, LearningOptions {
  /** True: the default number of replicates. */
  readonly intervals?: number | true
}

export function addFitCommand(program: Command): void {
  const command = addCommand(program, {output: required})`
fit: learn a model from documents or counts
Learn a model: a network over the concepts, and the words that each concept makes more likely.
  <input...>           document files, or one counts file
  -o, --output <file>  the model file to write

Examples:
  adfa fit notes.jsonl --anchors anchors.json -o model.json
  adfa fit notes.jsonl --anchors anchors.json --labels labels.jsonl -o model.json   # rates from adfa label
  adfa fit notes.jsonl --anchors anchors.json --noise labels -o model.json   # rates from the tags of the documents
  adfa fit visits.jsonl --anchors anchors.json --category sex --number age:10 --list dispensed --negation -o model.json
  adfa fit questions.jsonl.gz --anchors-from-tags title --top-tags 50 --min-tags 2 --noise labels --skip-bad-anchors -o model.json
  adfa fit notes.counts --intervals -o model.json   # from counts; how certain are rates and edges?
  adfa fit notes.counts --structure indegree:2 --time-limit 60 -o model.json   # up to two parents, best BIC score
  adfa fit notes.counts --structure degree:3 --edges edges.json -o model.json   # independence tests, known edges
  adfa fit notes.counts --polytope marginal --time-limit 60 -o model.json   # moments of a joint distribution
  adfa fit notes.counts --words noisy-or -o model.json   # predict by the links shown in reports`
  addInputOptions(addLearningOptions(command)).action(runFit)
}

async function runFit(
  paths: string[],
  options: FitCommandOptions & {readonly output: string},
  command: Command
): Promise<void> {
  const output = outputOf(options, command)
  const seconds = new Stopwatch()
  const chosen = await chosenOptions(options)
  seconds.begin('count')
  const input = await readInput({paths, options: fitReading(options), command, output})
  refuseUndecided(input, options)
  noteUnused(input, options, output)
  const model = await learnModel(input, chosen, output, seconds)
  seconds.begin('write')
  await writeAtomically(options.output, saveModel(model))
  reportFit(model, options.output, output, seconds.finish())
}

/** How a fit reads documents: tags only if they are asked for, and with a sample. */
export function fitReading(options: FitCommandOptions): InputOptions {
  return {...options, labelShare: options.labelShare ?? (options.noise === 'labels' ? 1 : 0), draws: true}
}

/** The learning options, with the files they name read: faults show before documents are read. */
export async function chosenOptions(options: FitCommandOptions): Promise<LearnOptions> {
  const {seed, skipBadAnchors} = options
  const intervals = options.intervals === true ? DEFAULT_REPLICATES : options.intervals
  return {
    ...(await readLearningOptions(options)),
    skipBadAnchors: skipBadAnchors === true,
    seed,
    ...(intervals !== undefined && {intervals})
  }
}

export async function learnModel(
  input: Input,
  chosen: LearnOptions,
  output: Output,
  seconds = new Stopwatch()
): Promise<LearnedModel> {
  const documents = sampleDocuments(input)
  const control = learnControl(output, seconds)
  return learnFromCounts(input.counts, documents, chosen, control)
}

/** The clock, and progress and warnings on standard error. */
function learnControl(output: Output, seconds: Stopwatch): LearnControl {
  return {
    onStage(stage) {
      seconds.begin(stage)
      output.progress(`learning: ${stage}`)
    },
    onProgress({stage, gap, steps, share}) {
      const reached = gap === undefined ? '' : `gap ${gap.toExponential(1)} after `
      output.progress(`learning: ${stage}, ${reached}${counted(steps, 'step')}`, share)
    },
    onWarning: output.note,
    clock: () => performance.now() / 1000
  }
}

type Stage = LearnStage | 'count' | 'write'

/** Seconds of each stage, in order. */
class Stopwatch {
  readonly #seconds: Record<string, number> = {}
  #stage: Stage | undefined
  #since = 0

  begin(stage: Stage): void {
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
