import {availableParallelism} from 'node:os'
import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {
  addCounts,
  Counter,
  type Counts,
  type CountsHeader,
  countPackedRange,
  type PackedCorpus
} from '../counts/index.ts'
import {FieldSurvey} from '../data/index.ts'
import type {DocumentSource} from '../files/index.ts'
import type {DocumentBlock} from '../reading/index.ts'
import type {CountingEngine, EngineControl, RowSource} from './counting-engine.ts'
import {type AskBlock, dealBlocks, transferOf} from './deal-blocks.ts'
import {isSampled} from './document-sample.ts'
import {memoryEngine} from './memory-engine.ts'
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
      const used = new Set<Thread<CountTasks>>()
      const ask: AskBlock<CountTasks, BlockAnswer> = (thread, block, number) => {
        const isNew = used.size < used.add(thread).size
        return thread.ask('block', {block, number, job: isNew ? job : undefined}, transferOf(block))
      }
      await dealBlocks(blocksOf(documents, signal), threads, ask, answer => {
        take(answer)
        seen += answer.documents
        if (answer.documents > 0) onProgress?.(job.stage, seen)
      })
      return job.stage === 'counting' ? Promise.all([...used].map(thread => thread.ask('finish', undefined))) : []
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
      const answers = await pass({stage: 'counting', header, labels: labels && new Map(labels), sample: part}, control)
      const counts = sumAnswers(header, answers)
      reportFindings(counts, answers, control)
      return counts
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
function reportFindings(counts: Counts, answers: readonly CountsAnswer[], control: EngineControl): void {
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

/** The sum of what several threads counted. */
function sumAnswers(header: CountsHeader, answers: readonly CountsAnswer[]): Counts {
  if (answers.length === 0) return new Counter(header).finish()
  const parts = answers.map(({counts}) => ({...header, ...counts}))
  return parts.length === 1 ? parts[0] : addCounts(header, parts)
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
export async function countPacked(packed: PackedCorpus, {workers, signal}: PackedControl = {}): Promise<Counts> {
  const {header, labelled, ...documents} = packed
  const {documentCount} = documents
  if (workers === undefined) return {...countPackedRange(header, documents), labelled}
  if (!(documents.words.buffer instanceof SharedArrayBuffer))
    throw new AdfaError(
      'bad-option',
      'these documents are not in shared memory, and threads would each copy them; pack them with {isShared: true}'
    )
  const edge = (at: number) => Math.floor((documentCount * at) / workers.count)
  const answers = await workers.run(
    threads =>
      Promise.all(
        threads.map((thread, at) => thread.ask('packed', {header, documents, from: edge(at), to: edge(at + 1)}))
      ),
    signal
  )
  return {...sumAnswers(header, answers), labelled}
}
