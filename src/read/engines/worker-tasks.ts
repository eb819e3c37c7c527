import {AdfaError, type ErrorCode, unreachable} from '../../base/checks/index.ts'
import {type Counts, type CountsHeader, countPackedRange, type PackedDocuments} from '../counts/index.ts'
import {
  type Anchors,
  type Labels,
  LexiconBuilder,
  type LexiconOptions,
  type Row,
  type TagFrequencies,
  TagSurvey,
  type WordSurvey
} from '../data/index.ts'
import {type DocumentBlock, parseBlock} from '../files/index.ts'
import {RowCounter} from './memory-engine.ts'

/** What a thread does, apart from being one: it remembers its job from block to block. */
export class WorkerTasks {
  #onRows: ((rows: readonly Row[]) => BlockAnswer) | undefined
  #finish: (() => CountsAnswer) | undefined

  answer(request: WorkerRequest): BlockAnswer | CountsAnswer | Refusal {
    try {
      return this.#work(request)
    } catch (error) {
      if (error instanceof AdfaError) return {kind: 'refused', code: error.code, message: error.message}
      return {kind: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error)}
    }
  }

  #work(request: WorkerRequest): BlockAnswer | CountsAnswer {
    switch (request.kind) {
      case 'block': {
        if (request.job !== undefined) this.#begin(request.job)
        if (this.#onRows === undefined) throw new Error('internal error: a block came before its job')
        return this.#onRows(parseBlock(request.block))
      }
      case 'finish': {
        if (this.#finish === undefined) throw new Error('internal error: there is nothing to finish')
        const answer = this.#finish()
        this.#onRows = undefined
        this.#finish = undefined
        return answer
      }
      case 'packed': {
        const {header, documents, from, to} = request
        const noLabels = new Float64Array(4 * header.lexicon.anchors.length)
        return countsAnswer(countPackedRange(header, documents, from, to, noLabels), [], [])
      }
      default:
        return unreachable(request)
    }
  }

  #begin(job: WorkerJob): void {
    this.#finish = undefined
    switch (job.stage) {
      case 'tags': {
        const survey = new TagSurvey()
        this.#onRows = rows => {
          for (const row of rows) survey.add(row)
          return {kind: 'tags', documents: rows.length, survey: survey.takeSurvey()}
        }
        return
      }
      case 'vocabulary': {
        const builder = new LexiconBuilder(job.anchors, job.options)
        this.#onRows = rows => {
          for (const row of rows) builder.add(row)
          return {kind: 'vocabulary', documents: rows.length, survey: builder.takeSurvey()}
        }
        return
      }
      case 'counting': {
        const found = new Set<string>()
        const counter = new RowCounter(job.header, job.labels && noticing(job.labels, found))
        this.#onRows = rows => {
          counter.add(rows)
          return {kind: 'counting', documents: rows.length}
        }
        this.#finish = () => countsAnswer(counter.finish(), counter.unseen(), [...found])
        return
      }
      default:
        unreachable(job)
    }
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

function countsAnswer(
  {lexicon: _, labelShare: _share, seed: _seed, shards: _shards, protocol: _protocol, ...counts}: Counts,
  unseen: readonly string[],
  labelled: readonly string[]
): CountsAnswer {
  return {kind: 'counts', counts, unseen, labelled}
}

/** What a thread does with blocks of documents. */
export type WorkerJob =
  | {readonly stage: 'tags'}
  | {readonly stage: 'vocabulary'; readonly anchors: Anchors; readonly options: LexiconOptions}
  | {readonly stage: 'counting'; readonly header: CountsHeader; readonly labels: LabelMap | undefined}

type LabelMap = ReadonlyMap<string, ReadonlyMap<string, boolean>>

/** Counts as they travel: the header stays where it is. */
type CountedArrays = Omit<Counts, keyof CountsHeader>

/** To a thread; it answers each request, in order. */
export type WorkerRequest =
  | {readonly kind: 'block'; readonly block: DocumentBlock; readonly job: WorkerJob | undefined}
  | {readonly kind: 'finish'}
  | {
      readonly kind: 'packed'
      readonly header: CountsHeader
      readonly documents: PackedDocuments
      readonly from: number
      readonly to: number
    }

/** From a thread: what it made of a block, with a survey where the job is one. */
export type BlockAnswer =
  | {readonly kind: 'tags'; readonly documents: number; readonly survey: TagFrequencies}
  | {readonly kind: 'vocabulary'; readonly documents: number; readonly survey: WordSurvey}
  | {readonly kind: 'counting'; readonly documents: number}

export interface CountsAnswer {
  readonly kind: 'counts'
  readonly counts: CountedArrays
  /** Fields asked for that none of its documents has. */
  readonly unseen: readonly string[]
  /** Keys of documents that were looked up among the labels and found. */
  readonly labelled: readonly string[]
}

/** What was thrown instead of an answer. */
export type Refusal =
  | {readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string}
  | {readonly kind: 'failed'; readonly stack: string}

/** The request that each answer belongs to. */
export interface WorkerAnswers {
  readonly block: BlockAnswer
  readonly finish: CountsAnswer
  readonly packed: CountsAnswer
}
