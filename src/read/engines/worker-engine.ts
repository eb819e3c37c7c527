import {availableParallelism} from 'node:os'
import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {type CompactCounts, type Counts, countPackedRange, countsOfRun, type PackedCorpus} from '../counts/index.ts'
import {FieldSurvey} from '../data/index.ts'
import type {DocumentSource} from '../files/index.ts'
import type {DocumentBlock} from '../reading/index.ts'
import {expandAndClose} from './count-with.ts'
import type {CountingEngine, EngineControl, RowSource} from './counting-engine.ts'
import {isSampled} from './document-sample.ts'
import {memoryEngine} from './memory-engine.ts'
import {mergeOnThreads} from './merge-on-threads.ts'
import {keepingStore, openSharedSpace, reserveSharedSpace} from './run-files.ts'
import {openThreads, type Thread, type ThreadPool} from './threads.ts'
import type {BlockAnswer, CountsAnswer, CountTasks, WorkerJob} from './worker-tasks.ts'

/** Threads that count, for one engine after another. Close them, also after an error. */
export type CountWorkers = ThreadPool<CountTasks>

export function openCountWorkers(count: number): CountWorkers {
  return openThreads(count, {
    file: new URL('./count-worker.ts', import.meta.url),
    stopped: 'nothing was counted; start again, with fewer `workers` if memory was short (0 for none)'
  })
}

/** Documents that come in blocks, which may still be parsed, or in rows. */
export interface BlockSource extends RowSource {
  blocks?(signal?: AbortSignal): AsyncIterable<DocumentBlock>
}

/**
 * Counts documents on threads that parse them block by block. Surveys of blocks are added up in the order of the blocks and
 * counts are sums, so the result does not depend on the number of threads or their speed. Pairs of words are learned from
 * `rows` in this thread. Closing the engine leaves the threads to the caller.
 */
export function workerEngine(documents: BlockSource, workers: CountWorkers): CountingEngine {
  /** Returns what the threads that got blocks have counted. */
  const pass = (job: WorkerJob, {onProgress, signal}: EngineControl, take: (answer: BlockAnswer) => void = () => {}) =>
    workers.run(async threads => {
      let seen = 0
      const used = await dealBlocks(blocksOf(documents, signal), threads, job, answer => {
        take(answer)
        seen += answer.documents
        if (answer.documents > 0) onProgress?.(job.stage, seen)
      })
      return job.stage === 'counting' ? Promise.all(used.map(thread => thread.ask('finish', undefined))) : []
    }, signal)

  return {
    name: 'memory',
    rows: documents,
    async surveyTags(survey, control) {
      await pass({stage: 'tags'}, control, answer => answer.kind === 'tags' && survey.addSurvey(answer.survey))
    },
    async surveyWords(builder, control) {
      const {anchors, options} = builder
      await pass({stage: 'vocabulary', anchors, options}, control, answer => {
        if (answer.kind === 'vocabulary') builder.addSurvey(answer.survey)
      })
    },
    async count(header, control) {
      const {labels, sample} = control
      const part = sample && {size: sample.size, seed: sample.seed}
      const space = reserveSharedSpace(workers.count)
      const job: WorkerJob = {stage: 'counting', header, labels: labels && new Map(labels), sample: part, space}
      return keepingStore(openSharedSpace(space).store, async () => {
        const answers = await pass(job, control)
        const counted = answers.map(answer => answer.counted)
        const counts = await mergeOnThreads(workers, header, counted, space, control.signal)
        reportFindings(counts, answers, control)
        return counts
      })
    },
    close: async () => {}
  }
}

async function* blocksOf(documents: BlockSource, signal: AbortSignal | undefined): AsyncGenerator<DocumentBlock> {
  for await (const block of documents.blocks?.(signal) ?? rowBlocks(documents, signal)) {
    throwIfCancelled(signal)
    yield block
  }
}

async function* rowBlocks(documents: RowSource, signal: AbortSignal | undefined): AsyncGenerator<DocumentBlock> {
  for await (const rows of documents.batches(signal)) yield {kind: 'rows', rows}
}

