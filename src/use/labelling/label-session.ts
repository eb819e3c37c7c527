import type {LabelledSample} from '../../learn/noise/index.ts'
import {checkLabelRow} from './check-label-row.ts'
import type {Draw, DrawnDocument} from './draw-documents.ts'
import {type LabelProgress, labelProgress} from './label-progress.ts'
import type {LabelRow} from './label-rows.ts'
import {type AnchorTotals, labelledSample} from './labelled-sample.ts'
import {planQuestions, type Question} from './plan-questions.ts'

/** What a session is about. */
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
 * Questions, answers and what they amount to. Nothing is kept here that the rows do not say, apart from answers taken back: a session
 * made from the saved rows goes on where this one stands.
 */
export class LabelSession {
  readonly #task: LabelTask
  readonly #questions: readonly Question[]
  readonly #documents: ReadonlyMap<string, DrawnDocument>
  readonly #rows: LabelRow[] = []
  readonly #answered = new Set<string>()
  /** Answers taken back, the earliest last: asked again before anything new. */
  readonly #undone: LabelRow[] = []
  /** Short answers that the answer for the whole document stands for. */
  readonly #replaced = new Map<LabelRow, readonly LabelRow[]>()
  readonly #progress = new Map<number, LabelProgress>()

  /** `rows` are answers given before; `where` names their file in errors. */
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

  /** The answers, in the order in which they were given: what is to be saved. */
  get rows(): readonly LabelRow[] {
    return this.#rows
  }

  /** What to ask now; undefined when all is answered. */
  get question(): Question | undefined {
    const undone = this.#undone.at(-1)
    return undone === undefined ? this.remaining()[0] : this.#questionOf(undone)
  }

  /** The concepts that the document in question is known, from an earlier answer, to have. */
  get preset(): ReadonlySet<number> {
    const undone = this.#undone.at(-1)
    const key = this.question?.document.key
    const known = undone === undefined ? this.#rows.filter(({id}) => String(id) === key) : [undone]
    const present = known.flatMap(({labels}) => [...labels]).filter(([, truth]) => truth)
    return new Set(present.map(([concept]) => this.concepts.indexOf(concept)))
  }

  /** Questions that have no answer, in order; answers taken back are not among the first of them for that. */
  remaining(): Question[] {
    return this.#questions.filter(question => {
      const isWhole = this.#answered.has(questionName({drawn: 'random', document: question.document}))
      return !isWhole && !this.#answered.has(questionName(question))
    })
  }

  /** Of what was asked, these concepts are there and the others are not. */
  answer(present: ReadonlySet<number>): void {
    const question = this.#asked()
    const asked = question.drawn === 'random' ? this.concepts.map((_, i) => i) : [question.concept]
    this.#give(question, {labels: new Map(asked.map(i => [this.concepts[i], present.has(i)])), skipped: undefined})
  }

  /** Pass the question over, for good: the document does not count. */
  skip(): void {
    const question = this.#asked()
    const concept = question.drawn === 'random' ? undefined : this.concepts[question.concept]
    this.#give(question, {labels: new Map(), skipped: {concept}})
  }

  /** Take the latest answer back, and ask its question again; false when there is none. */
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

  /** The median factors of the intervals after every ten whole documents, at most the last eight: how they shrink. */
  history(): number[] {
    const isWhole = ({drawn, skipped}: LabelRow) => drawn === 'random' && skipped === undefined
    const whole = this.#rows.flatMap((row, at) => (isWhole(row) ? [at + 1] : []))
    return whole
      .filter((_, n) => (n + 1) % HISTORY_STEP === 0)
      .slice(-HISTORY_LENGTH)
      .flatMap(length => this.#progressAt(length).precision?.median ?? [])
  }

  /** How things stood after the first so many answers; kept, since it takes about a millisecond a concept. */
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
    const others = this.#undone.pop()?.others ?? new Map()
    const row = {id: document.row.id ?? document.key, drawn, others, ...answer}
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
