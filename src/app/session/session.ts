/**
 * The session: documents, counts, models and everything that is asked about them. It has no clock and no thread of its own, so
 * it runs in a worker of a browser as in a test.
 */
import {AdfaError} from '../../base/checks/index.ts'
import type {Anchors} from '../../read/data/index.ts'
import type {SourceFile} from '../../read/reading/index.ts'
import type {Project, Reading} from '../project/index.ts'
import type {DrawingHandle, PictureRequest, ReportTask} from '../report/index.ts'
import type {Side} from './comparison-views.ts'
import {Comparisons} from './comparisons.ts'
import {conceptView, probe, propose, suggestions} from './concept-views.ts'
import {documentView, explanationView, preview} from './document-views.ts'
import type {EvaluationRequest} from './evaluation-view.ts'
import {Evaluations} from './evaluations.ts'
import type {ExportKind} from './export-kinds.ts'
import {exportFile, exportReadOnly} from './exports.ts'
import {type Facts, lastModel, readyModel} from './facts.ts'
import {graphView} from './graph-view.ts'
import {createSlices, type Progress, type Work} from './job.ts'
import {Lists} from './lists.ts'
import {type OpenDocuments, Openings, openedView} from './openings.ts'
import {Pictures} from './pictures.ts'
import {Pipeline} from './pipeline.ts'
import {Questions} from './questions.ts'
import {Resampler} from './resampler.ts'
import {demoSource, type Source} from './sources.ts'
import {sessionState, thresholdOf} from './state-view.ts'
import {demoSurvey, type Held, heldWords, type ReadOnlyModel, surveyFiles} from './survey.ts'
import type {ListQuery, Opened, SessionState, Survey} from './views.ts'

/** What the page hears of the session. */
export type SessionEvent =
  | {readonly kind: 'state'; readonly state: SessionState}
  /** Of `open`, and of any work over 0.3 s. */
  | ({readonly kind: 'progress'} & Progress)
  /** Something to say once, such as an expression that was stopped. */
  | {readonly kind: 'notice'; readonly message: string}

export interface SessionTools extends Pick<Work, 'startSolver' | 'wait' | 'now'> {
  emit(event: SessionEvent): void
  startDrawing(): DrawingHandle
  /** Visits of the demo. */
  readonly demoDocuments?: number
}

const DEMO_DOCUMENTS = 20_000

export function createSession(tools: SessionTools): SessionApi {
  return new Session(tools)
}

/**
 * What the page may ask of the session. The session holds documents, counts and models; the page holds the project and what is on the
 * screen. Every method answers with plain data that can be sent between threads, in messages below 256 KB; a refusal is an
 * `AdfaError` with its code and message.
 */
export type SessionApi = Pick<Session, keyof Session>

class Session {
  readonly #tools: SessionTools
  readonly #work: Work
  readonly #pipeline: Pipeline
  readonly #lists = new Lists()
  readonly #questions = new Questions()
  readonly #pictures: Pictures
  readonly #evaluations: Evaluations
  readonly #resampler: Resampler
  readonly #comparisons: Comparisons
  #source: Source | undefined
  /** The model that came with the files; once these are open, it is compared with the one that is learned. */
  #brought: Held | undefined
  #held: Held | undefined
  /** The model to look at while no documents are open. */
  #lone: ReadOnlyModel | undefined
  readonly #openings: Openings

