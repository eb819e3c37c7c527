import type {Evaluation, WrongDocument} from '../../use/evaluation/index.ts'
import type {Documents} from './documents.ts'
import type {EvaluationView} from './evaluation-view.ts'
import type {LearnedResult} from './pipeline.ts'
import type {Project} from './project.ts'
import type {JudgedFiles} from './same-as-command.ts'

/** What was judged, and the answer. */
export interface Judged {
  readonly learned: LearnedResult
  readonly documents: Documents
  readonly labels: Project['labels']
  readonly view: EvaluationView
  /** Of an evaluation by tags, as reports show it, with the names of the files judged on and trained on. */
  readonly figures?: {
    readonly evaluation: Evaluation
    readonly learnedShare: number | undefined
    readonly files: JudgedFiles
  }
  /** The surest mistakes first; documents by their numbers. */
  wrong(concept: string, kind: 'alarm' | 'miss'): readonly WrongDocument[]
}
