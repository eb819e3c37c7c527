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

/**
 * Questions, answers and the progress they make. The rows hold all state except undone answers: a session created from
 * saved rows continues where this one stopped.
 */
export class LabelSession {
  readonly #task: LabelTask
  readonly #questions: readonly Question[]
  readonly #documents: ReadonlyMap<string, DrawnDocument>
  #rows: readonly LabelRow[]
  /** The rows before each answer of this session, to undo it. */
  readonly #past: (readonly LabelRow[])[] = []
  /** Undone answers, the earliest last: asked again before anything new. */
  readonly #undone: LabelRow[] = []
  /** The progress of some rows: it takes about a millisecond per concept. */
  #known: {readonly rows: readonly LabelRow[]; readonly progress: LabelProgress} | undefined

  /** `rows` are earlier answers; `where` names their file in errors. */
  constructor(task: LabelTask, rows: readonly LabelRow[] = [], where = 'the labels') {
    const {random, anchored, wanted} = task.draw
    this.#task = task
    this.#questions = planQuestions(task.draw)
    this.#documents = new Map([...wanted.values(), ...anchored.flat(), ...random].map(drawn => [drawn.key, drawn]))
    for (const row of rows) checkLabelRow(row, this.#documents.get(String(row.id)), this.concepts, where)
    this.#rows = rows
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
    const answered = new Set(this.#rows.map(row => questionName(this.#questionOf(row))))
    return this.#questions.filter(question => {
      const whole: Question = {drawn: 'random', document: question.document}
      return !answered.has(questionName(whole)) && !answered.has(questionName(question))
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
    const row = this.#rows.at(-1)
    if (row === undefined) return false
    this.#undone.push(row)
    this.#rows = this.#past.pop() ?? this.#rows.slice(0, -1)
    return true
  }

  progress(): LabelProgress {
    const rows = this.#rows
    if (this.#known?.rows === rows) return this.#known.progress
    const random = rows.filter(({drawn}) => drawn === 'random')
    const documents = random.filter(({skipped}) => skipped === undefined).length
    const {concepts, draw, totals, narrow} = this.#task
    const goal = Math.max(1, draw.random.length - (random.length - documents))
    const sample = labelledSample(concepts, rows, key => this.#document(key).evidence.anchors, totals)
    const progress = labelProgress(concepts, sample, {documents, goal, narrow})
    this.#known = {rows, progress}
    return progress
  }

  #asked(): Question {
    if (this.question === undefined) throw new Error('internal error: an answer without a question')
    return this.question
  }

  #give({drawn, document}: Question, answer: Pick<LabelRow, 'labels' | 'skipped'>): void {
    const {id, others: own} = rowId(document)
    const row = {id, drawn, others: this.#undone.pop()?.others ?? own, ...answer}
    // An answer for the whole document replaces those for single concepts.
    const isReplaced = (other: LabelRow) =>
      drawn === 'random' && !answer.skipped && other.drawn === 'anchored' && String(other.id) === document.key
    this.#past.push(this.#rows)
    this.#rows = [...this.#rows.filter(other => !isReplaced(other)), row]
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
