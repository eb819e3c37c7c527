import type {LearnOptions, LearnStage} from '../../learn/learn.ts'
import {parseEdges} from '../../learn/structure/index.ts'
import {readTextFile} from '../../read/files/index.ts'
import type {LearningControl, LearningTask} from '../pipeline/index.ts'
import {type FitSettings, fitOptionsOf, heldText, projectSettings} from '../project/index.ts'
import type {Output} from './output.ts'
import {type Input, type InputOptions, sampleDocuments} from './read-input.ts'

export interface FitCommandOptions extends InputOptions {
  /** The name of an edges file, or of a project that holds its content. */
  readonly edges?: string
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

/** What was read, as a task for the pipeline. */
export function taskOf(input: Input, options: LearnOptions): LearningTask {
  const {counts, documents} = input
  return {counts, rows: documents?.sample, sample: sampleDocuments(input)?.documents, options}
}

/** The clock, and progress and warnings on standard error. */
export function learnControl(output: Output, seconds = new Stopwatch()): LearningControl {
  return {
    now: () => performance.now(),
    onProgress: (words, share) => output.progress(words, share),
    onWarning: output.note,
    onStage: stage => seconds.begin(stage)
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
