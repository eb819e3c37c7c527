import type {DocumentBlock} from '../reading/index.ts'

/** Blocks that a thread may have at once: one in work, one waiting. */
const AT_ONCE = 2

/**
 * Give blocks of documents to threads, each with its number to the least busy one, and take the answers in their order. At most
 * two blocks per thread are between being read and being taken. Throws the error of the earliest block, as a single thread
 * would, once no thread has any work left.
 */
export async function dealBlocks<Thread, A>(
  blocks: AsyncIterable<DocumentBlock>,
  threads: readonly Thread[],
  ask: (thread: Thread, block: DocumentBlock, number: number) => Promise<A>,
  take: (answer: A) => void | Promise<void>
): Promise<void> {
  const waiting: Promise<A>[] = []
  const load = threads.map(() => 0)
  const failures: unknown[] = []
  const takeOldest = async () => {
    const [answer] = waiting.splice(0, 1)
    await answer.then(found => (failures.length === 0 ? take(found) : undefined)).catch(error => failures.push(error))
  }
  let dealt = 0
  try {
    for await (const block of blocks) {
      while (waiting.length >= AT_ONCE * threads.length) await takeOldest()
      if (failures.length > 0) break
      const at = load.indexOf(Math.min(...load))
      load[at]++
      const answer = ask(threads[at], block, dealt++).finally(() => load[at]--)
      // Its error is seen when the answer is taken; until then it must not count as unhandled.
      answer.catch(() => {})
      waiting.push(answer)
    }
  } catch (error) {
    // The errors of the blocks that were read before come first.
    while (waiting.length > 0) await takeOldest()
    failures.push(error)
  }
  while (waiting.length > 0) await takeOldest()
  if (failures.length > 0) throw failures[0]
}

/** The buffers of a block, which go with it. */
export function transferOf(block: DocumentBlock): ArrayBuffer[] {
  return block.kind === 'lines' && block.bytes.buffer instanceof ArrayBuffer ? [block.bytes.buffer] : []
}
