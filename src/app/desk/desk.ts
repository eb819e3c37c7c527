/**
 * The desk: documents, counts, models and everything that is asked about them. It has no clock and no thread of its own, so
 * it runs in a worker of a browser as in a test.
 */
import {AdfaError} from '../../base/checks/index.ts'
import type {PolytopeName} from '../../learn/moments/index.ts'
import type {SourceFile} from '../../read/reading/index.ts'
import type {DrawingHandle, PictureRequest, ReportTask} from '../drawing/index.ts'
import {Comparisons} from './comparisons.ts'
import {anchorOf, conceptView, probe, propose, suggestions} from './concept-views.ts'
import type {DeskApi, DeskEvent} from './desk-api.ts'
import {documentView, explanationView} from './document-views.ts'
import {Evaluations} from './evaluations.ts'
import {exportFile} from './exports.ts'
import {graphView} from './graph-view.ts'
import {type Held, heldWords} from './held-model.ts'
import type {ListSource} from './list-source.ts'
import {Lists} from './lists.ts'
import {type OpenDocuments, Openings, openedView} from './openings.ts'
import {Pictures} from './pictures.ts'
import {Pipeline} from './pipeline.ts'
import {preview} from './preview.ts'
import type {Project, Reading} from './project.ts'
import {Questions} from './questions.ts'
import {exportReadOnly, type ReadOnlyModel, readOnlyState} from './read-only-model.ts'
import {Resampler} from './resampler.ts'
import {createSlices} from './slices.ts'
import type {SolverEvent, SolverHandle} from './solver.ts'
import {demoSource, type Source} from './sources.ts'
import {deskState} from './state-view.ts'
import {demoSurvey, surveyFiles} from './survey.ts'
import type {Opened, Survey} from './views.ts'

export interface DeskTools {
  emit(event: DeskEvent): void
  startSolver(emit: (event: SolverEvent) => void): SolverHandle
  startDrawing(): DrawingHandle
  /** Resolves after so many milliseconds; after 0, when waiting messages have been answered. */
  wait(ms: number): Promise<void>
  /** Milliseconds since any fixed time. */
  now(): number
  /** Visits of the demo. */
  readonly demoDocuments?: number
}

const DEMO_DOCUMENTS = 20_000

export function createDesk(tools: DeskTools): DeskApi {
  return new Desk(tools)
}

class Desk implements DeskApi {
  readonly #tools: DeskTools
  readonly #slices
  readonly #pipeline: Pipeline
  readonly #lists: Lists
  readonly #questions: Questions
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

