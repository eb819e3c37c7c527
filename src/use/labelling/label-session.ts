import type {LabelledSample} from '../../learn/noise/index.ts'
import type {Draw, DrawnDocument} from './draw-documents.ts'
import {type AnchorTotals, type LabelProgress, labelledSample, labelProgress} from './label-progress.ts'
import {checkLabelRow, type LabelRow, rowId} from './label-rows.ts'

export interface LabelTask {
  readonly concepts: readonly string[]
  readonly draw: Draw
  readonly totals: AnchorTotals
  /** Intervals narrower than this factor are enough. */
  readonly narrow: number
}

/** Whole documents between two points of {@link LabelSession.history}. */
const HISTORY_STEP = 10
const HISTORY_LENGTH = 8

/**
 * Questions, answers and the progress they make. The rows hold all state except undone answers: a session created from
 * saved rows continues where this one stopped.
 */
export class LabelSession {
  readonly #task: LabelTask
  readonly #questions: readonly Question[]
  readonly #documents: ReadonlyMap<string, DrawnDocument>
  readonly #rows: LabelRow[] = []
  readonly #answered = new Set<string>()
  /** Undone answers, the earliest last: asked again before anything new. */
  readonly #undone: LabelRow[] = []
  /** Short answers replaced by an answer for the whole document. */
  readonly #replaced = new Map<LabelRow, readonly LabelRow[]>()
  readonly #progress = new Map<number, LabelProgress>()

  /** `rows` are earlier answers; `where` names their file in errors. */
  constructor(task: LabelTask, rows: readonly LabelRow[] = [], where = 'the labels') {
    const {random, anchored, wanted} = task.draw
    this.#task = task
    this.#questions = planQuestions(task.draw)
    this.#documents = new Map([...wanted.values(), ...anchored.flat(), ...random].map(drawn => [drawn.key, drawn]))
    for (const row of rows) {
      checkLabelRow(row, this.#documents.get(String(row.id)), this.concepts, where)
      this.#push(row)
    }
  }

  get concepts(): readonly string[] {
    return this.#task.concepts
  }

  /** The answers in order, to be saved. */
  get rows(): readonly LabelRow[] {
    return this.#rows
  }

  /** The current question; undefined when all are answered. */
  get question(): Question | undefined {
    const undone = this.#undone.at(-1)
    return undone === undefined ? this.remaining()[0] : this.#questionOf(undone)
  }

  /** The concepts that the current document has by an earlier answer. */
  get preset(): ReadonlySet<number> {
    const undone = this.#undone.at(-1)
    const key = this.question?.document.key
    const known = undone === undefined ? this.#rows.filter(({id}) => String(id) === key) : [undone]
    const present = known.flatMap(({labels}) => [...labels]).filter(([, isPresent]) => isPresent)
    return new Set(present.map(([concept]) => this.concepts.indexOf(concept)))
  }

  /** Questions without an answer, in their original order. */
  remaining(): Question[] {
    return this.#questions.filter(question => {
      const isWhole = this.#answered.has(questionName({drawn: 'random', document: question.document}))
      return !isWhole && !this.#answered.has(questionName(question))
    })
  }

  /** Of the concepts asked about, these are present and the others are not. */
  answer(present: ReadonlySet<number>): void {
    const question = this.#asked()
    const asked = question.drawn === 'random' ? this.concepts.map((_, i) => i) : [question.concept]
    this.#give(question, {labels: new Map(asked.map(i => [this.concepts[i], present.has(i)])), skipped: undefined})
  }

  /** Skip the question for good: the document does not count. */
  skip(): void {
    const question = this.#asked()
    const concept = question.drawn === 'random' ? undefined : this.concepts[question.concept]
    this.#give(question, {labels: new Map(), skipped: {concept}})
  }

  /** Undo the latest answer and ask its question again; false when there is none. */
  undo(): boolean {
    const row = this.#rows.pop()
    if (row === undefined) return false
    this.#progress.clear()
    this.#answered.delete(questionName(this.#questionOf(row)))
    for (const short of this.#replaced.get(row) ?? []) this.#push(short)
    this.#undone.push(row)
    return true
  }

  sample(): LabelledSample {
    return this.#sampleOf(this.#rows)
  }

  progress(): LabelProgress {
    return this.#progressAt(this.#rows.length)
  }

  /** The median interval factors after every ten whole documents, at most the last eight. */
  history(): number[] {
    const isWhole = ({drawn, skipped}: LabelRow) => drawn === 'random' && skipped === undefined
    const whole = this.#rows.flatMap((row, at) => (isWhole(row) ? [at + 1] : []))
    return whole
      .filter((_, n) => (n + 1) % HISTORY_STEP === 0)
      .slice(-HISTORY_LENGTH)
      .flatMap(length => this.#progressAt(length).precision?.median ?? [])
  }

  /** The progress after the first `length` answers; cached, since it takes about a millisecond per concept. */
  #progressAt(length: number): LabelProgress {
    const known = this.#progress.get(length)
    if (known !== undefined) return known
    const rows = this.#rows.slice(0, length)
    const random = rows.filter(({drawn}) => drawn === 'random')
    const documents = random.filter(({skipped}) => skipped === undefined).length
    const {draw, narrow} = this.#task
    const goal = Math.max(1, draw.random.length - (random.length - documents))
    const found = labelProgress(this.concepts, this.#sampleOf(rows), {documents, goal, narrow})
    this.#progress.set(length, found)
    return found
  }

  #sampleOf(rows: readonly LabelRow[]): LabelledSample {
    return labelledSample(this.concepts, rows, key => this.#document(key).evidence.anchors, this.#task.totals)
  }

  #asked(): Question {
    if (this.question === undefined) throw new Error('internal error: an answer without a question')
    return this.question
  }

  #give({drawn, document}: Question, answer: Pick<LabelRow, 'labels' | 'skipped'>): void {
    const {id, others: own} = rowId(document)
    const others = this.#undone.pop()?.others ?? own
    const row = {id, drawn, others, ...answer}
    const isShort = ({id, drawn}: LabelRow) => drawn === 'anchored' && String(id) === document.key
    const shorts = drawn === 'random' && answer.skipped === undefined ? this.#rows.filter(isShort) : []
    if (shorts.length > 0) this.#progress.clear()
    for (const short of shorts) {
      this.#rows.splice(this.#rows.indexOf(short), 1)
      this.#answered.delete(questionName(this.#questionOf(short)))
    }
    this.#replaced.set(row, shorts)
    this.#push(row)
  }

  #push(row: LabelRow): void {
    this.#rows.push(row)
    this.#answered.add(questionName(this.#questionOf(row)))
  }

  #questionOf({id, labels, drawn, skipped}: LabelRow): Question {
    const document = this.#document(String(id))
    if (drawn === 'random') return {drawn, document}
    const concept = skipped?.concept ?? [...labels.keys()][0]
    return {drawn: 'anchored', document, concept: this.concepts.indexOf(concept)}
  }

  #document(key: string): DrawnDocument {
    const found = this.#documents.get(key)
    if (found === undefined) throw new Error(`internal error: document ${key} was not kept`)
    return found
  }
}

