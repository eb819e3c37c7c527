/** A model beside simpler methods on documents whose tags or labels are known: the work of `adfa evaluate` on a thread of its own. */
import type {Model} from '../../learn/model/index.ts'
import {DocumentPacker} from '../../read/counts/index.ts'
import {type Evidence, evidenceOf, type PackedDocuments} from '../../read/data/index.ts'
import {
  type ConceptMistakes,
  type Evaluation,
  type LabelEvaluation,
  OpenLabelEvaluation,
  openEvaluation,
  type Untrained
} from '../../use/evaluation/index.ts'
import {createPredictor} from '../../use/prediction/index.ts'
import {type KnownDocument, MethodTraining} from '../pipeline/index.ts'

/** Documents with what is known of their concepts, as arrays that are fast to send. */
export interface PackedKnown {
  readonly documents: PackedDocuments
  /** Of document d and concept i at `d * concepts + i`: 1 present, 0 absent, -1 unknown. */
  readonly labels: Int8Array
}

/** By tags, perhaps with baselines that are trained on `train`; or by labels. */
export type EvaluationTask = {readonly model: Model; readonly known: PackedKnown; readonly seed: number} & (
  | {readonly by: 'tags'; readonly train?: PackedKnown | undefined}
  /** The key of each labelled document, and whether it was drawn at random, by its number. */
  | {readonly by: 'labels'; readonly rows: ReadonlyMap<number, {readonly key: string; readonly isWhole: boolean}>}
)

export type Evaluated = {
  /** In the order of the model; documents by their numbers in the task. */
  readonly mistakes: readonly ConceptMistakes[]
} & (
  | {
      readonly by: 'tags'
      readonly evaluation: Evaluation
      readonly untrained: readonly Untrained[]
      /** Methods that are still at work. */
      readonly pending: readonly string[]
    }
  | {readonly by: 'labels'; readonly evaluation: LabelEvaluation}
)

/** `evaluated`: the methods that are ready. */
type Emit = (event: {readonly words: string; readonly share?: number; readonly evaluated?: Evaluated}) => void

/** Collects documents for a task. */
export class KnownPacker {
  readonly #packer = new DocumentPacker()
  readonly #labels: Int8Array[] = []
  readonly #concepts: number

  constructor({concepts}: Model) {
    this.#concepts = concepts.length
  }

  /** Without labels nothing is known. */
  add({
    evidence,
    labels = new Int8Array(this.#concepts).fill(-1)
  }: Partial<KnownDocument> & {evidence: Evidence}): void {
    this.#packer.add(evidence)
    this.#labels.push(labels)
  }

  finish(): PackedKnown {
    const labels = new Int8Array(this.#labels.length * this.#concepts)
    this.#labels.forEach((own, at) => {
      labels.set(own, at * this.#concepts)
    })
    return {documents: this.#packer.documents(), labels}
  }
}

/** Documents between two reports of progress. */
const STEP = 200

export async function judge(task: EvaluationTask, emit: Emit): Promise<Evaluated> {
  const {model, known, seed} = task
  const visit = (what: string, add: (document: KnownDocument, at: number) => void) =>
    eachKnown(model, known, (document, at) => {
      if (at % STEP === 0) emit({words: `judging ${what}`, share: at / known.documents.documentCount})
      add(document, at)
    })
  if (task.by === 'labels') {
    const open = new OpenLabelEvaluation(model)
    visit('documents', (document, at) => {
      open.add({...(task.rows.get(at) ?? {key: '', isWhole: false}), ...document})
    })
    return {by: 'labels', evaluation: open.finish(seed), mistakes: open.concepts()}
  }
  const open = openEvaluation(model)
  const untrained: Untrained[] = []
  const evaluated = (later: readonly string[]): Evaluated => {
    const pending = [...open.pending(), ...later]
    return {by: 'tags', evaluation: open.finish(seed), mistakes: open.concepts(), untrained, pending}
  }
  // One method after the other, the model first: each is shown when it is ready.
  const ask = (later: readonly string[], isShown = true) => {
    for (const name of open.pending()) {
      visit(name === 'model' ? 'this model' : name, ({evidence, labels}) => open.add(evidence, labels, name))
      if (isShown) emit({words: 'comparing methods', evaluated: evaluated(later)})
    }
  }
  // The simple methods are on the screen already when others are trained.
  ask([], task.train === undefined)
  if (task.train === undefined) return evaluated([])
  const training = new MethodTraining(model, true)
  eachKnown(model, task.train, document => training.add(document))
  const baselines = training.baselines(seed, (words, share) => emit({words, ...(share !== undefined && {share})}))
  for await (const step of baselines) {
    for (const [name, predictor] of Object.entries(step.methods)) open.compare(name, predictor)
    untrained.push(...step.untrained)
    ask(step.later)
  }
  emit({words: 'learning from tags'})
  open.compare('oracle', createPredictor(await training.oracle()))
  ask([])
  return evaluated([])
}

function eachKnown(
  {lexicon, concepts}: Model,
  {documents, labels}: PackedKnown,
  visit: (document: KnownDocument, at: number) => void
): void {
  const evidence = evidenceOf(lexicon, documents)
  const {length} = concepts
  for (let at = 0; at < documents.documentCount; at++)
    visit({evidence: evidence(at), labels: labels.subarray(at * length, (at + 1) * length)}, at)
}
