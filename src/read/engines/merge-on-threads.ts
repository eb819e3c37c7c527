import {
  addLabelled,
  type CompactCounts,
  type CountsHeader,
  countsOfRun,
  piecesIn,
  type Run,
  sizesOf,
  splitRuns
} from '../counts/index.ts'
import type {CountedRuns} from './document-pass.ts'
import type {SharedSpace} from './run-files.ts'
import type {ThreadPool} from './threads.ts'
import type {CountTasks} from './worker-tasks.ts'

/** Ranges are only about equal, and a thread may be slower than the others. */
const RANGES_PER_THREAD = 4

/**
 * The sum of what threads counted. Each thread adds up ranges of patterns over the runs of all, so that what is left to this
 * one is to put the ranges in a row. The result does not depend on the ranges.
 */
export async function mergeOnThreads(
  workers: ThreadPool<CountTasks>,
  header: CountsHeader,
  counted: readonly CountedRuns[],
  {folder, limit}: SharedSpace,
  signal?: AbortSignal
): Promise<CompactCounts> {
  const runs = counted.flatMap(part => part.runs)
  const sizes = sizesOf(header.lexicon)
  const merge = async (): Promise<Run> => {
    const ranges = splitRuns(runs, RANGES_PER_THREAD * counted.length)
    const space = {folder, limit: limit / RANGES_PER_THREAD}
    const parts = await workers.run(
      threads =>
        Promise.all(
          ranges.map((range, at) =>
            // Threads that counted nothing are not started for this.
            threads[at % counted.length].ask('merge', {
              sizes,
              runs: runs.map(run => piecesIn(run, range)).filter(run => run.length > 0),
              range,
              space
            })
          )
        ),
      signal
    )
    return parts.flat()
  }
  const labelled = counted.length === 0 ? new Float64Array(4 * header.lexicon.anchors.length) : addLabelled(counted)
  return countsOfRun(header, runs.length > 1 ? await merge() : runs.flat(), labelled)
}