  constructor(tools: SessionTools) {
    this.#tools = tools
    this.#work = {
      ...tools,
      slices: createSlices(tools.wait, tools.now),
      progress: ({words, share, figures}) =>
        tools.emit({kind: 'progress', words, ...(share !== undefined && {share}), ...(figures && {figures})}),
      changed: () => {
        this.#emitState()
        this.#compareHeld()
      },
      notice: message => tools.emit({kind: 'notice', message})
    }
    this.#openings = new Openings(this.#work)
    this.#pictures = new Pictures(tools.startDrawing)
    this.#comparisons = new Comparisons(this.#work)
    this.#evaluations = new Evaluations(this.#work)
    this.#pipeline = new Pipeline(this.#work, async ({reading}) => (await this.#openings.by(reading))?.documents)
    this.#resampler = new Resampler(this.#work)
  }

  /** Recognise files by their content, look at the first rows, and guess how to read them. Replaces earlier files. */
  async survey(files: readonly SourceFile[]): Promise<Survey> {
    const {survey, source, held, lone} = await surveyFiles(files, this.#openings.current?.reading)
    this.#brought = held
    this.#lone = lone
    this.#emitState()
    if (source !== undefined) this.#source = source
    return survey
  }

  /** The generated emergency visits, as if their files had been dropped. One anchor is misspelt, for the doctor to find. */
  async demo(): Promise<Survey> {
    const count = this.#tools.demoDocuments ?? DEMO_DOCUMENTS
    this.#source = demoSource(count)
    return demoSurvey(this.#source, count)
  }

  /** The first 20 rows as they would be read. */
  async preview(reading: Reading, anchors: Anchors) {
    return preview(this.#sourceOf(), reading, anchors)
  }

  /** Read all documents. Progress comes as events; `cancel` leaves everything as it was before. */
  async open(reading: Reading): Promise<Opened> {
    const since = this.#tools.now()
    const opened = await this.#openings.read(this.#sourceOf(), reading)
    this.#lone = undefined
    this.#evaluations.clear()
    this.#resampler.end()
    this.#comparisons.clear()
    this.#pipeline.clear()
    this.#held = this.#brought
    return openedView(opened, (this.#tools.now() - since) / 1000)
  }

  /** Everything follows from the project: counts, numbers, scores. Results come as events with its revision. */
  async setProject(project: Project, revision: number): Promise<void> {
    this.#evaluations.cancel()
    this.#resampler.end()
    this.#pipeline.set(project, revision)
  }

  /** Stop the resampling, or else the reading, the fit or the evaluation, that runs now; the last results remain. */
  async cancel(): Promise<void> {
    if (this.#resampler.end()) return
    this.#openings.cancel()
    this.#comparisons.cancel()
    this.#evaluations.cancel()
    this.#pipeline.cancel()
  }

  /** Begin the fit that `waits`. */
  async fit(): Promise<void> {
    this.#pipeline.fit()
  }

  /** What a feature would bring to a concept, before it is accepted. */
  async probe(concept: string, feature: string) {
    return probe(this.#facts(), concept, feature)
  }

  async concept(name: string) {
    return conceptView(this.#facts(), name)
  }

  async suggest(concept: string) {
    return suggestions(this.#facts(), concept)
  }

  /** Concepts from the most frequent tags, or from a list of names, with anchors proposed from the documents. */
  async propose(from: {readonly tags: number} | {readonly names: readonly string[]}) {
    return propose(from, this.#opened().documents, this.#work.slices)
  }

  async list(query: ListQuery, from: number, count: number) {
    return this.#lists.page(this.#facts(), query, from, count)
  }

  /** The text of a document with its words marked; their weights for a concept come with its explanation. */
  async document(at: number) {
    return documentView(this.#facts(), at)
  }

  /** Why a concept is likely in a document, given the concepts that are set. */
  async explain(at: number, concept: string, known: Readonly<Record<string, boolean>>) {
    return explanationView(this.#facts(), at, concept, known)
  }

  /** The next document to label, and how far labelling is. */
  async question() {
    const {counts} = this.#pipeline.stages
    if (counts.is === 'failed') throw new AdfaError('bad-option', counts.message)
    return this.#questions.view(this.#facts())
  }

  /** The label rows with one more answer: the concepts that the document of the current question has, or that it is skipped. */
  async answer(present: readonly string[] | 'skip') {
    return this.#questions.answer(this.#facts(), present)
  }

  /** How two models differ; settings of a side are learned first. Progress comes as events; `cancel` ends it. */
  async compare(...sides: readonly [a: Side, b: Side]) {
    return this.#comparisons.compare(this.#facts(), sides)
  }

  /**
   * The figures of `adfa evaluate`, with what the model is judged on. Progress comes as events; an edit or `cancel` ends the work.
   * `files`, if given, are other documents with tags, which are read first.
   */
  async evaluate(request: EvaluationRequest, files?: readonly SourceFile[]) {
    if (files !== undefined) await this.#evaluations.read(this.#facts(), files)
    return this.#evaluations.evaluate(this.#facts(), request)
  }

  /** SVG or HTML text of the last model; undefined for a network that cannot be drawn. */
  async picture(request: PictureRequest) {
    return this.#pictures.draw(request, this.#pipeline.results, this.#evaluations.judged, this.#lone?.model)
  }

  /** The network of the last model, as numbers and in words. */
  async graph() {
    if (this.#lone !== undefined) return graphView(this.#lone.model, 0)
    const learned = lastModel(this.#pipeline.results)
    return graphView(learned.model, learned.encoded.revision, this.#resampler.intervalsOf(learned)?.edges)
  }

  /**
   * The same, with the share of so many resamples of the documents that have each link too: `adfa fit --intervals`. The model
   * stays as it is. `cancel` and edits end it; `graph` has the last shares until there is another model.
   */
  async resample(replicates: number) {
    const learned = readyModel(this.#pipeline)
    try {
      await this.#resampler.resample(learned, replicates)
    } finally {
      // The end of its progress.
      this.#emitState()
    }
    return this.graph()
  }

  async export(what: ExportKind, query: ListQuery = {}) {
    const report = (task: ReportTask) => this.#pictures.report(task)
    if (this.#lone !== undefined) return exportReadOnly(what, this.#lone, report)
    return exportFile(what, query, this.#facts(), this.#lists, report)
  }

  #sourceOf(): Source {
    if (this.#source === undefined) throw new AdfaError('bad-option', 'there are no documents; choose files first')
    return this.#source
  }

  #opened(): OpenDocuments {
    const {current} = this.#openings
    if (current === undefined)
      throw new AdfaError('bad-option', 'no documents are open; choose files and read them first')
    return current
  }

  /** The newest project, with the last results, which may be of an older one. */
  #facts(): Facts {
    const {target, results, stages} = this.#pipeline
    const files = this.#opened()
    if (target === undefined) throw new AdfaError('bad-option', 'there is no project yet; name a concept first')
    return {
      project: target.project,
      files,
      documents: files.documents,
      results,
      stages,
      slices: this.#work.slices,
      crossed: this.#comparisons.crossed,
      judged: this.#evaluations.judged
    }
  }

  /** Say once whether the model of the project file is what a fit gives. */
  #compareHeld(): void {
    const {results, stages} = this.#pipeline
    if (this.#held === undefined || results.learned === undefined || stages.numbers.is !== 'ready') return
    const message = heldWords(this.#held, results.learned)
    this.#held = undefined
    if (message !== undefined) this.#tools.emit({kind: 'notice', message})
  }

  #emitState(): void {
    const {target, results, stages, waits} = this.#pipeline
    const state = sessionState(target?.project, target?.revision ?? 0, results, stages)
    const {count = 0, heldOut} = this.#openings.current?.documents ?? {}
    const beaten = this.#evaluations.beaten(results.learned, stages.numbers.is === 'ready')
    const more = {...(waits !== undefined && {waits}), ...(beaten && {beaten})}
    // The numbers of a lone model are what they are, and there is nothing to score.
    const lone = this.#lone && {
      readOnly: this.#lone.file,
      numbers: {is: 'ready'} as const,
      threshold: thresholdOf(this.#lone.model)
    }
    this.#tools.emit({
      kind: 'state',
      state: {...state, documents: count, heldOut: heldOut?.size ?? 0, ...more, ...lone}
    })
  }
}
