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
  type Row,
  type TagFrequencies,
  TagSurvey,
  type WordSurvey
} from '../data/index.ts'
import {nodeTools} from '../files/index.ts'
import {type DocumentBlock, parseBlock} from '../reading/index.ts'
import type {SampledRow, SampleOptions} from './document-sample.ts'
import {RowCounter} from './memory-engine.ts'
import {openSharedSpace, type SharedSpace} from './run-files.ts'

/** What a thread does with blocks of documents. */
export type WorkerJob =
  | {readonly stage: 'tags'}
  | {readonly stage: 'vocabulary'; readonly anchors: Anchors; readonly options: LexiconOptions}
  | {
      readonly stage: 'counting'
      readonly header: CountsHeader
      readonly labels: LabelMap | undefined
      readonly sample: SampleOptions | undefined
      readonly space: SharedSpace
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
  | {readonly kind: 'vocabulary'; readonly documents: number; readonly survey: WordSurvey}
  | {readonly kind: 'counting'; readonly documents: number}

interface PackedRequest {
  readonly header: CountsHeader
  readonly documents: PackedDocuments
  readonly from: number
  readonly to: number
  readonly space: SharedSpace
}

/** What a thread counted: runs, in shared memory or files, to be added up. */
export interface CountedRuns {
  readonly runs: readonly Run[]
  readonly labelled: Float64Array
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

/** The tasks of a thread that counts. It remembers its job from block to block. */
export interface CountTasks {
  block(request: BlockRequest): BlockAnswer
  /** The counts of all blocks since the job began. */
  finish(request: undefined): CountsAnswer
  packed(request: PackedRequest): CountedRuns
  /** The sum of runs within a range of patterns. */
  merge(request: MergeRequest): Run
}

interface RunningJob {
  onRows(rows: readonly Row[], block: number): BlockAnswer
  finish?(): CountsAnswer
}

export function createCountTasks(): CountTasks {
  let running: RunningJob | undefined
  return {
    block({block, number, job}) {
      if (job !== undefined) running = beginJob(job)
      if (running === undefined) throw new Error('internal error: a block came before its job')
      return running.onRows(parseBlock(block, nodeTools), number)
    },
    finish() {
      const answer = running?.finish?.()
      if (answer === undefined) throw new Error('internal error: there is nothing to finish')
      running = undefined
      return answer
    },
    packed({header, documents, from, to, space}) {
      const run = inSpace(space, opened => countPackedRange(header, documents, opened, from, to))
      return {runs: [run], labelled: new Float64Array(4 * header.lexicon.anchors.length)}
    },
    merge: ({sizes, runs, range, space}) => inSpace(space, opened => mergeRuns(sizes, runs, opened, range))
  }
}

function inSpace(space: SharedSpace, work: (opened: RunSpace) => Run): Run {
  const opened = openSharedSpace(space)
  try {
    return work(opened)
  } finally {
    opened.store.release()
  }
}

function beginJob(job: WorkerJob): RunningJob {
  switch (job.stage) {
    case 'tags': {
      const survey = new TagSurvey()
      return {
        onRows(rows) {
          for (const row of rows) survey.add(row)
          return {kind: 'tags', documents: rows.length, survey: survey.takeSurvey()}
        }
      }
    }
    case 'vocabulary': {
      const builder = new LexiconBuilder(job.anchors, job.options)
      return {
        onRows(rows) {
          for (const row of rows) builder.add(row)
          return {kind: 'vocabulary', documents: rows.length, survey: builder.takeSurvey()}
        }
      }
    }
    case 'counting': {
      const {header, sample} = job
      const found = new Set<string>()
      const space = openSharedSpace(job.space)
      const counter = new RowCounter(header, {labels: job.labels && noticing(job.labels, found), sample, space})
      return {
        onRows(rows, block) {
          counter.add(rows, block)
          return {kind: 'counting', documents: rows.length}
        },
        finish() {
          const counted = counter.finishRuns()
          space.store.release()
          return {counted, unseen: counter.unseen(), labelled: [...found], sampled: counter.sampled()}
        }
      }
    }
    default:
      return unreachable(job)
  }
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