function questionName(question: Question): string {
  return JSON.stringify([question.document.key, question.drawn === 'random' ? null : question.concept])
}

/** A question: which of all concepts a document has, or whether it has one concept. */
export type Question =
  | {readonly drawn: 'random'; readonly document: DrawnDocument}
  | {readonly drawn: 'anchored'; readonly document: DrawnDocument; readonly concept: number}

/** Short questions come in blocks after this many whole documents: each kind is quicker to answer in a row. */
const BLOCK = 10
/** All short questions come within this many documents, the least number to stop at. */
const ANCHORED_BY = 100

/**
 * The order of the questions: documents drawn at random and, in even blocks between them, the short questions in rounds of
 * all concepts. Labelling may stop at any time with some labels of every kind.
 */
export function planQuestions({random, anchored}: Pick<Draw, 'random' | 'anchored'>): Question[] {
  const rounds = Math.max(0, ...anchored.map(documents => documents.length))
  const short: Question[] = Array.from({length: rounds}, (_, round) =>
    anchored.flatMap((documents, concept) =>
      round < documents.length ? [{drawn: 'anchored' as const, document: documents[round], concept}] : []
    )
  ).flat()
  const blocks = Math.max(1, Math.ceil(Math.min(random.length, ANCHORED_BY) / BLOCK))
  const questions: Question[] = []
  for (let block = 0; block * BLOCK < random.length || block < blocks; block++) {
    for (const document of random.slice(block * BLOCK, (block + 1) * BLOCK)) questions.push({drawn: 'random', document})
    const [from, to] = [block, block + 1].map(b => Math.round((b * short.length) / blocks))
    questions.push(...short.slice(from, to))
  }
  return questions
}
