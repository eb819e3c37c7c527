/** Evaluations of the last model, on a thread of their own: the session keeps answering, and an edit or `cancel` ends them. */
import {AdfaError} from '../../base/checks/index.ts'
import {counted, grouped, listed} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Row} from '../../read/data/index.ts'
import type {SourceFile} from '../../read/reading/index.ts'
import type {Project} from '../project/index.ts'
import {
  type EvaluationRequest,
  type EvaluationView,
  type JudgedOn,
  NOTHING_MEASURED,
  shownFigures
} from './evaluation-view.ts'
import {type Facts, type Judged, lastModel} from './facts.ts'
import {Job, type Work} from './job.ts'
import type {Evaluated, EvaluationTask} from './judge.ts'
import {labelledDocuments, taggedDocuments} from './known-documents.ts'
import type {LearnedResult} from './pipeline.ts'
import type {SolverEvent} from './solver.ts'
import {surveyFiles} from './survey.ts'
import type {SessionState} from './views.ts'

/** With more documents, training is for the command line. */
const MOST_TRAINED = 100_000

const HOLD_OUT =
  'to evaluate on documents that the model has not seen, hold a quarter of them out on Start and read them again'

/** An evaluation under way. */
interface Running {
  readonly name: string
  readonly learned: LearnedResult
  readonly job: Job
  readonly work: Promise<EvaluationView>
}

export class Evaluations {
  readonly #work: Work
  #judged: Judged | undefined
  #running: Running | undefined
  /** The names of the files that other documents come from. */
  #files: readonly string[] = []

  constructor(work: Work) {
    this.#work = work
  }

  /** The last evaluation, perhaps of an older model. */
  get judged(): Judged | undefined {
    return this.#judged
  }

