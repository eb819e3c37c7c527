import type {DocumentBlock} from '../files/index.ts'
import type {BlockAnswer, WorkerJob} from './worker-messages.ts'
import type {CountWorker} from './worker-pool.ts'

/** Blocks that a thread may have at once: one in work, one at hand. */
const AT_ONCE = 2

/**
 * Give blocks of documents to threads, each to one that has least to do, and take the answers in the order of the blocks. At
 * most two blocks a thread are anywhere between being read and being taken. What is thrown is the error of the earliest
 * block, as if one thread had done all; no thread has any work left then. Gives back the threads that had a part in it.
 */
export async function dealBlocks(
  blocks: AsyncIterable<DocumentBlock>,
  workers: readonly CountWorker[],
  job: WorkerJob,
  take: (answer: BlockAnswer) => void
): Promise<CountWorker[]> {
  const waiting: Promise<BlockAnswer>[] = []
  const load = workers.map(() => 0)
  const begun = new Set<number>()
  const failures: unknown[] = []
  const takeOldest = async () => {
    try {
      const answer = await waiting.shift()
      if (answer !== undefined && failures.length === 0) take(answer)
    } catch (error) {
      failures.push(error)
    }
  }
  const deal = (block: DocumentBlock) => {
    const at = load.indexOf(Math.min(...load))
    load[at]++
    const answer = workers[at]
      .ask({kind: 'block', block, job: begun.has(at) ? undefined : job}, transferOf(block))
      .finally(() => load[at]--)
    // Whoever takes it sees the error; until then it is no one's fault.
    answer.catch(() => {})
    begun.add(at)
    waiting.push(answer)
  }
  let readingFailure: unknown[] = []
  try {
    for await (const block of blocks) {
      while (waiting.length >= AT_ONCE * workers.length) await takeOldest()
      if (failures.length > 0) break
      deal(block)
    }
  } catch (error) {
    // It comes after the errors of the blocks that were read before.
    readingFailure = [error]
  }
  while (waiting.length > 0) await takeOldest()
  for (const error of [...failures, ...readingFailure]) throw error
  return [...begun].map(at => workers[at])
}

function transferOf(block: DocumentBlock): ArrayBuffer[] {
  return block.kind === 'lines' && block.bytes.buffer instanceof ArrayBuffer ? [block.bytes.buffer] : []
}
