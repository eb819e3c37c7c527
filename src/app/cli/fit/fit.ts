import type {Command} from 'commander'
import {loadLinearSolver} from '../../../base/linear/index.ts'
import {type FitControl, type FitStage, fit} from '../../../learn/fit.ts'
import {saveModel} from '../../../learn/model/index.ts'
import {type FitOptions, type Preset, presets} from '../../../learn/presets.ts'
import type {Counts} from '../../../read/counts/index.ts'
import {checkWritable, writeAtomically} from '../../../read/files/index.ts'
import {addCommonOptions, addReadingOptions, outputOf} from '../common-options.ts'
import {interruptible} from '../interruptible.ts'
import type {Output} from '../output.ts'
import {type InputOptions, withInput} from '../read-input.ts'
import {addWorkOptions} from '../work-options.ts'
import {addIntervals, intervalsOption, type ModelWithIntervals} from './fit-intervals.ts'
import {addLearningOptions, type LearningOptions, readLearningOptions} from './fit-options.ts'
import {documentsToRefine, refineModel, refineOption} from './fit-refine.ts'
import {reportFit} from './fit-report.ts'
import {sampleDocuments, scoreDocuments} from './sample-documents.ts'

interface FitCommandOptions extends InputOptions, LearningOptions {
  readonly output: string
  readonly intervals?: number
  readonly refine?: true
}

export function addFitCommand(program: Command): void {
  const command = program
    .command('fit')
    .summary('learn a model from documents or counts')
    .description('Learn a model: the network over the concepts and the words that each concept switches on.')
    .argument('<input...>', 'document files, or one counts file')
    .requiredOption('-o, --output <file>', 'the model file to write')
  addCommonOptions(
    addWorkOptions(
      addReadingOptions(addLearningOptions(command).addOption(refineOption()).addOption(intervalsOption()))
    )
  )
    .addHelpText(
      'after',
      `
Examples:
  adfa fit notes.jsonl --anchors anchors.json -o model.json              # rates stand in anchors.json
  adfa fit notes.jsonl --anchors anchors.json --noise labels -o model.json   # rates from the rows' tags
  adfa fit questions.jsonl.gz --anchors-from-tags title --top-tags 50 --min-tags 2 --noise labels -o model.json
  adfa fit visits.jsonl --anchors anchors.json --category sex --number age:10 --list dispensed --negation -o model.json
  adfa fit notes.counts --structure independent -o model.json            # from counts, in a moment
  adfa fit notes.counts --structure indegree:2 --time-limit 60 -o model.json # two parents a concept, by best BIC score
  adfa fit notes.counts --structure degree:3 --edges edges.json -o model.json   # by tests, with what is known before
  adfa fit notes.counts --polytope marginal --time-limit 60 -o model.json   # moments that one distribution can have
  adfa fit notes.counts --words noisy-or -o model.json                 # predict by the links that people read
  adfa fit notes.counts --intervals -o model.json                        # how sure are the rates and the edges?`
    )
    .action(async (paths: string[], options: FitCommandOptions, command: Command) => {
      const output = outputOf(options)
      const seconds = new Stopwatch()
      await checkWritable(options.output)
      const learning = await readLearningOptions(options)
      const labelShare = options.labelShare ?? (options.noise === 'labels' ? 1 : 0)
      seconds.begin('count')
      const model = await withInput(paths, {...options, labelShare}, command, output, async input => {
        const {counts} = input
        const chosen = {...learning, skipBadAnchors: options.skipBadAnchors === true, seed: options.seed}
        const asksScores = needsScores(chosen, counts)
        const isLogOdds = (chosen.words ?? presets[chosen.preset].words) === 'weights'
        const reads = asksScores || isLogOdds || options.refine === true
        const documents = reads ? await sampleDocuments(input, options.seed) : undefined
        const toRefine = options.refine === true ? documentsToRefine(documents) : undefined
        const solver = await solverFor(chosen)
        return interruptible(() => {
          const scores = asksScores ? scoreDocuments(documents, options.seed, output) : undefined
          const control = {
            ...fitControl(output, seconds),
            ...solver,
            ...(documents && {documents}),
            ...(scores && {scores})
          }
          const fitted = fit(counts, chosen, control)
          if (toRefine !== undefined) seconds.begin('refine')
          const model: ModelWithIntervals =
            toRefine === undefined ? fitted : refineModel(fitted, toRefine, chosen, control, output)
          if (options.intervals === undefined) return model
          seconds.begin('intervals')
          return addIntervals(model, counts, chosen, options.intervals, control, output)
        })
      })
      seconds.begin('write')
      await writeAtomically(options.output, saveModel(model))
      reportFit(model, options.output, output, seconds.finish())
    })
}

/** Whether the noise rates are to be had from more than counts. */
function needsScores({preset, noise = presets[preset].noise}: Partial<FitOptions> & {preset: Preset}, counts: Counts) {
  if (noise === 'auto') return counts.lexicon.anchors.some(({rates}) => rates === undefined)
  return noise === 'positive-only' || noise === 'irreducible'
}

/** A clock, and progress for people. */
function fitControl(output: Output, seconds: Stopwatch): FitControl {
  return {
    onStage(stage) {
      seconds.begin(stage)
      output.progress(`learning: ${stage}`)
    },
    onProgress({stage, gap, steps, share}) {
      const reached = gap === undefined ? '' : `gap ${gap.toExponential(1)} after `
      output.progress(`learning: ${stage}, ${reached}${steps} steps`, share)
    },
    clock: () => performance.now() / 1000
  }
}

/** A linear solver for learning with these options, if they may need one: it takes a moment to load. */
async function solverFor(options: Partial<FitOptions>): Promise<Pick<FitControl, 'linearSolver'>> {
  const {solver, structure = 'tree', edges = {}, attractive = false} = options
  const isFree = Object.keys(edges).length === 0 && !attractive
  const needsNone = structure === 'independent' || (structure === 'tree' && isFree)
  return needsNone && solver !== 'conditional-gradient' ? {} : {linearSolver: await loadLinearSolver()}
}

type Stage = FitStage | 'count' | 'refine' | 'intervals' | 'write'

/** Seconds of each stage, in their order. */
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
