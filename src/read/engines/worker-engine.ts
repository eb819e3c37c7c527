import {availableParallelism} from 'node:os'
import {throwIfCancelled} from '../../base/checks/index.ts'
import {type Counts, type CountsHeader, sumCounts} from '../counts/index.ts'
import {FieldSurvey} from '../data/index.ts'
import type {DocumentSource} from '../files/index.ts'
import type {DocumentBlock} from '../reading/index.ts'
import type {CountingEngine, EngineControl, RowSource} from './counting-engine.ts'
import {dealBlocks, transferOf} from './deal-blocks.ts'
import {asidesOf, type BlockAnswer, type CountTasks, createCountTasks, type PassJob} from './document-pass.ts'
import {isSampled} from './document-sample.ts'
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

/**
 * Counts documents on this many threads of its own, 0 for none; by default one per core, and none for small files and
 * unknown sizes. Closing the engine ends them.
 */
export function documentsEngine(documents: BlockSource, workers = usualWorkers(documents)): CountingEngine {
  const threads = workers === 0 ? thisThread() : openCountWorkers(workers)
  return {...workerEngine(documents, threads), close: () => threads.close()}
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

/** Ends a pass that would need more memory for words than it may take. */
class TooManyWords extends Error {}

/**
 * Counts documents on threads that read them block by block. Frequencies and counts are sums, so the result does not depend on
 * the number of threads or their speed. The pass that learns the vocabulary keeps the documents as numbers, and counting
 * reads no file where these fit in memory. Closing the engine leaves the threads to the caller.
 */
export function workerEngine(documents: BlockSource, workers: CountWorkers): CountingEngine {
  /** Returns what `finish` gets from the threads that got blocks. */
  const pass = <T>(
    job: PassJob,
    {onProgress, signal}: EngineControl,
    take: (answer: BlockAnswer) => void,
    finish: (used: readonly Thread<CountTasks>[]) => Promise<T>
  ): Promise<T> =>
    workers.run(async threads => {
      let seen = 0
      const used = new Set<Thread<CountTasks>>()
      const ask = (thread: Thread<CountTasks>, block: DocumentBlock, number: number) => {
        const isNew = used.size < used.add(thread).size
        return thread.ask('block', {block, number, ...(isNew && {job})}, transferOf(block))
      }
      await dealBlocks(blocksOf(documents, signal), threads, ask, answer => {
        throwIfCancelled(signal)
        take(answer)
        seen += answer.documents
        if (answer.documents > 0) onProgress?.(job.stage, seen)
      })
      return finish([...used])
    }, signal)

  return {
    name: 'memory',
    rows: documents,
    async surveyTags(survey, control) {
      const take = ({tags}: BlockAnswer) => tags && survey.addSurvey(tags)
      await pass({stage: 'tags'}, control, take, async () => {})
    },
    async surveyWords(builder, control) {
      const {anchors, options} = builder
      const {phrases, reading: text, filter, distinctWords = Number.POSITIVE_INFINITY} = options
      const reading = {anchors, phrases, reading: text, filter}
      const keptBytes = control.counting === undefined ? 0 : NUMBER_MEMORY / workers.count
      let tokens = 0
      const take = ({newTokens}: BlockAnswer) => {
        tokens += newTokens
        if (tokens > 1.5 * distinctWords) throw new TooManyWords()
      }
      try {
        const job = {stage: 'vocabulary', reading, isExact: true, keptBytes, ...asidesOf(control)} as const
        const used = await pass(job, control, take, async threads => {
          const surveys = await Promise.all(threads.map(thread => thread.ask('survey', undefined)))
          for (const survey of surveys) if (survey !== undefined) builder.addSurvey(survey)
          return threads
        })
        return async header => {
          const counts = await workers.run(() => countsOf(used, header, control), control.signal)
          if (counts !== undefined) control.onProgress?.('counting', counts.documentCount)
          throwIfCancelled(control.signal)
          return counts
        }
      } catch (error) {
        if (!(error instanceof TooManyWords)) throw error
        const job = {stage: 'vocabulary', reading, isExact: false, keptBytes: 0, ...asidesOf({})} as const
        await pass(
          job,
          control,
          ({words}) => words && builder.addSurvey(words),
          async () => {}
        )
        return undefined
      }
    },
    async count(header, control) {
      const {lexicon, labelShare, seed} = header
      const asides = asidesOf({...control, counting: {labelShare, seed}})
      const job = {stage: 'counting', reading: lexicon, ...asides} as const
      const finish = (used: readonly Thread<CountTasks>[]) => countsOf(used, header, control)
      const counts = await pass(job, control, () => {}, finish)
      if (counts === undefined) throw new Error('internal error: a thread did not count what it read')
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

/**
 * The sum of the counts of all threads; undefined where one of them did not keep its documents. Reports what one thread would
 * have: fields that no document has, labels that were looked up, and the sample.
 */
async function countsOf(
  threads: readonly Thread<CountTasks>[],
  header: CountsHeader,
  {labels, sample, onUnseenFields}: EngineControl
): Promise<Counts | undefined> {
  const answers = await Promise.all(threads.map(thread => thread.ask('count', header)))
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
