import type {ErrorCode} from '../../base/checks/index.ts'
import type {Counts, CountsHeader, PackedDocuments} from '../counts/index.ts'
import type {Anchors, LexiconOptions, TagFrequencies, WordSurvey} from '../data/index.ts'
import type {DocumentBlock} from '../files/index.ts'

/** What a thread does with blocks of documents. */
export type WorkerJob =
  | {readonly stage: 'tags'}
  | {readonly stage: 'vocabulary'; readonly anchors: Anchors; readonly options: LexiconOptions}
  | {readonly stage: 'counting'; readonly header: CountsHeader; readonly labels: LabelMap | undefined}

export type LabelMap = ReadonlyMap<string, ReadonlyMap<string, boolean>>

/** Counts as they travel: the header stays where it is. */
export type CountedArrays = Omit<Counts, keyof CountsHeader>

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
