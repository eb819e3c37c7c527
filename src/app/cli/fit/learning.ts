import type {Command} from 'commander'
import {counted, percent} from '../../../base/text/index.ts'
import {DEFAULT_REPLICATES, INTERVAL_LEVEL} from '../../../learn/bootstrap.ts'
import {
  type LearnControl,
  type LearnedModel,
  type LearnOptions,
  type LearnStage,
  learnFromCounts
} from '../../../learn/learn.ts'
import {defaultGaps} from '../../../learn/moments/index.ts'
import {
  type CheckedFitOptions,
  checkFitOptions,
  type FitOptions,
  fitChoices,
  type Preset,
  presets
} from '../../../learn/options.ts'
import {parseEdges, planStructure, type StructureKind, structureNames} from '../../../learn/structure/index.ts'
import {readTextFile} from '../../../read/files/index.ts'
import {above0, shrinkage, upTo, usageError} from '../common-options.ts'
import {addOptions} from '../declare.ts'
import type {Output} from '../output.ts'
import {heldText} from '../project/inline.ts'
import {type Input, type InputOptions, sampleDocuments} from '../read-input.ts'

/** How to learn; options left out come from the preset. */
export interface LearningOptions
  extends Partial<Omit<CheckedFitOptions, 'preset' | 'network' | 'edges' | 'skipBadAnchors' | 'seed'>> {
  readonly preset: Preset
  /** A kind of network. */
  readonly structure?: string
  /** The name of an edges file, or of a project that holds its content. */
  readonly edges?: string
}

export function addLearningOptions(command: Command): Command {
  return addOptions(command, {
    ...fitChoices,
    preset: {choices: ['paper', 'robust'], preset: 'robust'},
    gap: above0,
    timeLimit: above0,
    shrinkage,
    wordShrinkage: (text: string) => (text === 'gated' ? text : shrinkage(text)),
    intervals: upTo(100_000)
  })`
    --preset <name>              paper: Algorithm 1 as published; robust: adapted to real text
    --noise <method>             source of the rates: the anchors file (given), labels, pairs of members of one anchor (pair),
        words (positive-only, irreducible), or what is given, labels, else a guess (auto) ${byPreset('noise')}
    --polytope <name>            constraints on the recovered moments, from loosest to tightest:
        ${fitChoices.polytope.join(', ')} ${byPreset('polytope')}
    --solver <name>              newton: a fast method for each polytope; conditional-gradient: the method of the paper;
        exponentiated-gradient: its method for the simplex
    --gap <g>                    stop when the moments are proven to be this close to the optimum (${gapHelp()})
    --time-limit <s>             seconds for recovering moments, and again for finding the structure; uses the best result
        so far and reports its gap
    --divergence <name>          distance between recovered and observed moments
    --shrinkage <p>              shrinkage towards independence for the network, a number or C/N ${byPreset('shrinkage')}
    --structure <kind>           network over the concepts: pairs (a coupling for each pair of concepts, no directions), or a
        directed graph: independent, tree, indegree:K (at most K parents, best BIC score) or degree:K (at most K
        neighbours, by independence tests) ${byPreset('network')}
    --search <name>              for indegree:K: find the proven best graph (exact) or a good one fast (greedy)
    --edges <file>               required and forbidden edges: {"require": [["fall", "fracture"]], "forbid": []}; directed
        graphs have the parent first
    --words <name>               how predictions use words: noisy-or links, or log-odds weights, which work best when
        learned from documents ${byPreset('words')}
    --word-shrinkage <p>         gated: drop links within three standard errors of independence; or the shrinkage of words
        towards independence, a number or C/N ${byPreset('wordShrinkage')}
    --intervals [replicates]     also fit resampled counts (default: ${DEFAULT_REPLICATES}): gives
        ${percent(INTERVAL_LEVEL)} intervals for prevalences and rates, and the confidence in each edge`
}

/** The default of an option, which depends on the preset. */
function byPreset(name: keyof CheckedFitOptions): string {
  return `(robust: ${presets.robust[name]}; paper: ${presets.paper[name]})`
}

/** Options passed on as they are: the others have another name or name files, or are added by the command. */
const plain = Object.keys(presets.robust).filter(
  name => !['preset', 'network', 'edges', 'skipBadAnchors', 'seed'].includes(name)
) as (keyof LearningOptions)[]

/** The options given on the command line, with the files they name read. */
export async function readLearningOptions(options: LearningOptions): Promise<FitOptions> {
  const {preset, structure, edges} = options
  const chosen = {
    preset,
    ...Object.fromEntries(plain.filter(name => options[name] !== undefined).map(name => [name, options[name]])),
    ...(structure !== undefined && {network: namedStructure(structure)}),
    ...(edges !== undefined && {edges: parseEdges(heldText(await readTextFile(edges), 'edges'), edges)})
  } as FitOptions
  // Options that do not go together are refused before documents are read.
  checkFitOptions(chosen)
  return chosen
}

/** Refuses an unknown structure before documents are read. */
function namedStructure(text: string): StructureKind {
  try {
    planStructure(text as StructureKind)
    return text as StructureKind
  } catch {
    throw usageError(`--structure is ${structureNames}; got ${JSON.stringify(text)}`)
  }
}

function gapHelp(): string {
  const {'conditional-gradient': slow, ...fast} = defaultGaps
  const each = Object.entries(fast).map(([polytope, gap]) => `${polytope} ${gap}`)
  return `default: ${each.join(', ')}; conditional-gradient ${slow}`
}

export interface FitCommandOptions extends InputOptions, LearningOptions {
  /** True: the default number of replicates. */
  readonly intervals?: number | true
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
export class Stopwatch {
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
