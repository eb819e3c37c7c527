import {randomUUID} from 'node:crypto'
import {availableParallelism} from 'node:os'
import {throwIfCancelled} from '../../base/checks/index.ts'
import {type Counts, type CountsHeader, sumCounts} from '../counts/index.ts'
import {type Anchors, FieldSurvey, type LexiconBuilder, type LexiconOptions} from '../data/index.ts'
import type {DocumentSource} from '../files/index.ts'
import type {DocumentBlock} from '../reading/index.ts'
import type {CountingEngine, EngineControl, RowSource} from './counting-engine.ts'
import {type AskBlock, dealBlocks, transferOf} from './deal-blocks.ts'
import {isSampled} from './document-sample.ts'
import {openThreads, type Thread, type ThreadPool} from './threads.ts'
import {type BlockAnswer, type CountsAnswer, type CountTasks, createCountTasks, type WorkerJob} from './worker-tasks.ts'

/** Bytes of numbers that all threads keep together, three quarters of a billion words; where these are not enough, documents are read twice. */
const NUMBER_MEMORY = 3 * 2 ** 29

/** Threads that count, for one engine after another. Close them, also after an error. */
export type CountWorkers = ThreadPool<CountTasks>

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

/** Counts documents in this thread, a block at a time. */
export function memoryEngine(rows: BlockSource): CountingEngine {
  return workerEngine(rows, thisThread())
}

/** Documents that come in blocks, which may still be parsed, or in rows. */
export interface BlockSource extends RowSource {
  blocks?(signal?: AbortSignal, isLast?: boolean): AsyncIterable<DocumentBlock>
}

/**
 * Counts documents on threads that read them block by block. Frequencies and counts are sums, so the result does not depend on
 * the number of threads or their speed. The pass that learns the vocabulary keeps the documents as numbers, and counting
 * reads no file where these fit in memory. Closing the engine leaves the threads to the caller.
 */
export function workerEngine(documents: BlockSource, workers: CountWorkers): CountingEngine {
  /** Returns what `finish` gets from the threads that got blocks. */
  const pass = <T>(
    job: WorkerJob,
    {onProgress, signal}: EngineControl,
    take: (answer: BlockAnswer) => void,
    finish: (used: readonly Thread<CountTasks>[]) => Promise<T>
  ): Promise<T> =>
    workers.run(async threads => {
      let seen = 0
      const used = new Set<Thread<CountTasks>>()
      const ask: AskBlock<CountTasks, BlockAnswer> = (thread, block, number) => {
        const isNew = used.size < used.add(thread).size
        return thread.ask('block', {block, number, job: isNew ? job : undefined}, transferOf(block))
      }
      // The threads keep the documents as numbers, or count them.
      const isLast = job.stage === 'counting' || (job.stage === 'vocabulary' && job.kept !== undefined)
      await dealBlocks(blocksOf(documents, signal, isLast), threads, ask, answer => {
        throwIfCancelled(signal)
        take(answer)
        seen += answer.documents
        if (answer.documents > 0) onProgress?.(job.stage, seen)
      })
      return finish([...used])
    }, signal)

  let kept: KeptDocuments | undefined

  /** Learn exact frequencies, with the documents kept; false when there are too many different words for that. */
  const surveyExactly = async (builder: LexiconBuilder, control: EngineControl): Promise<boolean> => {
    const {anchors, options} = builder
    const {distinctWords = Number.POSITIVE_INFINITY} = options
    const name = randomUUID()
    const keeping = control.counting && {name, bytes: NUMBER_MEMORY / workers.count}
    const job = {stage: 'vocabulary', anchors, options, isExact: true, kept: keeping} as const
    let tokens = 0
    const take = (answer: BlockAnswer) => {
      if (answer.kind === 'vocabulary') tokens += answer.newTokens
      if (tokens > 1.5 * distinctWords) throw new TooManyWords()
    }
    try {
      await pass({...job, ...countingJob(control)}, control, take, async threads => {
        for (const survey of await Promise.all(threads.map(thread => thread.ask('survey', undefined))))
          builder.addSurvey(survey)
        kept = {name, control, anchors, options, threads}
      })
      return true
    } catch (error) {
      if (error instanceof TooManyWords) return false
      throw error
    }
  }

  /** Count the documents that the last survey kept; undefined when it read them otherwise, or keeps them no more. */
  const countKept = async (header: CountsHeader, control: EngineControl) => {
    const known = kept
    kept = undefined
    if (known === undefined || !isReadAlike(known, header, control)) return undefined
    const answers = await workers.run(
      () => Promise.all(known.threads.map(thread => thread.ask('countKept', {kept: known.name, header}))),
      control.signal
    )
    const found = answers.filter(answer => answer !== undefined)
    return found.length < answers.length ? undefined : found
  }

  return {
    name: 'memory',
    rows: documents,
    async surveyTags(survey, control) {
      const take = (answer: BlockAnswer) => answer.kind === 'tags' && survey.addSurvey(answer.survey)
      await pass({stage: 'tags'}, control, take, async () => {})
    },
    async surveyWords(builder, control) {
      kept = undefined
      if (await surveyExactly(builder, control)) return
      const {anchors, options} = builder
      const job = {stage: 'vocabulary', anchors, options, isExact: false} as const
      const take = (answer: BlockAnswer) => answer.kind === 'frequencies' && builder.addSurvey(answer.survey)
      await pass({...job, ...countingJob({})}, control, take, async () => {})
    },
    async count(header, control) {
      const finish = (threads: readonly Thread<CountTasks>[]) =>
        Promise.all(threads.map(thread => thread.ask('finish', undefined)))
      const fromKept = await countKept(header, control)
      const job = {stage: 'counting', header, ...countingJob({...control, counting: header})} as const
      const answers = fromKept ?? (await pass(job, control, () => {}, finish))
      const {lexicon} = header
      const parts = answers.map(({counted}) => ({...counted, lexicon}))
      const counts = sumCounts(header, parts)
      if (fromKept !== undefined) control.onProgress?.('counting', counts.documentCount)
      throwIfCancelled(control.signal)
      reportFindings(counts, answers, control)
      return counts
    },
    async close() {
      kept = undefined
    }
  }
}

