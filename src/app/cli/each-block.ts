import {workerData} from 'node:worker_threads'
import type {Row} from '../../read/data/index.ts'
import {answerTasks, dealBlocks, openThreads, transferOf, usualWorkers} from '../../read/engines/index.ts'
import type {DocumentSource} from '../../read/files/index.ts'
import {type DocumentBlock, parseBlock} from '../../read/reading/index.ts'
import type {Output} from './output.ts'
import {progressOf} from './read-input.ts'
import {createPause} from './signals.ts'

/** Takes documents one by one, and says what became of those since the last call. */
export interface BlockWork<A> {
  add(row: Row): void
  take(): A
}

interface BlockTasks<A> {
  block(block: DocumentBlock): Promise<A>
}

export interface BlockTask<Job, A> {
  /** What progress calls it. */
  readonly stage: string
  readonly job: Job
  /** The work for a job, here or in `worker`, the file of a thread that gets the job as its data. */
  readonly begin: (job: Job) => BlockWork<A>
  readonly worker: URL
  /** Takes the answers in the order of the blocks; further blocks wait for it. */
  readonly take: (answer: A) => void | Promise<void>
}

async function workOn<A>(
  {add, take}: BlockWork<A>,
  block: DocumentBlock,
  pause?: () => Promise<void> | undefined
): Promise<A> {
  for (const row of parseBlock(block)) {
    add(row)
    const pausing = pause?.()
    if (pausing !== undefined) await pausing
  }
  return take()
}

/** Makes a thread answer with the work for the job that is its data; `transfers` lists what of an answer need not be copied. */
export function answerBlocks<Job, A>(
  begin: (job: Job) => BlockWork<A>,
  transfers?: (answer: A) => ArrayBuffer[]
): void {
  const work = begin(workerData as Job)
  answerTasks<BlockTasks<A>>({block: block => workOn(work, block)}, transfers)
}

interface BlockOptions {
  /** By default one per core, or none for small files and unknown sizes. */
  readonly workers?: number | undefined
  readonly output: Output
}

/** Works on all blocks of documents, with progress, on threads or in this one, and closes them; returns the number of documents. */
export async function eachBlock<Job, A extends {readonly documents: number}>(
  source: DocumentSource,
  {stage, job, begin, worker, take}: BlockTask<Job, A>,
  {workers = usualWorkers(source), output}: BlockOptions
): Promise<number> {
  const onProgress = progressOf(source, output)
  const blocks = source.blocks()
  let documents = 0
  const takeNext = async (answer: A) => {
    await take(answer)
    documents += answer.documents
    if (answer.documents > 0) onProgress(stage, documents)
  }
  try {
    if (workers === 0) {
      const work = begin(job)
      const pause = createPause()
      for await (const block of blocks) await takeNext(await workOn(work, block, pause))
    } else await onThreads(blocks, workers, {file: worker, data: job}, takeNext)
    return documents
  } finally {
    output.done()
    await source.close()
  }
}

async function onThreads<A>(
  blocks: AsyncIterable<DocumentBlock>,
  count: number,
  thread: {readonly file: URL; readonly data: unknown},
  take: (answer: A) => Promise<void>
): Promise<void> {
  const stopped = 'nothing was written; start again, with fewer --workers if memory was short'
  const pool = openThreads<BlockTasks<A>>(count, {...thread, stopped})
  try {
    await pool.run(threads =>
      dealBlocks(blocks, threads, (each, block) => each.ask('block', block, transferOf(block)) as Promise<A>, take)
    )
  } finally {
    await pool.close()
  }
}
