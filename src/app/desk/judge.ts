/** A model beside simpler methods on documents whose tags or labels are known: the work of `adfa evaluate`. */
import type {Model} from '../../learn/model/index.ts'
import {DocumentPacker} from '../../read/counts/index.ts'
import type {Evidence, PackedDocuments} from '../../read/data/index.ts'
import {
  type ConceptFigures,
  type Evaluation,
  type LabelEvaluation,
  OpenLabelEvaluation,
  OracleTrainer,
  openEvaluation,
  trainComparisons
} from '../../use/evaluation/index.ts'
import {evidenceOf} from './documents.ts'

/** Documents with what is known of their concepts, as arrays that are fast to send. */
export interface KnownDocuments {
  readonly documents: PackedDocuments
  /** Of document d and concept i at `d * concepts + i`: 1 present, 0 absent, -1 unknown. */
  readonly labels: Int8Array
}

/** By tags, perhaps with baselines that are trained on `train`; or by labels. */
export type EvaluationTask = {readonly model: Model; readonly known: KnownDocuments; readonly seed: number} & (
  | {readonly by: 'tags'; readonly train?: KnownDocuments}
  /** The key of each labelled document, and whether it was drawn at random, by its number. */
  | {readonly by: 'labels'; readonly rows: ReadonlyMap<number, {readonly key: string; readonly isWhole: boolean}>}
)

export type Evaluated = {
  /** In the order of the model; documents by their numbers in the task. */
  readonly concepts: readonly ConceptFigures[]
} & (
  | {readonly by: 'tags'; readonly evaluation: Evaluation; readonly untrained: readonly string[]}
  | {readonly by: 'labels'; readonly evaluation: LabelEvaluation}
)

type Emit = (event: {readonly words: string; readonly share?: number}) => void

/** Collects documents for a task. */
export class KnownPacker {
  readonly #packer: DocumentPacker
  readonly #labels: Int8Array[] = []
  readonly #concepts: number

  constructor({lexicon, concepts}: Model) {
    this.#packer = new DocumentPacker({lexicon, labelShare: 0, seed: 0})
    this.#concepts = concepts.length
  }

  /** Whether some document has a concept. */
  occurs(concept: number): boolean {
    return this.#labels.some(labels => labels[concept] === 1)
  }

  add(evidence: Evidence, labels: Int8Array): void {
    this.#packer.add(evidence, '', undefined)
    this.#labels.push(labels)
  }

  finish(): KnownDocuments {
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
  const visit = (add: (evidence: Evidence, labels: Int8Array, at: number) => void) =>
    eachKnown(model, known, (evidence, labels, at) => {
      if (at % STEP === 0) emit({words: 'judging documents', share: at / known.documents.documentCount})
      add(evidence, labels, at)
    })
  if (task.by === 'labels') {
    const open = new OpenLabelEvaluation(model)
    visit((evidence, labels, at) => {
      const {key = '', isWhole = false} = task.rows.get(at) ?? {}
      open.add(key, evidence, labels, isWhole)
    })
    const evaluation = open.finish(seed)
    return {by: 'labels', evaluation, concepts: open.concepts(evaluation)}
  }
  const {oracle, others, untrained} = await trained(task, emit)
  const open = openEvaluation(model, oracle, others)
  visit((evidence, labels) => open.add(evidence, labels))
  emit({words: 'comparing methods'})
  const evaluation = open.finish()
  return {by: 'tags', evaluation, concepts: open.concepts(evaluation), untrained}
}

function eachKnown(
  {lexicon, concepts}: Model,
  {documents, labels}: KnownDocuments,
  visit: (evidence: Evidence, labels: Int8Array, at: number) => void
): void {
  const evidence = evidenceOf({lexicon, documents})
  const {length} = concepts
  for (let at = 0; at < documents.documentCount; at++)
    visit(evidence(at), labels.subarray(at * length, (at + 1) * length), at)
}

const TRAINED_WORDS = {
  baselines: 'training classifiers on anchors',
  'baselines of votes': 'training classifiers on votes',
  ceilings: 'training ceilings on tags'
}

/** What `adfa evaluate --train --baselines` compares with. */
async function trained({model, seed, ...task}: EvaluationTask, emit: Emit) {
  if (task.by !== 'tags' || task.train === undefined) return {untrained: []}
  const oracle = new OracleTrainer(model)
  const documents: Parameters<typeof trainComparisons>[1][number][] = []
  eachKnown(model, task.train, (evidence, labels, at) => {
    oracle.add(evidence, labels)
    documents.push({key: String(at), ...evidence, labels})
  })
  emit({words: 'learning from tags'})
  const finished = oracle.finish(await oracle.solvers())
  const others = trainComparisons(model, documents, seed, (what, done, all) =>
    emit({words: TRAINED_WORDS[what], share: done / all})
  )
  const {'anchor-label': onAnchors, supervised} = others
  const untrained = [onAnchors, supervised].flatMap(({certificate}) => certificate.untrained ?? [])
  return {
    oracle: finished,
    others,
    untrained: untrained.map(({concept, reason}) => `classifiers have only the prevalence of "${concept}": ${reason}`)
  }
}