/** Documents that the threads keep as numbers, and how they were read. */
interface KeptDocuments {
  readonly name: string
  readonly control: EngineControl
  readonly anchors: Anchors
  readonly options: LexiconOptions
  readonly threads: readonly Thread<CountTasks>[]
}

/** Whether counting would read the documents as they were read when they were kept. */
function isReadAlike(kept: KeptDocuments, header: CountsHeader, {labels, sample}: EngineControl): boolean {
  const {anchors, options, control} = kept
  const {lexicon, labelShare, seed} = header
  return (
    [lexicon.anchors, lexicon.phrases, lexicon.text, lexicon.filter].every(
      (part, at) => part === [anchors, options.phrases, options.text, options.filter][at]
    ) &&
    labelShare === control.counting?.labelShare &&
    seed === control.counting.seed &&
    labels === control.labels &&
    sample === control.sample
  )
}

/** Ends a pass that would need more memory for words than it may take. */
class TooManyWords extends Error {}

function countingJob({counting, labels, sample}: EngineControl) {
  return {
    labelShare: counting?.labelShare ?? 0,
    seed: counting?.seed ?? 0,
    labels: labels && new Map(labels),
    sample: sample && {size: sample.size, seed: sample.seed}
  }
}

async function* blocksOf(
  documents: BlockSource,
  signal: AbortSignal | undefined,
  isLast: boolean
): AsyncGenerator<DocumentBlock> {
  for await (const block of documents.blocks?.(signal, isLast) ?? rowBlocks(documents, signal)) {
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

/** Bytes; below this, starting threads costs more than they save. */
const LARGE_INPUT = 60_000_000
/** About how many times larger compressed files are when they are read. */
const PACKED = 5
/** Beyond this, the one thread that reads the files is the slowest. */
const MOST_WORKERS = 8

/**
 * Counts documents on this many threads of its own, 0 for none; by default one per core, and none for small files and
 * unknown sizes. Closing the engine ends them.
 */
export function documentsEngine(documents: DocumentSource, workers = usualWorkers(documents)): CountingEngine {
  if (workers === 0) return memoryEngine(documents)
  const threads = openCountWorkers(workers)
  const engine = workerEngine(documents, threads)
  return {
    ...engine,
    async close() {
      await threads.close()
      await engine.close()
    }
  }
}

/** The number of threads for documents in files of this size; none where it is unknown. */
export function usualWorkers(
  {byteCount = 0, names}: Pick<DocumentSource, 'byteCount' | 'names'>,
  cores = availableParallelism()
): number {
  const isPacked = names.some(name => /\.(?:gz|zst|parquet)$/i.test(name))
  return byteCount * (isPacked ? PACKED : 1) < LARGE_INPUT || cores === 1 ? 0 : Math.min(cores, MOST_WORKERS)
}
