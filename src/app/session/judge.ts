/** A model beside simpler methods on documents whose tags or labels are known: the work of `adfa evaluate`. */
import {nameList} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {DocumentPacker} from '../../read/counts/index.ts'
import {type Evidence, evidenceOf, type PackedDocuments} from '../../read/data/index.ts'
import type {Baseline} from '../../use/baselines/index.ts'
import {
  type ConceptMistakes,
  comparisonSteps,
  type Evaluation,
  type LabelEvaluation,
  OpenLabelEvaluation,
  OracleTrainer,
  openEvaluation
} from '../../use/evaluation/index.ts'
import {createPredictor} from '../../use/prediction/index.ts'

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
  readonly concepts: readonly ConceptMistakes[]
} & (
  | {
      readonly by: 'tags'
      readonly evaluation: Evaluation
      readonly untrained: readonly string[]
      /** Methods that are still at work. */
      readonly pending: readonly string[]
    }
  | {readonly by: 'labels'; readonly evaluation: LabelEvaluation}
)

/** `evaluated`: the methods that are ready. */
type Emit = (event: {readonly words: string; readonly share?: number; readonly evaluated?: Evaluated}) => void

type TagsTask = Extract<EvaluationTask, {readonly by: 'tags'}>

/** Collects documents for a task. */
export class KnownPacker {
  readonly #packer = new DocumentPacker()
  readonly #labels: Int8Array[] = []
  readonly #concepts: number

  constructor({concepts}: Model) {
    this.#concepts = concepts.length
  }

  /** Whether some document has a concept. */
  occurs(concept: number): boolean {
    return this.#labels.some(labels => labels[concept] === 1)
  }

  add(evidence: Evidence, labels: Int8Array): void {
    this.#packer.add(evidence)
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

type Visit = (what: string, add: (evidence: Evidence, labels: Int8Array, at: number) => void) => void

export async function judge(task: EvaluationTask, emit: Emit): Promise<Evaluated> {
  const {model, known, seed} = task
  const visit: Visit = (what, add) =>
    eachKnown(model, known, (evidence, labels, at) => {
      if (at % STEP === 0) emit({words: `judging ${what}`, share: at / known.documents.documentCount})
      add(evidence, labels, at)
    })
  if (task.by === 'tags') return judgeByTags(task, visit, emit)
  const open = new OpenLabelEvaluation(model)
  visit('documents', (evidence, labels, at) => {
    const {key = '', isWhole = false} = task.rows.get(at) ?? {}
    open.add(key, evidence, labels, isWhole)
  })
  const evaluation = open.finish(seed)
  return {by: 'labels', evaluation, concepts: open.concepts()}
}

/** One method after the other, the model first: each is shown when it is ready. */
async function judgeByTags(task: TagsTask, visit: Visit, emit: Emit): Promise<Evaluated> {
  const {model, seed, train} = task
  const open = openEvaluation(model)
  const untrained: string[] = []
  const evaluated = (later: readonly string[]): Evaluated => {
    const pending = [...open.pending(), ...later]
    return {by: 'tags', evaluation: open.finish(seed), concepts: open.concepts(), untrained, pending}
  }
  const ask = (later: readonly string[], isShown: boolean) => {
    for (const name of open.pending()) {
      visit(name === 'model' ? 'this model' : name, (evidence, labels) => open.add(evidence, labels, name))
      if (isShown) emit({words: 'comparing methods', evaluated: evaluated(later)})
    }
  }
  // The simple methods are on the screen already when others are trained.
  ask([], train === undefined)
  for await (const {methods, later, notes} of train === undefined ? [] : trained(model, train, seed, emit)) {
    for (const [name, predictor] of Object.entries(methods)) open.compare(name, predictor)
    untrained.push(...notes)
    ask(later, true)
  }
  return evaluated([])
}

function eachKnown(
  {lexicon, concepts}: Model,
  {documents, labels}: KnownDocuments,
  visit: (evidence: Evidence, labels: Int8Array, at: number) => void
): void {
  const evidence = evidenceOf(lexicon, documents)
  const {length} = concepts
  for (let at = 0; at < documents.documentCount; at++)
    visit(evidence(at), labels.subarray(at * length, (at + 1) * length), at)
}

const TRAINED_WORDS = {
  baselines: 'training classifiers on anchors',
  'baselines of votes': 'training classifiers on votes',
  ceilings: 'training ceilings on tags'
}

const [ON_ANCHORS, ON_TAGS, ORACLE] = ['classifiers trained on anchors', 'classifiers trained on tags', 'oracle']

/** What `adfa evaluate --train --baselines` compares with, in its order; `later`: what is not trained yet. */
async function* trained(model: Model, train: KnownDocuments, seed: number, emit: Emit) {
  const oracle = new OracleTrainer(model)
  const documents: Parameters<typeof comparisonSteps>[1][number][] = []
  eachKnown(model, train, (evidence, labels, at) => {
    oracle.add(evidence, labels)
    documents.push({key: String(at), ...evidence, labels})
  })
  const steps = comparisonSteps(model, documents, seed, (what, done, all) =>
    emit({words: TRAINED_WORDS[what], share: done / all})
  )
  emit({words: 'learning without a network'})
  yield {methods: await steps.refits(), later: [ON_ANCHORS, ON_TAGS, ORACLE], notes: []}
  const baselines = steps.baselines()
  const onAnchors = {...baselines, ...steps.votes()}
  yield {methods: onAnchors, later: [ON_TAGS, ORACLE], notes: untrainedNotes(baselines['anchor-label'], ON_ANCHORS)}
  const ceilings = steps.ceilings()
  yield {methods: ceilings, later: [ORACLE], notes: untrainedNotes(ceilings.supervised, ON_TAGS)}
  emit({words: 'learning from tags'})
  yield {methods: {oracle: createPredictor(await oracle.finish())}, later: [], notes: []}
}

/** Concepts with too few examples, in one sentence. */
function untrainedNotes({certificate}: Baseline, which: string): string[] {
  const names = (certificate.untrained ?? []).map(({concept}) => concept)
  if (names.length === 0) return []
  return [`${which} have too few examples of ${nameList(names, 5)}, and know only how common that is`]
}
