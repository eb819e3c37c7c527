/** The documents of an evaluation and the methods that a model is compared with, for the command line and the studio. */
import {type Model, trainingCheck} from '../../learn/model/index.ts'
import {
  type CorpusDocument,
  createLabelReader,
  Encoder,
  type Evidence,
  type Labels,
  labelKey,
  type Row,
  rowKey,
  StrayTags
} from '../../read/data/index.ts'
import {comparisonSteps, OracleTrainer, type TrainedKind, type Untrained} from '../../use/evaluation/index.ts'
import type {LabelRow} from '../../use/labelling/index.ts'
import type {Predictor} from '../../use/prediction/index.ts'

/** A document that has tags or labels and passes the filter of the model: per concept 1 present, 0 absent, -1 unknown. */
export interface KnownDocument {
  readonly evidence: Evidence
  readonly labels: Int8Array
}

/** What was found in documents on the way: plain data, which threads can send, and which adds up. */
export interface ReadCounts {
  documents: number
  /** Documents without tags and labels, and others that do not pass the filter of the model. */
  skipped: number
  filtered: number
  /** Known documents of which the model says whether it was learned from them, and those that it was. */
  marked: number
  learned: number
  /** All tags, and all concepts that some document has. */
  readonly tags: Set<string>
  readonly present: Set<number>
}

function noCounts(): ReadCounts {
  return {documents: 0, skipped: 0, filtered: 0, marked: 0, learned: 0, tags: new Set(), present: new Set()}
}

/** Documents that an evaluation leaves out, and what makes its figures doubtful. */
export interface LeftOut {
  readonly skipped: number
  readonly filtered: number
  /** The share of the others that the model was learned from; undefined where it is not known. */
  readonly learnedShare: number | undefined
  /** Concepts whose tag no document has. */
  readonly absent: readonly string[]
  /** Tags that nearly are the name of a concept, in words. */
  readonly stray: readonly string[]
}

/** Reads tagged documents one by one. */
export class KnownReader {
  readonly #model: Model
  readonly #encoder: Encoder
  readonly #training
  #counts = noCounts()

  constructor(model: Model) {
    this.#model = model
    this.#encoder = new Encoder(model.lexicon)
    this.#training = trainingCheck(model)
  }

  get counts(): Readonly<ReadCounts> {
    return this.#counts
  }

  /** Undefined for a document that is left out. `encoded`, if given, is its evidence, and it has passed the filter. */
  read(row: Row, encoded?: Evidence): KnownDocument | undefined {
    const counts = this.#counts
    const labels = this.#encoder.labels(row)
    counts.documents++
    for (const tag of row.tags ?? []) counts.tags.add(tag)
    const isKept = encoded !== undefined || this.#encoder.accepts(row)
    if (labels === undefined) counts.skipped++
    else if (!isKept) counts.filtered++
    if (labels === undefined || !isKept) return undefined
    const evidence = encoded ?? this.#encoder.encode(row)
    const wasRead = this.#training.wasRead({key: rowKey(row), words: evidence.words})
    if (wasRead !== undefined) counts.marked++
    if (wasRead) counts.learned++
    labels.forEach((label, i) => {
      if (label === 1) counts.present.add(i)
    })
    return {evidence, labels}
  }

  /** The counts since the last call. */
  take(): ReadCounts {
    const counts = this.#counts
    this.#counts = noCounts()
    return counts
  }

  /** Adds what another reader has found. */
  add({tags, present, ...numbers}: ReadCounts): void {
    for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) this.#counts[name] += numbers[name]
    for (const tag of tags) this.#counts.tags.add(tag)
    for (const concept of present) this.#counts.present.add(concept)
  }

  left(): LeftOut {
    const {concepts, lexicon} = this.#model
    const {skipped, filtered, marked, learned, tags, present} = this.#counts
    const stray = new StrayTags(lexicon)
    stray.add({tags: [...tags]})
    const absent = tags.size === 0 ? [] : concepts.filter((_, i) => !present.has(i)).map(({name}) => name)
    const learnedShare = marked === 0 ? undefined : learned / marked
    return {skipped, filtered, learnedShare, absent, stray: stray.notes()}
  }
}

/** What people said of each document; a whole one was drawn at random. */
export function createLabelledReader({lexicon: {anchors}}: Model, labels: Labels, rows: readonly LabelRow[]) {
  const read = createLabelReader(anchors, labels)
  const isWhole = new Set(rows.filter(({drawn}) => drawn !== 'anchored').map(({id}) => String(id)))
  return (row: Row) => ({key: rowKey(row), labels: read(row), isWhole: isWhole.has(labelKey(row))})
}

const TRAINED: Readonly<Record<TrainedKind, string>> = {
  baselines: 'training classifiers on anchors',
  'baselines of votes': 'training classifiers on votes',
  ceilings: 'training classifiers on tags'
}

/** Methods that learn from tagged documents, to compare a model with. */
export class MethodTraining {
  readonly #model: Model
  readonly #oracle: OracleTrainer
  readonly #documents: CorpusDocument[] = []
  readonly #withBaselines: boolean

  constructor(model: Model, withBaselines: boolean) {
    this.#model = model
    this.#oracle = new OracleTrainer(model)
    this.#withBaselines = withBaselines
  }

  add({evidence, labels}: KnownDocument): void {
    this.#oracle.add(evidence, labels)
    if (this.#withBaselines) this.#documents.push({key: String(this.#documents.length), ...evidence, labels})
  }

  /** Trains them; `untrained` are concepts that a classifier could not learn. */
  async finish(seed: number, onProgress: (words: string, share?: number) => void) {
    const methods: Record<string, Predictor> = {}
    const untrained: Untrained[] = []
    if (this.#withBaselines) {
      onProgress('learning without a network')
      const steps = comparisonSteps(this.#model, this.#documents, seed, (what, done, all) =>
        onProgress(TRAINED[what], done / all)
      )
      for await (const step of steps) {
        Object.assign(methods, step.methods)
        untrained.push(...step.untrained)
      }
    }
    onProgress('learning from tags')
    return {oracle: await this.#oracle.finish(), methods, untrained}
  }
}
