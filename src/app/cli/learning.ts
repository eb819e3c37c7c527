import type {Command} from 'commander'
import {counted} from '../../base/text/index.ts'
import {
  type LearnControl,
  type LearnedModel,
  type LearnOptions,
  type LearnStage,
  learnFromCounts
} from '../../learn/learn.ts'
import {parseEdges} from '../../learn/structure/index.ts'
import {readTextFile} from '../../read/files/index.ts'
import {type FitSettings, fitOptionsOf, heldText, learningSettings, projectSettings} from '../project/index.ts'
import {addSettings} from './declare.ts'
import type {Output} from './output.ts'
import {type Input, type InputOptions, sampleDocuments} from './read-input.ts'

export interface FitCommandOptions extends InputOptions {
  /** The name of an edges file, or of a project that holds its content. */
  readonly edges?: string
}

export function addLearningOptions(command: Command): Command {
  return addSettings(command, learningSettings)
}

/** How a fit reads documents: tags only if they are asked for, and with a sample. */
export function fitReading(options: FitCommandOptions): InputOptions {
  return {...options, labelShare: options.labelShare ?? (options.noise === 'labels' ? 1 : 0), draws: true}
}

/** The learning options, with the files they name read: faults show before documents are read. */
export async function chosenOptions({edges, ...options}: FitCommandOptions): Promise<LearnOptions> {
  const names = projectSettings.fit.map(({name}) => name)
  const given = Object.entries(options).filter(([name, value]) => names.includes(name) && value !== undefined)
  return {
    ...fitOptionsOf(Object.fromEntries(given) as FitSettings),
    skipBadAnchors: options.skipBadAnchors === true,
    ...(edges !== undefined && {edges: parseEdges(heldText(await readTextFile(edges), 'edges'), edges)})
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
