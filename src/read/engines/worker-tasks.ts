import {unreachable} from '../../base/checks/index.ts'
import type {Counts, CountsHeader} from '../counts/index.ts'
import {
  type Anchors,
  DocumentSurvey,
  documentFilter,
  type Labels,
  type LexiconOptions,
  MOST_TOKENS,
  type Row,
  type TagFrequencies,
  TagSurvey,
  type WordSurvey
} from '../data/index.ts'
import {type DocumentBlock, eachRow} from '../reading/index.ts'
import {CountingPass, SurveyPass} from './document-pass.ts'
import type {SampledRow, SampleOptions} from './document-sample.ts'
import {NumberStore} from './number-store.ts'

/** What a thread does with blocks of documents. */
export type WorkerJob =
  | {readonly stage: 'tags'}
  | ({
      readonly stage: 'vocabulary'
      readonly anchors: Anchors
      readonly options: LexiconOptions
      /** False to forget the rarest words, so that they fit into memory. */
      readonly isExact: boolean
      /** Where exact, documents are kept as numbers under this name, if there is one, in at most so many bytes. */
      readonly kept?: {readonly name: string; readonly bytes: number} | undefined
    } & CountingJob)
  | ({
      readonly stage: 'counting'
      readonly header: CountsHeader
    } & CountingJob)

interface CountingJob {
  readonly labelShare: number
  readonly seed: number
  readonly labels: LabelMap | undefined
  readonly sample: SampleOptions | undefined
}

type LabelMap = ReadonlyMap<string, ReadonlyMap<string, boolean>>

interface BlockRequest {
  readonly block: DocumentBlock
  /** The number of the block among all blocks, from 0. */
  readonly number: number
  /** With the first block that a thread gets. */
  readonly job: WorkerJob | undefined
}

/** What became of a block, with a survey where the job is one. */
export type BlockAnswer =
  | {readonly kind: 'tags'; readonly documents: number; readonly survey: TagFrequencies}
  | {readonly kind: 'frequencies'; readonly documents: number; readonly survey: WordSurvey}
  /** How many different tokens are new to the thread. */
  | {readonly kind: 'vocabulary'; readonly documents: number; readonly newTokens: number}
  | {readonly kind: 'counting'; readonly documents: number}

export interface CountsAnswer {
  readonly counted: Omit<Counts, 'lexicon'>
  /** Fields asked for that none of the thread's documents has. */
  readonly unseen: readonly string[]
  /** Keys of documents that were looked up among the labels and found. */
  readonly labelled: readonly string[]
  readonly sampled: readonly SampledRow[]
}

interface KeptRequest {
  readonly kept: string
  readonly header: CountsHeader
}

/** The buffers of the counts, which the thread needs no more. */
export function buffersOf(answer: unknown): ArrayBuffer[] {
  const {counted = {}} = (answer ?? {}) as Partial<CountsAnswer>
  const buffers = Object.values(counted).map(part => (ArrayBuffer.isView(part) ? part.buffer : undefined))
  return [...new Set(buffers)].filter(buffer => buffer instanceof ArrayBuffer)
}

/** The tasks of a thread that counts. It remembers its job from block to block. */
export interface CountTasks {
  block(request: BlockRequest): BlockAnswer
  /** The words of all blocks since the job began. */
  survey(request: undefined): WordSurvey
  /** The counts of all blocks since the job began. */
  finish(request: undefined): CountsAnswer
  /** The counts of the documents that were kept; undefined when they were too many, or given up for another job. */
  countKept(request: KeptRequest): CountsAnswer | undefined
}

interface RunningJob {
  onBlock(block: DocumentBlock, number: number): BlockAnswer
  survey?(): WordSurvey
  finish?(): CountsAnswer
  countKept?(request: KeptRequest): CountsAnswer | undefined
}

export function createCountTasks(): CountTasks {
  let running: RunningJob | undefined
  const answered = <T>(answer: T | undefined): T => {
    if (answer === undefined) throw new Error('internal error: a thread was asked for what is not its job')
    return answer
  }
  return {
    block({block, number, job}) {
      if (job !== undefined) running = beginJob(job)
      return answered(running).onBlock(block, number)
    },
    survey: () => answered(running?.survey?.()),
    finish() {
      const answer = answered(running?.finish?.())
      running = undefined
      return answer
    },
    countKept(request) {
      const answer = running?.countKept?.(request)
      running = undefined
      return answer
    }
  }
}

function beginJob(job: WorkerJob): RunningJob {
  switch (job.stage) {
    case 'tags':
      return tagsJob()
    case 'vocabulary':
      return job.isExact ? vocabularyJob(job) : frequenciesJob(job)
    case 'counting':
      return countingJob(job)
    default:
      return unreachable(job)
  }
}

function tagsJob(): RunningJob {
  const survey = new TagSurvey()
  return {
    onBlock(block) {
      eachRow(block, row => survey.add(row))
      const frequencies = survey.takeSurvey()
      return {kind: 'tags', documents: frequencies.documentCount, survey: frequencies}
    }
  }
}

/** Frequencies block by block, so that whoever adds them up forgets the same rare words whatever the number of threads. */
function frequenciesJob({anchors, options}: Extract<WorkerJob, {stage: 'vocabulary'}>): RunningJob {
  const {phrases, text, filter} = options
  const accepts = documentFilter(filter)
  let survey = new DocumentSurvey(anchors, phrases, text)
  return {
    onBlock(block) {
      if (survey.reader.table.size > MOST_TOKENS) survey = new DocumentSurvey(anchors, phrases, text)
      let documents = 0
      const visit = (row: Row) => {
        documents++
        if (accepts(row)) survey.add(row)
      }
      eachRow(block, visit)
      return {kind: 'frequencies', documents, survey: survey.take()}
    }
  }
}

function vocabularyJob(job: Extract<WorkerJob, {stage: 'vocabulary'}>): RunningJob {
  const {anchors, options, kept} = job
  const found = new Set<string>()
  const labels = job.labels && noticing(job.labels, found)
  const pass = new SurveyPass({...job, anchors, reading: options, labels}, kept && new NumberStore(kept.bytes))
  let tokens = 0
  return {
    onBlock(block, number) {
      const documents = pass.add(block, number)
      const newTokens = pass.distinctTokens - tokens
      tokens = pass.distinctTokens
      return {kind: 'vocabulary', documents, newTokens}
    },
    survey: () => pass.survey(),
    countKept(request) {
      const counts = request.kept === kept?.name ? pass.count(request.header) : undefined
      return counts && answerOf(pass, counts, found)
    }
  }
}

function countingJob(job: Extract<WorkerJob, {stage: 'counting'}>): RunningJob {
  const {header, sample} = job
  const found = new Set<string>()
  const pass = new CountingPass(header, {labels: job.labels && noticing(job.labels, found), sample})
  return {
    onBlock: (block, number) => ({kind: 'counting', documents: pass.add(block, number)}),
    finish: () => answerOf(pass, pass.finish(), found)
  }
}

function answerOf(pass: SurveyPass | CountingPass, counts: Counts, found: ReadonlySet<string>): CountsAnswer {
  const {lexicon: _, ...counted} = counts
  return {counted, unseen: pass.unseen(), labelled: [...found], sampled: pass.sampled()}
}

/** The labels, and in `found` the keys that were asked for and are there. */
function noticing(labels: LabelMap, found: Set<string>): Labels {
  return {
    get(key) {
      const known = labels.get(key)
      if (known !== undefined) found.add(key)
      return known
    }
  }
}
