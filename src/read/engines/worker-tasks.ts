import {unreachable} from '../../base/checks/index.ts'
import {
  type CountsHeader,
  countPackedRange,
  mergeRuns,
  type PatternRange,
  type PatternSizes,
  type Run,
  type RunSpace
} from '../counts/index.ts'
import {
  type Anchors,
  type Labels,
  LexiconBuilder,
  type LexiconOptions,
  type PackedDocuments,
  PlainLine,
  type TagFrequencies,
  TagNames,
  TagSurvey,
  type WordSurvey
} from '../data/index.ts'
import {nodeTools} from '../files/index.ts'
import {type DocumentBlock, type DocumentVisitor, eachDocument, parseBlock} from '../reading/index.ts'
import {type CountedRuns, CountingPass, SurveyPass} from './document-pass.ts'
import type {SampledRow, SampleOptions} from './document-sample.ts'
import {NumberStore} from './number-store.ts'
import {openSharedSpace, type SharedSpace} from './run-files.ts'

/** What a thread does with blocks of documents. */
export type WorkerJob =
  | {readonly stage: 'tags'}
  | ({
      readonly stage: 'vocabulary'
      readonly anchors: Anchors
      readonly options: LexiconOptions
      /** False to forget the rarest words, so that they fit into memory. */
      readonly isExact: boolean
      /** Where exact, documents are kept as numbers under this name, if there is one. */
      readonly kept?: string | undefined
      readonly space?: SharedSpace | undefined
    } & CountingJob)
  | ({
      readonly stage: 'counting'
      readonly header: CountsHeader
      readonly space: SharedSpace
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

interface PackedRequest {
  readonly header: CountsHeader
  readonly documents: PackedDocuments
  readonly from: number
  readonly to: number
  readonly space: SharedSpace
}

interface MergeRequest {
  readonly sizes: PatternSizes
  readonly runs: readonly Run[]
  readonly range: PatternRange
  readonly space: SharedSpace
}

export interface CountsAnswer {
  readonly counted: CountedRuns
  /** Fields asked for that none of the thread's documents has. */
  readonly unseen: readonly string[]
  /** Keys of documents that were looked up among the labels and found. */
  readonly labelled: readonly string[]
  readonly sampled: readonly SampledRow[]
}

interface KeptRequest {
  readonly kept: string
  readonly header: CountsHeader
  readonly space: SharedSpace
}

/** The tasks of a thread that counts. It remembers its job from block to block. */
export interface CountTasks {
  block(request: BlockRequest): BlockAnswer
  /** The words of all blocks since the job began. */
  survey(request: undefined): WordSurvey
  /** The counts of all blocks since the job began. */
  finish(request: undefined): CountsAnswer
  /** The counts of the documents that were kept; undefined when they were given up for another job. */
  countKept(request: KeptRequest): CountsAnswer | undefined
  packed(request: PackedRequest): CountedRuns
  /** The sum of runs within a range of patterns. */
  merge(request: MergeRequest): Run
}

interface RunningJob {
  onBlock(block: DocumentBlock, number: number): BlockAnswer
  survey?(): WordSurvey
  finish?(): CountsAnswer
  countKept?(request: KeptRequest): CountsAnswer | undefined
  close?(): void
}

export function createCountTasks(): CountTasks {
  let running: RunningJob | undefined
  const end = () => {
    running?.close?.()
    running = undefined
  }
  const answered = <T>(answer: T | undefined): T => {
    if (answer === undefined) throw new Error('internal error: a thread was asked for what is not its job')
    return answer
  }
  return {
    block({block, number, job}) {
      if (job !== undefined) {
        end()
        running = beginJob(job)
      }
      return answered(running).onBlock(block, number)
    },
    survey: () => answered(running?.survey?.()),
    finish() {
      const answer = answered(running?.finish?.())
      end()
      return answer
    },
    countKept(request) {
      const answer = running?.countKept?.(request)
      end()
      return answer
    },
    packed({header, documents, from, to, space}) {
      const run = inSpace(space, opened => countPackedRange(header, documents, opened, from, to))
      return {runs: [run], labelled: new Float64Array(4 * header.lexicon.anchors.length)}
    },
    merge: ({sizes, runs, range, space}) => inSpace(space, opened => mergeRuns(sizes, runs, opened, range))
  }
}

function inSpace<T>(space: SharedSpace, work: (opened: RunSpace) => T): T {
  const opened = openSharedSpace(space)
  try {
    return work(opened)
  } finally {
    opened.store.release()
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
  const names = new TagNames()
  return {
    onBlock(block) {
      const line =
        block.kind === 'rows' || !PlainLine.canRead(block.fields) ? undefined : new PlainLine(block.fields, true)
      const visitor: DocumentVisitor = {
        row: row => survey.add(row),
        line: plain => survey.add({tags: names.of(plain)})
      }
      eachDocument(block, line, visitor, nodeTools)
      const frequencies = survey.takeSurvey()
      return {kind: 'tags', documents: frequencies.documentCount, survey: frequencies}
    }
  }
}

/** Frequencies block by block, so that whoever adds them up forgets the same rare words whatever the number of threads. */
function frequenciesJob({anchors, options}: Extract<WorkerJob, {stage: 'vocabulary'}>): RunningJob {
  const builder = new LexiconBuilder(anchors, options)
  return {
    onBlock(block) {
      const rows = parseBlock(block, nodeTools)
      for (const row of rows) builder.add(row)
      return {kind: 'frequencies', documents: rows.length, survey: builder.takeSurvey()}
    }
  }
}

function vocabularyJob(job: Extract<WorkerJob, {stage: 'vocabulary'}>): RunningJob {
  const {anchors, options, kept, space} = job
  const found = new Set<string>()
  const labels = job.labels && noticing(job.labels, found)
  const numbers = kept !== undefined && space !== undefined ? openSharedSpace(space) : undefined
  const pass = new SurveyPass({...job, anchors, reading: options, labels}, numbers && new NumberStore(numbers))
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
      if (request.kept !== kept) return undefined
      return answerOf(
        pass,
        inSpace(request.space, opened => pass.count(request.header, opened)),
        found
      )
    },
    close: () => numbers?.store.release()
  }
}

function countingJob(job: Extract<WorkerJob, {stage: 'counting'}>): RunningJob {
  const {header, sample} = job
  const found = new Set<string>()
  const space = openSharedSpace(job.space)
  const pass = new CountingPass(header, {labels: job.labels && noticing(job.labels, found), sample}, space)
  return {
    onBlock: (block, number) => ({kind: 'counting', documents: pass.add(block, number)}),
    finish: () => answerOf(pass, pass.finish(), found),
    close: () => space.store.release()
  }
}

function answerOf(pass: SurveyPass | CountingPass, counted: CountedRuns, found: ReadonlySet<string>): CountsAnswer {
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
