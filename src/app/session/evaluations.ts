/** Evaluations of the last model, on a thread of their own: the session keeps answering, and an edit or `cancel` ends them. */
import {AdfaError} from '../../base/checks/index.ts'
import {listed} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Row} from '../../read/data/index.ts'
import type {SourceFile} from '../../read/reading/index.ts'
import {type Evaluation, whereBeaten} from '../../use/evaluation/index.ts'
import {labelsByKey} from '../../use/labelling/index.ts'
import {createLabelledReader, KnownReader, type LeftOut} from '../pipeline/index.ts'
import type {Project} from '../project/index.ts'
import type {EvaluationRequest, EvaluationView, JudgedOn, TagFigures} from './evaluation-view.ts'
import {type Facts, type Judged, lastModel} from './facts.ts'
import {type Job, JobPlace, type Work} from './job.ts'
import {type Evaluated, type EvaluationTask, KnownPacker} from './judge.ts'
import type {LearnedResult} from './pipeline.ts'
import type {SolverEvent} from './solver.ts'
import {surveyFiles} from './survey.ts'
import type {SessionState} from './views.ts'

/** With more documents, training is for the command line. */
export const MOST_TRAINED = 100_000

/** An evaluation under way. */
interface Running {
  readonly name: string
  readonly learned: LearnedResult
  readonly view: Promise<EvaluationView>
}

export class Evaluations {
  readonly #work: Work
  readonly #place: JobPlace
  #judged: Judged | undefined
  #running: Running | undefined
  /** The names of the files that other documents come from. */
  #files: readonly string[] = []

  constructor(work: Work) {
    this.#work = work
    this.#place = new JobPlace(work)
  }

  /** The last evaluation, perhaps of an older model. */
  get judged(): Judged | undefined {
    return this.#judged
  }

