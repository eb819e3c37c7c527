import type {Model} from '../../../learn/model/index.ts'
import type {PooledRates} from '../../../learn/noise/index.ts'
import type {Counts} from '../../../read/counts/index.ts'
import {openThreads} from '../../../read/engines/index.ts'

/** What the thread that learns rankings can do. */
export interface RankingTasks {
  learn(rates: readonly PooledRates[] | undefined): Promise<Model>
}

/** Learns on a thread of its own, which starts when it is first needed. Close it. */
export function openRankingThread(counts: Counts) {
  const threads = openThreads<RankingTasks>(1, {
    file: new URL('./ranking-worker.ts', import.meta.url),
    data: counts,
    stopped: 'concepts are ranked by their anchors from now on'
  })
  return {
    learn: (rates: readonly PooledRates[] | undefined) => threads.run(([thread]) => thread.ask('learn', rates)),
    close: () => threads.close()
  }
}