/** Report what one thread would have: fields that no document has, labels that were looked up, and the sample. */
function reportFindings(counts: CompactCounts, answers: readonly CountsAnswer[], control: EngineControl): void {
  const {labels, sample} = control
  const unseen = new FieldSurvey(counts.lexicon.text).unseen()
  const everywhere = unseen.filter(name => answers.every(answer => answer.unseen.includes(name)))
  if (everywhere.length > 0) control.onUnseenFields?.(everywhere)
  for (const {labelled} of answers) for (const key of labelled) labels?.get(key)
  if (sample === undefined) return
  const drawn = answers.flatMap(({sampled}) => sampled)
  const isDrawn = isSampled(sample.size, counts, counts.documentCount, labels !== undefined)
  sample.onRows(
    drawn
      .filter(isDrawn)
      .sort((a, b) => a.block - b.block)
      .map(({row}) => row)
  )
}

/** Blocks that a thread may have at once: one in work, one waiting. */
const AT_ONCE = 2

/**
 * Give blocks of documents to threads, each to the least busy one, and take the answers in the order of the blocks. At most
 * two blocks per thread are between being read and being taken. Throws the error of the earliest block, as a single thread
 * would, once no thread has any work left. Returns the threads that got blocks.
 */
async function dealBlocks(
  blocks: AsyncIterable<DocumentBlock>,
  workers: readonly Thread<CountTasks>[],
  job: WorkerJob,
  take: (answer: BlockAnswer) => void
): Promise<Thread<CountTasks>[]> {
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
  let dealt = 0
  const deal = (block: DocumentBlock) => {
    const at = load.indexOf(Math.min(...load))
    load[at]++
    const answer = workers[at]
      .ask('block', {block, number: dealt++, job: begun.has(at) ? undefined : job}, transferOf(block))
      .finally(() => load[at]--)
    // Its error is seen when the answer is taken; until then it must not count as unhandled.
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
    // After the errors of the blocks that were read before.
    readingFailure = [error]
  }
  while (waiting.length > 0) await takeOldest()
  for (const error of [...failures, ...readingFailure]) throw error
  return [...begun].map(at => workers[at])
}

function transferOf(block: DocumentBlock): ArrayBuffer[] {
  return block.kind === 'lines' && block.bytes.buffer instanceof ArrayBuffer ? [block.bytes.buffer] : []
}

/** Bytes; below this, starting threads costs more than they save. */
const LARGE_INPUT = 20_000_000
/** Beyond this, the one thread that reads the files is the slowest. */
const MOST_WORKERS = 8

/**
 * Counts documents on this many threads of its own, 0 for none; by default one per core, and none for small files and
 * unknown sizes. Closing the engine ends them.
 */
export function documentsEngine(
  documents: DocumentSource,
  workers = usualWorkers(documents.byteCount)
): CountingEngine {
  if (workers === 0) return memoryEngine(documents)
  const threads = openCountWorkers(workers)
  return {...workerEngine(documents, threads), close: () => threads.close()}
}

/** The number of threads for documents of this size in bytes; undefined when it is unknown. */
export function usualWorkers(byteCount: number | undefined, cores = availableParallelism()): number {
  return byteCount === undefined || byteCount < LARGE_INPUT || cores === 1 ? 0 : Math.min(cores, MOST_WORKERS)
}

export interface PackedControl {
  /** Threads that each count a range of the documents; without them, this one counts all. */
  readonly workers?: CountWorkers
  readonly signal?: AbortSignal
}

/**
 * Count documents that are already parsed and packed (`packCorpus`, `DocumentPacker`). For threads they must be in shared
 * memory, which none of them copies.
 */
export async function countPacked(packed: PackedCorpus, control?: PackedControl): Promise<Counts> {
  return expandAndClose(await countPackedCompact(packed, control))
}

/** {@link countPacked} for counts that are only written to a file. Close their store, if they have one. */
export async function countPackedCompact(
  packed: PackedCorpus,
  {workers, signal}: PackedControl = {}
): Promise<CompactCounts> {
  const {header, labelled, ...documents} = packed
  const {documentCount} = documents
  if (workers === undefined) return countsOfRun(header, countPackedRange(header, documents), labelled)
  if (!(documents.words.buffer instanceof SharedArrayBuffer))
    throw new AdfaError(
      'bad-option',
      'these documents are not in shared memory, and threads would each copy them; pack them with {isShared: true}'
    )
  const edge = (at: number) => Math.floor((documentCount * at) / workers.count)
  const space = reserveSharedSpace(workers.count)
  return keepingStore(openSharedSpace(space).store, async () => {
    const counted = await workers.run(
      threads =>
        Promise.all(
          threads.map((thread, at) =>
            thread.ask('packed', {header, documents, from: edge(at), to: edge(at + 1), space})
          )
        ),
      signal
    )
    return {...(await mergeOnThreads(workers, header, counted, space, signal)), labelled}
  })
}
