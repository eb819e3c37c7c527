/** A model beside simpler methods on documents whose tags or labels are known: the work of `adfa evaluate` on a thread of its own. */
import type {Model} from '../../learn/model/index.ts'
import {
  type ConceptMistakes,
  type Evaluation,
  type LabelEvaluation,
  OpenLabelEvaluation,
  openEvaluation,
  type Untrained
} from '../../use/evaluation/index.ts'
import {type KnownDocument, MethodTraining, type Progress} from '../pipeline/index.ts'

export type LabelledDocument = Parameters<OpenLabelEvaluation['add']>[0]

/** By tags, perhaps with baselines that are trained on `train`; or by labels. */
export type EvaluationTask = {readonly model: Model} & (
  | {
      readonly by: 'tags'
      readonly known: readonly KnownDocument[]
      readonly train: readonly KnownDocument[] | undefined
    }
  | {readonly by: 'labels'; readonly known: readonly LabelledDocument[]}
)

export type Evaluated = {
  /** In the order of the model; documents by their numbers in the task. */
  readonly mistakes: readonly ConceptMistakes[]
} & (
  | {readonly by: 'tags'; readonly evaluation: Evaluation; readonly untrained: readonly Untrained[]}
  | {readonly by: 'labels'; readonly evaluation: LabelEvaluation}
)

/** The same draws as those of the command line. */
const SEED = 0

/** Documents between two reports of progress. */
const STEP = 200

export async function judge(task: EvaluationTask, emit: (event: Progress) => void): Promise<Evaluated> {
  const {model} = task
  const tell = (at: number) => {
    if (at % STEP === 0) emit({words: 'judging documents', share: at / task.known.length})
  }
  if (task.by === 'labels') {
    const open = new OpenLabelEvaluation(model)
    for (const [at, document] of task.known.entries()) {
      tell(at)
      open.add(document)
    }
    return {by: 'labels', evaluation: open.finish(SEED), mistakes: open.concepts()}
  }
  const training = task.train && new MethodTraining(model, true)
  for (const document of task.train ?? []) training?.add(document)
  const trained = await training?.finish(SEED, (words, share) => emit({words, ...(share !== undefined && {share})}))
  const open = openEvaluation(model, trained?.oracle, trained?.methods)
  for (const [at, {evidence, labels}] of task.known.entries()) {
    tell(at)
    open.add(evidence, labels)
  }
  emit({words: 'comparing methods'})
  const untrained = trained?.untrained ?? []
  return {by: 'tags', evaluation: open.finish(SEED), mistakes: open.concepts(), untrained}
}