  /** Simpler methods that did better; of another model than this one they are old. */
  beaten(learned: LearnedResult | undefined, isReady: boolean): SessionState['beaten'] {
    const {figures} = this.#judged?.view ?? {}
    const by = figures === undefined ? [] : whereBeaten(figures.evaluation).filter(({columns}) => columns.length > 0)
    return by.length === 0 ? undefined : {by, isOld: !isReady || this.#judged?.learned !== learned}
  }

  /** Stops what runs; the last figures stay. */
  cancel(): void {
    this.#place.stop()
    this.#running = undefined
  }

  /** Other documents are open. */
  clear(): void {
    this.cancel()
    this.#judged = undefined
    this.#files = []
  }

  /** Reads other documents to judge on. */
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
    if (!rows.some(({tags, labels}) => tags !== undefined || labels !== undefined))
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
    const choices = choicesOf(facts)
    const {documents, project} = facts
    const last = this.#judged
    const wanted = request.on ?? (last?.documents === documents ? last.view.on : undefined)
    const {on} = choices.find(choice => choice.on === wanted) ?? choices[0]
    const isTrained = request.isTrained === true
    const isSame = last?.learned === learned && last.documents === documents && last.labels === project.labels
    const isWhole = isSame && last.view.on === on && !isPending(last.view)
    if (isWhole && (last.view.training === 'done' || !isTrained)) return last.view
    const name = `${on} ${isTrained}`
    const running = this.#running
    if (running?.name === name && running.learned === learned) return running.view
    const empty: EvaluationView = {on, choices, files: this.#files, mistakes: [], training: trainingOf(facts, on)}
    const message = 'the evaluation was stopped; the last figures stay'
    const view = this.#place.run(message, job => this.#judge(facts, learned, job, empty, isTrained))
    const begun = {name, learned, view}
    this.#running = begun
    return view.finally(() => {
      if (this.#running === begun) this.#running = undefined
    })
  }

  async #judge(
    facts: Facts,
    learned: LearnedResult,
    job: Job,
    empty: EvaluationView,
    isTrained: boolean
  ): Promise<EvaluationView> {
    const {documents, project} = facts
    const {model} = learned
    const {on} = empty
    const keep = (view: EvaluationView, more: Pick<Judged, 'wrong'> & Partial<Judged>) => {
      this.#judged = {learned, documents, labels: project.labels, view, ...more}
      return view
    }
    if (on === 'none') return keep(empty, {wrong: () => []})
    const {task, numbers, left} =
      on === 'labels' ? await labelTask(facts, learned, job) : await tagTask(facts, learned, job, on, isTrained)
    const own = project.documents?.files ?? []
    const files = {data: on === 'file' ? this.#files : own, train: isTrained ? own : undefined}
    const show = (evaluated: Evaluated): EvaluationView => {
      const wrong = wrongIn(model, evaluated, numbers)
      const mistakes = evaluated.mistakes.map(({alarms, misses}) => ({alarms: alarms.length, misses: misses.length}))
      if (evaluated.by === 'labels') {
        const {labelledCount} = model.certificate.noise
        const said = {certificate: {noise: {labelledCount}}, lexicon: {anchors: model.lexicon.anchors}}
        return keep(
          {...empty, mistakes, figures: {by: 'labels', evaluation: evaluated.evaluation, model: said}},
          {wrong}
        )
      }
      const {evaluation, untrained, pending} = evaluated
      const figures: TagFigures = {by: 'tags', evaluation: withoutConcepts(evaluation), left, untrained, pending}
      const training = isTrained && pending.length === 0 ? 'done' : empty.training
      // No command judges on the documents learned from where others are held out.
      const isCommand = pending.length === 0 && (on !== 'learned' || documents.total === documents.count)
      const {learnedShare} = left
      return keep(
        {...empty, training, mistakes, figures},
        {wrong, ...(isCommand && {figures: {evaluation, learnedShare, files}})}
      )
    }
    const hear = ({evaluated, ...event}: SolverEvent) =>
      this.#work.progress({...event, ...(evaluated && {figures: show(evaluated)})})
    return show(await job.value(job.solver(hear).evaluate(task)))
  }
}

function isPending({figures}: EvaluationView): boolean {
  return figures?.by === 'tags' && figures.pending.length > 0
}

/** A message stays small: figures of concepts by other methods are on no screen. */
function withoutConcepts(evaluation: Evaluation): Evaluation {
  const baselines = Object.entries(evaluation.baselines).map(([name, own]) => [name, {...own, perConcept: []}] as const)
  return {...evaluation, baselines: Object.fromEntries(baselines)}
}

function choicesOf({documents: {count, total, numbered, tagged}, project}: Facts): EvaluationView['choices'] {
  const whole = project.labels.filter(({drawn, labels}) => drawn !== 'anchored' && labels.size > 0).length
  const all: EvaluationView['choices'] = [
    {on: 'file', documents: numbered - total},
    {on: 'heldOut', documents: total - count},
    {on: 'learned', documents: tagged},
    {on: 'labels', documents: whole}
  ]
  const there = all.filter(({documents}) => documents > 0)
  return there.length > 0 ? there : [{on: 'none', documents: 0}]
}

/** Whether baselines can be trained on the documents that were learned from. */
function trainingOf({documents}: Facts, on: JudgedOn): EvaluationView['training'] {
  if (on === 'labels' || on === 'none') return 'by tags only'
  if (documents.tagged === 0) return 'untagged'
  return documents.count > MOST_TRAINED ? 'too many' : 'possible'
}

/** What is judged, with the numbers of its documents in the session. */
interface Gathered {
  readonly task: EvaluationTask
  readonly numbers: readonly number[]
  readonly left: LeftOut
}

async function tagTask(
  {documents}: Facts,
  learned: LearnedResult,
  job: Job,
  on: 'file' | 'heldOut' | 'learned',
  isTrained: boolean
): Promise<Gathered> {
  const {model} = learned
  const known = async (first: number, end: number) => {
    const [reader, packer, numbers] = [new KnownReader(model), new KnownPacker(model), [] as number[]]
    await job.each(end - first, place => {
      const at = first + place
      const document = reader.read(documents.row(at), learned.evidence(at))
      if (document === undefined) return
      packer.add(document)
      numbers.push(at)
    })
    if (numbers.length === 0)
      throw new AdfaError('bad-document', 'none of these documents has tags or labels; evaluate on documents that do')
    return {packed: packer.finish(), numbers, left: reader.left()}
  }
  const {count, total, numbered} = documents
  const {packed, numbers, left} = await {
    file: () => known(total, numbered),
    heldOut: () => known(count, total),
    learned: () => known(0, count)
  }[on]()
  const train = isTrained ? (await known(0, count)).packed : undefined
  return {task: {by: 'tags', model, known: packed, seed: 0, train}, numbers, left}
}

/** All documents that were read, with the labels of the project. */
async function labelTask({documents, project}: Facts, learned: LearnedResult, job: Job): Promise<Gathered> {
  const {model} = learned
  const read = createLabelledReader(model, labelsByKey(project.labels), project.labels)
  const numbers = [...documents.inOrder()]
  const packer = new KnownPacker(model)
  const rows = new Map<number, {key: string; isWhole: boolean}>()
  await job.each(numbers.length, place => {
    const {labels, ...row} = read(documents.row(numbers[place]))
    packer.add({evidence: learned.evidence(numbers[place]), ...(labels && {labels})})
    if (labels !== undefined) rows.set(place, row)
  })
  if (![...rows.values()].some(one => one.isWhole))
    throw new AdfaError('bad-document', 'no labelled document drawn at random is among these; label some first')
  const left = new KnownReader(model).left()
  return {task: {by: 'labels', model, known: packer.finish(), rows, seed: 0}, numbers, left}
}

function wrongIn({concepts}: Model, {mistakes}: Evaluated, numbers: readonly number[]): Judged['wrong'] {
  return (concept, kind) => {
    const own = mistakes[concepts.findIndex(({name}) => name === concept)]
    const wrong = kind === 'alarm' ? own?.alarms : own?.misses
    return (wrong ?? []).map(({document, probability}) => ({document: numbers[document], probability}))
  }
}
