/** What the page asks and gets of evaluations. */
import type {Model} from '../../learn/model/index.ts'
import type {Lexicon} from '../../read/data/index.ts'
import type {Evaluation, LabelEvaluation, Untrained} from '../../use/evaluation/index.ts'
import type {LeftOut} from '../pipeline/index.ts'

/** Other documents, those held out, those learned from, labels; `none`: what the model expects of itself. */
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
  /** Methods that are still at work, or were when the evaluation was stopped. */
  readonly pending: readonly string[]
}

export interface LabelFigures {
  readonly by: 'labels'
  readonly evaluation: LabelEvaluation
  readonly model: {readonly certificate: Model['certificate']; readonly lexicon: Pick<Lexicon, 'anchors'>}
}
