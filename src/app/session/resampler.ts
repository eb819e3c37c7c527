import type {FitIntervals} from '../../learn/bootstrap.ts'
import {Job, type Work} from './job.ts'
import type {LearnedResult} from './pipeline.ts'

/**
 * How sure the links of a model are, by fits of resampled counts. They have a thread of their own, which ends with them, so that
 * a model that is asked for in the meantime does not wait. The model stays as it is.
 */
export class Resampler {
  readonly #work: Work
  #job: Job | undefined
  #found: {readonly learned: LearnedResult; readonly intervals: FitIntervals} | undefined

  constructor(work: Work) {
    this.#work = work
  }

  /** What was found for this model; undefined for any other. */
  intervalsOf(learned: LearnedResult): FitIntervals | undefined {
    return this.#found?.learned === learned ? this.#found.intervals : undefined
  }

  /** Ends the resampling under way, and replaces the one before only when it is done. */
  async resample(learned: LearnedResult, replicates: number): Promise<void> {
    this.end()
    if (this.intervalsOf(learned)?.replicates === replicates) return
    const job = new Job(this.#work, 'resampling was stopped; everything is as it was before')
    this.#job = job
    const {counts, options} = learned.encoded
    try {
      const task = {counts, options, model: learned.model}
      const {intervals, warnings} = await job.value(job.solver().resample(task, replicates))
      this.#found = {learned, intervals}
      for (const warning of warnings) this.#work.notice(warning)
    } finally {
      job.end()
      if (this.#job === job) this.#job = undefined
    }
  }

  /** Stops what runs, and returns whether anything did. */
  end(): boolean {
    const isRunning = this.#job !== undefined
    this.#job?.stop()
    this.#job = undefined
    return isRunning
  }
}