  constructor(tools: DeskTools) {
    this.#tools = tools
    this.#slices = createSlices(tools.wait, tools.now)
    const progress = (event: SolverEvent) => tools.emit({kind: 'progress', ...event})
    const notice = (message: string) => tools.emit({kind: 'notice', message})
    this.#openings = new Openings({slices: this.#slices, wait: tools.wait, progress})
    this.#lists = new Lists(this.#slices)
    this.#questions = new Questions(this.#slices)
    this.#pictures = new Pictures(tools.startDrawing)
    this.#comparisons = new Comparisons({
      startSolver: tools.startSolver,
      slices: this.#slices,
      progress,
      done: () => this.#emitState()
    })
    this.#evaluations = new Evaluations({
      slices: this.#slices,
      startSolver: tools.startSolver,
      progress,
      changed: () => this.#emitState()
    })
    this.#pipeline = new Pipeline({
      documentsFor: async ({reading}) => (await this.#openings.by(reading))?.documents,
      startSolver: tools.startSolver,
      wait: tools.wait,
      now: tools.now,
      slices: this.#slices,
      changed: () => {
        this.#emitState()
        this.#compareHeld()
      },
      notice
    })
    this.#resampler = new Resampler({
      startSolver: tools.startSolver,
      progress,
      notice
    })
  }

  async survey(files: readonly SourceFile[]): Promise<Survey> {
    const {survey, source, held, lone} = await surveyFiles(files, this.#openings.current?.reading)
    this.#brought = held
    this.#lone = lone
    this.#emitState()
    if (source !== undefined) this.#source = source
    return survey
  }

  async demo(): Promise<Survey> {
    const count = this.#tools.demoDocuments ?? DEMO_DOCUMENTS
    this.#source = demoSource(count)
    return demoSurvey(this.#source, count)
  }

  async preview(...[reading, anchors]: Parameters<DeskApi['preview']>) {
    return preview(this.#sourceOf(), reading, anchors)
  }

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

  async setProject(project: Project, revision: number): Promise<void> {
    this.#evaluations.cancel()
    this.#resampler.end()
    this.#pipeline.set(project, revision)
  }

  async cancel(): Promise<void> {
    if (this.#resampler.end()) return
    this.#openings.cancel()
    this.#comparisons.cancel()
    this.#evaluations.cancel()
    this.#pipeline.cancel()
  }

  async fit(): Promise<void> {
    this.#pipeline.fit()
  }

  async probe(concept: string, feature: string) {
    const {project, documents, results} = this.#state()
    return probe(project, concept, feature, documents, results, this.#slices)
  }

  async concept(name: string) {
    const {project, documents, results} = this.#state()
    return conceptView(project, name, documents, results, this.#slices)
  }

  async suggest(concept: string) {
    const {project, results} = this.#state()
    anchorOf(project, concept)
    return results.encoded === undefined ? [] : suggestions(results.encoded, concept)
  }

  async propose(from: Parameters<DeskApi['propose']>[0]) {
    return propose(from, this.#opened().documents, this.#slices)
  }

  async list(...[query, from, count]: Parameters<DeskApi['list']>) {
    return this.#lists.page(this.#state(), query, from, count)
  }

  async document(at: number) {
    return documentView(this.#state(), at)
  }

  async explain(...[at, concept, known]: Parameters<DeskApi['explain']>) {
    return explanationView(this.#state(), at, concept, known)
  }

  async question() {
    const {counts} = this.#pipeline.stages
    if (counts.is === 'failed') throw new AdfaError('bad-option', counts.message)
    return this.#questions.view(this.#state())
  }

  async answer(present: readonly string[] | 'skip') {
    return this.#questions.answer(this.#state(), present)
  }

  async compare(...sides: Parameters<DeskApi['compare']>) {
    return this.#comparisons.compare(this.#state(), this.#pipeline.stages, sides)
  }

  async polytope(name: PolytopeName) {
    return this.#comparisons.polytope(this.#state(), this.#pipeline.stages, name)
  }

  async evaluate(...[request, files]: Parameters<DeskApi['evaluate']>) {
    const source = this.#state()
    if (files !== undefined) await this.#evaluations.read(source.documents, source.project, files)
    return this.#evaluations.evaluate(this.#state(), request)
  }

  async picture(request: PictureRequest) {
    return this.#pictures.draw(request, this.#pipeline.results, this.#evaluations.judged, this.#lone?.model)
  }

  async graph() {
    const {learned} = this.#pipeline.results
    if (this.#lone !== undefined) return graphView(this.#lone.model, 0)
    if (learned === undefined)
      throw new AdfaError('bad-option', 'there is no model yet; give a concept an anchor first')
    return graphView(learned.model, learned.encoded.revision, this.#resampler.intervalsOf(learned)?.edges)
  }

  async resample(replicates: number) {
    const {results, stages} = this.#pipeline
    if (results.learned === undefined || stages.numbers.is !== 'ready')
      throw new AdfaError('bad-option', 'the model is not ready; wait for the fit, then resample')
    try {
      await this.#resampler.resample(results.learned, replicates)
    } finally {
      // The end of its progress.
      this.#emitState()
    }
    return this.graph()
  }

  async export(...[what, query = {}]: Parameters<DeskApi['export']>) {
    const report = (task: ReportTask) => this.#pictures.report(task)
    if (this.#lone !== undefined) return exportReadOnly(what, this.#lone, report)
    return exportFile(what, query, {
      files: this.#opened(),
      source: this.#state(),
      stages: this.#pipeline.stages,
      lists: this.#lists,
      slices: this.#slices,
      report
    })
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
  #state(): ListSource {
    const {target, results} = this.#pipeline
    const {documents} = this.#opened()
    if (target === undefined) throw new AdfaError('bad-option', 'there is no project yet; name a concept first')
    const {judged} = this.#evaluations
    const {crossed} = this.#comparisons
    return {project: target.project, documents, results, crossed, ...(judged && {judged})}
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
    const state = deskState(target?.project, target?.revision ?? 0, results, stages)
    const {count = 0, heldOut} = this.#openings.current?.documents ?? {}
    const judged = this.#evaluations.figuresOf(results.learned)?.files
    const beaten = this.#evaluations.beaten(results.learned, stages.numbers.is === 'ready')
    const more = {...(waits !== undefined && {waits}), ...(beaten && {beaten}), ...(judged && {judged})}
    const lone = this.#lone && readOnlyState(this.#lone)
    this.#tools.emit({
      kind: 'state',
      state: {...state, documents: count, heldOut: heldOut?.size ?? 0, ...more, ...lone}
    })
  }
}
