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
import {type KnownDocument, MethodTraining, type Progress} from '../pipeline/index.ts'

/** Documents with what is known of their concepts, as arrays that are fast to send. */
export interface PackedKnown {
  readonly documents: PackedDocuments
  /** Of document d and concept i at `d * concepts + i`: 1 present, 0 absent, -1 unknown. */
  readonly labels: Int8Array
}

/** By tags, perhaps with baselines that are trained on `train`; or by labels. */
export type EvaluationTask = {readonly model: Model; readonly known: PackedKnown} & (
  | {readonly by: 'tags'; readonly train?: PackedKnown | undefined}
  /** The key of each labelled document, and whether it was drawn at random, by its number. */
  | {readonly by: 'labels'; readonly rows: ReadonlyMap<number, {readonly key: string; readonly isWhole: boolean}>}
)

export type Evaluated = {
  /** In the order of the model; documents by their numbers in the task. */
  readonly mistakes: readonly ConceptMistakes[]
} & (
  | {readonly by: 'tags'; readonly evaluation: Evaluation; readonly untrained: readonly Untrained[]}
  | {readonly by: 'labels'; readonly evaluation: LabelEvaluation}
)

/** Collects documents for a task. */
export class KnownPacker {
  readonly #packer = new DocumentPacker()
  readonly #labels: Int8Array[] = []
  readonly #concepts: number

  constructor({concepts}: Model) {
    this.#concepts = concepts.length
  }

  /** Without labels nothing is known. */
  add(evidence: Evidence, labels: Int8Array = new Int8Array(this.#concepts).fill(-1)): void {
    this.#packer.add(evidence)
    this.#labels.push(labels)
  }

  finish(): PackedKnown {
    const labels = new Int8Array(this.#labels.length * this.#concepts)
    for (const [at, own] of this.#labels.entries()) labels.set(own, at * this.#concepts)
    return {documents: this.#packer.documents(), labels}
  }
}

/** The same draws as those of the command line. */
const SEED = 0

/** Documents between two reports of progress. */
const STEP = 200

export async function judge(task: EvaluationTask, emit: (event: Progress) => void): Promise<Evaluated> {
  const {model, known} = task
  const visit = (add: (document: KnownDocument, at: number) => void) =>
    eachKnown(model, known, (document, at) => {
      if (at % STEP === 0) emit({words: 'judging documents', share: at / known.documents.documentCount})
      add(document, at)
    })
  if (task.by === 'labels') {
    const open = new OpenLabelEvaluation(model)
    visit((document, at) => open.add({...(task.rows.get(at) ?? {key: '', isWhole: false}), ...document}))
    return {by: 'labels', evaluation: open.finish(SEED), mistakes: open.concepts()}
  }
  const training = task.train && new MethodTraining(model, true)
  if (task.train) eachKnown(model, task.train, document => training?.add(document))
  const {
    oracle,
    methods,
    untrained = []
  } = (await training?.finish(SEED, (words, share) => emit({words, ...(share !== undefined && {share})}))) ?? {}
  const open = openEvaluation(model, oracle, methods)
  visit(({evidence, labels}) => open.add(evidence, labels))
  emit({words: 'comparing methods'})
  return {by: 'tags', evaluation: open.finish(SEED), mistakes: open.concepts(), untrained}
}

function eachKnown(
  {lexicon, concepts: {length}}: Model,
  {documents, labels}: PackedKnown,
  visit: (document: KnownDocument, at: number) => void
): void {
  const evidence = evidenceOf(lexicon, documents)
  for (let at = 0; at < documents.documentCount; at++)
    visit({evidence: evidence(at), labels: labels.subarray(at * length, (at + 1) * length)}, at)
}