  /** Simpler methods that did better; of another model than this one they are old. */
  beaten(learned: LearnedResult | undefined, isReady: boolean): SessionState['beaten'] {
    const rivals = (this.#judged?.view.rivals ?? []).filter(({isLevel}) => !isLevel)
    if (this.#judged === undefined || rivals.length === 0) return undefined
    return {by: rivals.map(({name}) => name), isOld: !isReady || this.#judged.learned !== learned}
  }

  /** What the report of this model is judged on. */
  figuresOf(learned: LearnedResult | undefined): Judged['figures'] {
    return this.#judged?.learned === learned ? this.#judged?.figures : undefined
  }

  /** Stop what runs; the last figures stay. */
  cancel(): void {
    this.#running?.job.stop()
    this.#running = undefined
  }

  /** Other documents are open. */
  clear(): void {
    this.cancel()
    this.#judged = undefined
    this.#files = []
  }

  /** Read other documents to judge on. */
  async read({documents, project}: Facts, files: readonly SourceFile[]): Promise<void> {
    const {survey, source} = await surveyFiles(files, project.reading)
    if (source === undefined)
      throw new AdfaError('bad-document', `${listed(files.map(({name}) => name))}: no documents; give tagged documents`)
    const {format, encoding} = survey.reading
    const rows: Row[] = []
    const reading = {...project.reading, format, encoding} as Project['reading']
    for await (const batch of source.batches(reading, documents.options)) {
      rows.push(...batch.rows)
      this.#work.progress({words: 'reading documents', share: batch.share})
    }
    if (!rows.some(isTagged))
      throw new AdfaError(
        'bad-document',
        `${listed(source.names)}: no document has tags or labels; give documents that do, with tags in ${project.reading.tags ?? 'a column "tags"'}`
      )
    documents.judgeOn(rows)
    this.#files = source.names
    this.#judged = undefined
  }

  async evaluate(facts: Facts, request: EvaluationRequest): Promise<EvaluationView> {
    const learned = lastModel(facts.results)
    const choices = this.#choices(facts)
    const {documents, project} = facts
    const last = this.#judged
    const wanted = request.on ?? (last?.documents === documents ? last.view.on : undefined)
    const on = choices.find(([one]) => one === wanted)?.[0] ?? choices[0][0]
    const isTrained = request.isTrained === true
    const isSame = last?.learned === learned && last.documents === documents && last.labels === project.labels
    const isWhole = isSame && last.view.on === on && last.view.pending === undefined
    if (isWhole && (last.view.training === 'done' || !isTrained)) return last.view
    const name = `${on} ${isTrained}`
    const running = this.#running
    if (running?.name === name && running.learned === learned) return running.work
    this.cancel()
    const job = new Job(this.#work, 'the evaluation was stopped; the last figures stay')
    const work = this.#judge(facts, learned, job, {on, choices, isTrained}).finally(() => {
      job.end()
      if (this.#running?.job === job) this.#running = undefined
      this.#work.changed()
    })
    this.#running = {name, learned, job, work}
    return work
  }

  async #judge(facts: Facts, learned: LearnedResult, job: Job, task: Task): Promise<EvaluationView> {
    const {documents, project} = facts
    const {on, choices, isTrained} = task
    const {model} = learned
    const keep = (more: Partial<Judged> & Pick<Judged, 'view' | 'wrong'>) => {
      this.#judged = {learned, documents, labels: project.labels, ...more}
      return more.view
    }
    const training = trainingOf(facts, on)
    if (on === 'none') return keep({view: {on, choices, training, ...NOTHING_MEASURED}, wrong: () => []})
    const gathering = {learned, documents, job}
    const solve = (task: EvaluationTask, onReady: (evaluated: Evaluated) => EvaluationView) => {
      const hear = ({evaluated, ...event}: SolverEvent) =>
        this.#work.progress({...event, ...(evaluated && {figures: onReady(evaluated)})})
      return job.value(job.solver(hear).evaluate(task))
    }
    if (on === 'labels') {
      const {task, numbers} = await labelledDocuments(gathering, project.labels)
      const show = (evaluated: Evaluated) => {
        const view = {on, choices, training, ...shownFigures(evaluated, model, '')}
        return keep({view, wrong: wrongIn(model, evaluated, numbers)})
      }
      return show(await solve(task, show))
    }
    const {count, total, numbered} = documents
    const [first, end, what] = {
      file: [total, numbered, `of ${listed(this.#files)}`] as const,
      heldOut: [count, total, 'held out, which the model has not seen'] as const,
      learned: [0, count, 'that the model was learned from'] as const
    }[on]
    const {known, numbers, learnedShare, notes} = await taggedDocuments(gathering, first, end)
    const train = isTrained ? (await taggedDocuments(gathering, 0, count)).known : undefined
    const own = project.documents?.files ?? []
    const data = on === 'file' ? this.#files : own
    const files = {data, train: isTrained ? own : undefined, isHeldOut: on === 'heldOut'}
    const show = (evaluated: Evaluated) => {
      if (evaluated.by !== 'tags') throw new Error('internal error: figures by labels where tags were asked for')
      const {evaluation, untrained, pending} = evaluated
      const view: EvaluationView = {
        on,
        choices,
        training: isTrained && pending.length === 0 ? 'done' : training,
        ...shownFigures(evaluated, model, what),
        ...(pending.length > 0 && {pending}),
        notes: [...notes, ...(on === 'learned' ? [HOLD_OUT] : []), ...untrained]
      }
      const wrong = wrongIn(model, evaluated, numbers)
      // No command judges on the documents learned from where others are held out.
      const isCommand = pending.length === 0 && (on !== 'learned' || total === count)
      return keep({view, wrong, ...(isCommand && {figures: {evaluation, learnedShare, files}})})
    }
    return show(await solve({by: 'tags', model, known, seed: 0, ...(train && {train})}, show))
  }

  /** What there is to judge on, the best first. */
  #choices({documents, project}: Facts): EvaluationView['choices'] {
    const {count, total, numbered, tagged} = documents
    const others = numbered - total
    const whole = project.labels.filter(({drawn, labels}) => drawn !== 'anchored' && labels.size > 0).length
    const all: readonly (readonly [JudgedOn, boolean, string])[] = [
      ['file', others > 0, `${grouped(others)} of ${listed(this.#files)}`],
      ['heldOut', total > count, `${grouped(total - count)} held out`],
      ['learned', tagged > 0, `${grouped(tagged)} learned from`],
      ['labels', whole > 0, `labels of ${counted(whole, 'document')}`]
    ]
    const there = all.flatMap(([on, is, words]): [JudgedOn, string][] => (is ? [[on, words]] : []))
    return there.length > 0 ? there : [['none', 'no tags and no labels']]
  }
}

interface Task {
  readonly on: JudgedOn
  readonly choices: EvaluationView['choices']
  readonly isTrained: boolean
}

/** Whether baselines can be trained on the documents that were learned from. */
function trainingOf({documents}: Facts, on: JudgedOn): EvaluationView['training'] {
  if (on === 'labels' || on === 'none') return {refused: 'classifiers can be compared only on documents with tags'}
  if (documents.tagged === 0) return {refused: 'the documents that the model was learned from have no tags to train on'}
  if (documents.count > MOST_TRAINED)
    return {
      refused: `with more than ${grouped(MOST_TRAINED)} documents, train on the command line: adfa evaluate --train --baselines`
    }
  return 'possible'
}

function isTagged({tags, labels}: Row): boolean {
  return tags !== undefined || labels !== undefined
}

function wrongIn({concepts}: Model, evaluated: Evaluated, numbers: readonly number[]): Judged['wrong'] {
  return (concept, kind) => {
    const own = evaluated.concepts[concepts.findIndex(({name}) => name === concept)]
    const wrong = kind === 'alarm' ? own?.alarms : own?.misses
    return (wrong ?? []).map(({document, probability}) => ({document: numbers[document], probability}))
  }
}
