/** What the page asks and gets of evaluations, and what the session keeps of the last one. */
import type {Model} from '../../learn/model/index.ts'
import type {Lexicon} from '../../read/data/index.ts'
import type {Evaluation, LabelEvaluation, Untrained, WrongDocument} from '../../use/evaluation/index.ts'
import type {LeftOut} from '../pipeline/index.ts'
import type {Project} from '../project/index.ts'
import type {Documents} from './documents.ts'
import type {LearnedResult} from './pipeline.ts'

/** Other documents, those held out, those learned from, labels; `none`: nothing can be measured. */
export type JudgedOn = 'file' | 'heldOut' | 'learned' | 'labels' | 'none'

export interface EvaluationRequest {
  /** By default that of the last evaluation of these documents, or else the first that there is. */
  readonly on?: JudgedOn
  /** Whether baselines are trained to compare with. */
  readonly isTrained?: boolean
}

export interface EvaluationView {
  readonly on: JudgedOn
  /** What there is to judge on, the best first. */
  readonly choices: readonly {readonly on: JudgedOn; readonly documents: number}[]
  /** The files of other documents. */
  readonly files: readonly string[]
  /** Undefined where nothing can be measured. */
  readonly figures?: TagFigures | LabelFigures
  /** By concept, in the order of the model: documents reported wrongly, and not reported. */
  readonly mistakes: readonly {readonly alarms: number; readonly misses: number}[]
  /** Whether baselines are trained, or why they cannot be. */
  readonly training: 'done' | 'possible' | 'by tags only' | 'untagged' | 'too many'
}

/** Figures of concepts are those of the model alone. */
export interface TagFigures {
  readonly by: 'tags'
  readonly evaluation: Evaluation
  readonly left: LeftOut
  readonly untrained: readonly Untrained[]
}

export interface LabelFigures {
  readonly by: 'labels'
  readonly evaluation: LabelEvaluation
  readonly model: {readonly certificate: Model['certificate']; readonly lexicon: Pick<Lexicon, 'anchors'>}
}

/** What was judged, and the answer. */
export interface Judged {
  readonly learned: LearnedResult
  readonly documents: Documents
  readonly labels: Project['labels']
  readonly view: EvaluationView
  /** What reports show of an evaluation that a command gives too, with the names of the files judged on and trained on. */
  readonly reported?: {
    readonly evaluation: Evaluation
    readonly learnedShare: number | undefined
    readonly files: {readonly data: readonly string[]; readonly train: readonly string[] | undefined}
  }
  /** The surest mistakes first; documents by their numbers. */
  wrong(concept: string, kind: 'alarm' | 'miss'): readonly WrongDocument[]
}
