import {availableParallelism} from 'node:os'
import {throwIfCancelled} from '../../base/checks/index.ts'
import {type Counts, type CountsHeader, sumCounts} from '../counts/index.ts'
import {addSurveys, FieldSurvey} from '../data/index.ts'
import type {DocumentSource} from '../files/index.ts'
import type {DocumentBlock} from '../reading/index.ts'
import type {CountingEngine, EngineControl, RowSource} from './counting-engine.ts'
import {
  asidesOf,
  type CountsAnswer,
  type CountTasks,
  createCountTasks,
  isSampled,
  type PassJob
} from './document-pass.ts'
import {openThreads, type Thread, type ThreadPool} from './threads.ts'

/** Bytes of numbers that all threads keep together, three quarters of a billion words; where these are not enough, documents are read twice. */
const NUMBER_MEMORY = 3 * 2 ** 29

/** Bytes; below this, starting threads costs more than they save. */
const LARGE_INPUT = 60_000_000
/** About how many times larger compressed files are when they are read. */
const PACKED = 5
/** Beyond this, the one thread that reads the files is the slowest. */
const MOST_WORKERS = 8

/** Documents that come in blocks, which may still be parsed, or in rows. */
export interface BlockSource extends RowSource, Partial<Pick<DocumentSource, 'byteCount' | 'names'>> {
  blocks?(signal?: AbortSignal): AsyncIterable<DocumentBlock>
}

/** Counts documents on this many threads, 0 for none; by default one per core, and none for small files and unknown sizes. */
export function documentsEngine(documents: BlockSource, workers = usualWorkers(documents)): CountingEngine {
  return workerEngine(documents, () => (workers === 0 ? thisThread() : openCountWorkers(workers)))
}

/** The number of threads for documents in files of this size; none where it is unknown. */
export function usualWorkers(
  {byteCount = 0, names = []}: Pick<BlockSource, 'byteCount' | 'names'>,
  cores = availableParallelism()
): number {
  const isPacked = names.some(name => /\.(?:gz|zst|parquet)$/i.test(name))
  return byteCount * (isPacked ? PACKED : 1) < LARGE_INPUT || cores === 1 ? 0 : Math.min(cores, MOST_WORKERS)
}

type CountWorkers = ThreadPool<CountTasks>

export function openCountWorkers(count: number): CountWorkers {
  return openThreads(count, {
    file: new URL('./count-worker.ts', import.meta.url),
    stopped: 'nothing was counted; start again, with fewer `workers` if memory was short (0 for none)'
  })
}

/** This thread, in the place of others: it does a task when it is asked. */
function thisThread(): CountWorkers {
  const tasks = createCountTasks()
  const ask: Thread<CountTasks>['ask'] = async (name, argument) => tasks[name](argument as never) as never
  return {count: 1, run: async work => work([{ask}]), close: async () => {}}
}

/**
 * Counts documents on threads that read them block by block. Frequencies and counts are sums, so the result does not depend on
 * the number of threads or their speed. The pass that learns the vocabulary keeps the documents as numbers, and counting
 * reads no file where these fit in memory. Threads end when they have counted: their memory is then free for the sum.
 */
export function workerEngine(documents: BlockSource, open: () => CountWorkers): CountingEngine {
  let opened = open()
  const askAll = <Name extends keyof CountTasks>(
    name: Name,
    argument: Parameters<CountTasks[Name]>[0],
    signal: AbortSignal | undefined
  ) => opened.run(threads => Promise.all(threads.map(thread => thread.ask(name, argument))), signal)
  const pass = async (job: PassJob, {onProgress, signal}: EngineControl) => {
    await askAll('begin', job, signal)
    const ask = (thread: Thread<CountTasks>, block: DocumentBlock, number: number) =>
      thread.ask('block', {block, number}, transferOf(block))
    let seen = 0
    const take = (documents: number) => {
      throwIfCancelled(signal)
      seen += documents
      if (documents > 0) onProgress?.(job.stage, seen)
    }
    const blocks = () => documents.blocks?.(signal) ?? documents.batches(signal)
    await opened.run(threads => dealBlocks(blocks(), threads, ask, take), signal)
  }
  const finish = async (header: CountsHeader, control: EngineControl) => {
    const answers = await askAll('count', header, control.signal)
    await opened.close()
    opened = open()
    return countsOf(answers, header, control)
  }

  return {
    name: 'memory',
    rows: documents,
    async surveyTags(to, control) {
      await pass({stage: 'tags'}, control)
      for (const {tags} of await askAll('survey', undefined, control.signal)) to.addCounts(tags)
    },
    async surveyWords(reading, control) {
      const keptBytes = control.counting === undefined ? 0 : NUMBER_MEMORY / opened.count
      const job = {stage: 'vocabulary', reading, keptBytes, ...asidesOf(control)} as const
      await pass(job, control)
      const surveys = (await askAll('survey', undefined, control.signal)).flatMap(({words}) => words ?? [])
      const countKept = async (header: CountsHeader) => {
        const counts = await finish(header, control)
        if (counts !== undefined) control.onProgress?.('counting', counts.documentCount)
        throwIfCancelled(control.signal)
        return counts
      }
      return {survey: surveys.reduce((sum, part) => addSurveys(sum, part, reading.reading)), countKept}
    },
    async count(header, control) {
      const {lexicon, labelShare, seed} = header
      const asides = asidesOf({...control, counting: {labelShare, seed}})
      await pass({stage: 'counting', reading: lexicon, ...asides}, control)
      const counts = await finish(header, control)
      if (counts === undefined) throw new Error('internal error: a thread did not count what it read')
      return counts
    },
    close: () => opened.close()
  }
}

/** Undefined where a thread did not keep its documents. Reports unseen fields, used labels and the sample as one thread would. */
function countsOf(
  answers: readonly (CountsAnswer | undefined)[],
  header: CountsHeader,
  {labels, sample, onUnseenFields}: EngineControl
): Counts | undefined {
  const all = answers.filter(answer => answer !== undefined)
  if (all.length < answers.length) return undefined
  const {lexicon, labelShare} = header
  const parts = all.map(({counted}) => ({...counted, lexicon}))
  const counts = sumCounts(header, parts)
  const isUnseen = (name: string) => all.every(answer => answer.unseen.includes(name))
  const unseen = new FieldSurvey(lexicon.reading).unseen().filter(isUnseen)
  if (unseen.length > 0) onUnseenFields?.(unseen)
  for (const {labelled} of all) for (const key of labelled) labels?.get(key)
  const isDrawn = isSampled(sample?.size ?? 0, labels === undefined ? labelShare : 0, counts.documentCount)
  const drawn = all.flatMap(({sampled}) => sampled).filter(isDrawn)
  sample?.onRows(drawn.sort((a, b) => a.block - b.block).map(({row}) => row))
  return counts
}

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

export function transferOf(block: DocumentBlock): ArrayBuffer[] {
  return 'bytes' in block && block.bytes.buffer instanceof ArrayBuffer ? [block.bytes.buffer] : []
}
