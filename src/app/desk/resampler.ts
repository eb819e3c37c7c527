import {AdfaError} from '../../base/checks/index.ts'
import type {FitIntervals} from '../../learn/bootstrap.ts'
import type {LearnedResult} from './pipeline.ts'
import type {SolverEvent, SolverHandle} from './solver.ts'

export interface ResamplerTools {
  startSolver(emit: (event: SolverEvent) => void): SolverHandle
  progress(event: SolverEvent): void
  notice(message: string): void
}

/**
 * How sure the links of a model are, by fits of resampled counts. They have a thread of their own, which ends with them, so that
 * a model that is asked for in the meantime does not wait. The model stays as it is.
 */
export class Resampler {
  readonly #tools: ResamplerTools
  #running: SolverHandle | undefined
  #found: {readonly learned: LearnedResult; readonly intervals: FitIntervals} | undefined

  constructor(tools: ResamplerTools) {
    this.#tools = tools
  }

  /** What was found for this model; undefined for any other. */
  intervalsOf(learned: LearnedResult): FitIntervals | undefined {
    return this.#found?.learned === learned ? this.#found.intervals : undefined
  }

  /** Ends the resampling under way, and replaces the one before only when it is done. */
  async resample(learned: LearnedResult, replicates: number): Promise<void> {
    this.end()
    if (this.intervalsOf(learned)?.replicates === replicates) return
    const solver = this.#tools.startSolver(event => {
      if (this.#running === solver) this.#tools.progress(event)
    })
    this.#running = solver
    try {
      const {counts, options} = learned.encoded
      const task = {counts, options, model: learned.model}
      const {intervals, warnings} = await solver.api.resample(task, replicates)
      if (this.#running !== solver) throw stopped()
      this.#found = {learned, intervals}
      for (const warning of warnings) this.#tools.notice(warning)
    } catch (error) {
      throw this.#running === solver ? error : stopped()
    } finally {
      if (this.#running === solver) this.end()
    }
  }

  /** Stops what runs, and returns whether anything did. */
  end(): boolean {
    const running = this.#running
    this.#running = undefined
    running?.end()
    return running !== undefined
  }
}

function stopped(): AdfaError {
  return new AdfaError('cancelled', 'resampling was stopped; everything is as it was before')
}
