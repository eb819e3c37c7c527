/**
 * The session: documents, counts, models and everything that is asked about them. It has no clock and no thread of its own, so
 * it runs in a worker of a browser as in a test.
 */
import {AdfaError} from '../../base/checks/index.ts'
import {saveModel} from '../../learn/model/index.ts'
import type {Anchors} from '../../read/data/index.ts'
import type {SourceFile} from '../../read/reading/index.ts'
import type {Project, Reading} from '../project/index.ts'
import type {DrawingHandle, PictureRequest, ReportTask} from '../report/index.ts'
import {Comparisons, type Side} from './comparisons.ts'
import {conceptView, probe, propose, suggestions} from './concept-views.ts'
import {documentView, explanationView, preview} from './document-views.ts'
import type {EvaluationRequest} from './evaluation-view.ts'
import {Evaluations} from './evaluations.ts'
import type {ExportKind} from './export-kinds.ts'
import {exportFile, exportReadOnly} from './exports.ts'
import {type Facts, lastModel, readyModel} from './facts.ts'
import {graphView} from './graph-view.ts'
import {type Change, changeHistory, emptyProject, startHistory} from './history.ts'
import {createSlices, JobPlace, type Progress, type Work} from './job.ts'
import {Lists} from './lists.ts'
import {Pictures} from './pictures.ts'
import {type LearnedResult, Pipeline} from './pipeline.ts'
import {Questions} from './questions.ts'
import type {Resampling} from './solver.ts'
import {demo, demoFiles, type OpenDocuments, openDocuments, type Source} from './sources.ts'
import {sessionState, thresholdOf} from './state-view.ts'
import {type Held, type ReadOnlyModel, type Survey, surveyFiles} from './survey.ts'
import type {ListQuery, SessionState} from './views.ts'

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

/** Tags that are offered as concepts. */
const SHOWN_TAGS = 100

/**
 * What the page may ask of the session. The session holds documents, counts and models; the page holds what is on the screen, and
 * both hold the project. Every method answers with plain data that can be sent between threads, in messages below 256 KB; a refusal
 * is an `AdfaError` with its code and message.
 */
export type SessionApi = ReturnType<typeof createSession>

export function createSession(tools: SessionTools) {
  const {emit, now} = tools
  const work: Work = {
    ...tools,
    slices: createSlices(tools.wait, now),
    progress: ({words, share, figures}) =>
      emit({kind: 'progress', words, ...(share !== undefined && {share}), ...(figures && {figures})}),
    changed() {
      emitState()
      compareHeld()
    },
    notice: message => emit({kind: 'notice', message})
  }
  let history = startHistory(emptyProject)
  /** The files that were surveyed last. */
  let surveyed: {readonly source?: Source | undefined; readonly held?: Held | undefined} = {}
  let opened: OpenDocuments | undefined
  /** The model of the project file, until it is compared with the one that is learned. */
  let held: Held | undefined
  /** The model to look at while no documents are open. */
  let lone: ReadOnlyModel | undefined
  let resampled: (Resampling & {readonly learned: LearnedResult}) | undefined
  const opening = new JobPlace(work)
  const resampling = new JobPlace(work)
  const lists = new Lists()
  const questions = new Questions()
  const pictures = new Pictures(tools.startDrawing)
  const comparisons = new Comparisons(work)
  const evaluations = new Evaluations(work)
  const pipeline = new Pipeline(work, async (reading, job) => {
    // A project that reads its documents otherwise reads them again.
    if (opened !== undefined && JSON.stringify(opened.reading) !== JSON.stringify(reading))
      opened = await openDocuments(work, job, opened.source, reading)
    return opened?.documents
  })

  const sourceOf = (): Source => {
    if (surveyed.source !== undefined) return surveyed.source
    throw new AdfaError('bad-option', 'there are no documents; choose files first')
  }

  const openedFiles = (): OpenDocuments => {
    if (opened !== undefined) return opened
    throw new AdfaError('bad-option', 'no documents are open; choose files and read them first')
  }

  /** The newest project, with the last results, which may be of an older one. */
  const facts = (): Facts => {
    const files = openedFiles()
    if (pipeline.newest === undefined)
      throw new AdfaError('bad-option', 'there is no project yet; name a concept first')
    const {results, stages, newest} = pipeline
    return {
      project: newest.project,
      files,
      documents: files.documents,
      results,
      stages,
      slices: work.slices,
      crossed: comparisons.crossed,
      judged: evaluations.judged
    }
  }

  const emitState = () => {
    const {newest, results, stages, waits} = pipeline
    const state = sessionState(newest?.project, newest?.revision ?? 0, results, stages)
    const {count = 0, heldOut} = opened?.documents ?? {}
    const beaten = evaluations.beaten(results.learned, stages.numbers.is === 'ready')
    const more = {...(waits !== undefined && {waits}), ...(beaten && {beaten})}
    // The numbers of a lone model are what they are, and there is nothing to score.
    const looked = lone && {
      readOnly: lone.file,
      numbers: {is: 'ready'} as const,
      threshold: thresholdOf(lone.model)
    }
    emit({kind: 'state', state: {...state, documents: count, heldOut: heldOut?.size ?? 0, ...more, ...looked}})
  }

  /** Says once whether the model of the project file is what a fit gives. */
  const compareHeld = () => {
    const {results, stages} = pipeline
    if (held === undefined || results.learned === undefined || stages.numbers.is !== 'ready') return
    const message = heldWords(held, results.learned)
    held = undefined
    if (message !== undefined) work.notice(message)
  }

  const surveyOf = async (files: readonly SourceFile[]): Promise<Survey> => {
    const {survey, source = surveyed.source, ...found} = await surveyFiles(files, opened?.reading)
    surveyed = {source, held: found.held}
    lone = found.lone
    emitState()
    return survey
  }

  /** The network of the last model, as numbers and in words; its links with their shares in resamples, if there are any. */
  const graph = () => {
    if (lone !== undefined) return graphView(lone.model, 0)
    const learned = lastModel(pipeline.results)
    const {intervals} = resampled?.learned === learned ? resampled : {}
    return graphView(learned.model, learned.encoded.revision, intervals?.edges)
  }

  return {
    /** Recognises files by their content, looks at the first rows, and guesses how to read them. Replaces earlier files. */
    survey: surveyOf,

    /** The generated emergency visits, as if their files had been dropped. */
    async demo(): Promise<Survey> {
      return {...(await surveyOf(demoFiles(tools.demoDocuments ?? DEMO_DOCUMENTS))), demo}
    },

    /** Reads all documents. Progress comes as events; `cancel` leaves everything as it was before. */
    async open(reading: Reading) {
      const since = now()
      const message = 'reading was stopped; everything is as it was before'
      opened = await opening.run(message, job => openDocuments(work, job, sourceOf(), reading))
      lone = undefined
      held = surveyed.held
      evaluations.clear()
      resampling.stop()
      comparisons.clear()
      pipeline.clear()
      const {documents, notes} = opened
      return {
        documents: documents.count,
        heldOut: documents.heldOut.size,
        hash: documents.hash(),
        notes,
        seconds: (now() - since) / 1000,
        tagged: documents.tagged,
        tags: documents.tags().slice(0, SHOWN_TAGS)
      }
    },

    /** Follows a change of the project: counts, numbers, scores. Results come as events with its revision. */
    async change(change: Change, revision: number): Promise<void> {
      evaluations.cancel()
      resampling.stop()
      history = changeHistory(history, change)
      pipeline.set(history.project, revision)
    },

    /** Stops the resampling, or else the reading, the fit or the evaluation, that runs now; the last results remain. */
    async cancel(): Promise<void> {
      if (resampling.stop()) return
      opening.stop()
      comparisons.cancel()
      evaluations.cancel()
      pipeline.cancel()
    },

    /** Begins the fit that `waits`. */
    async fit(): Promise<void> {
      pipeline.fit()
    },

    /** The share of so many resamples of the documents that have each link too: `adfa fit --intervals`. The model stays as it is. */
    async resample(replicates: number) {
      const learned = readyModel(pipeline)
      if (resampled?.learned === learned && resampled.intervals.replicates === replicates) return graph()
      const {counts, options} = learned.encoded
      const task = {counts, options, model: learned.model}
      const found = await resampling.run('resampling was stopped; everything is as it was before', job =>
        job.value(job.solver().resample(task, replicates))
      )
      resampled = {...found, learned}
      for (const warning of found.warnings) work.notice(warning)
      return graph()
    },

    /**
     * The figures of `adfa evaluate`, with what the model is judged on. Progress comes as events; an edit or `cancel` ends the work.
     * `files`, if given, are other documents with tags, which are read first.
     */
    async evaluate(request: EvaluationRequest, files?: readonly SourceFile[]) {
      if (files !== undefined) await evaluations.read(facts(), files)
      return evaluations.evaluate(facts(), request)
    },

    async export(what: ExportKind, query: ListQuery = {}) {
      const report = (task: ReportTask) => pictures.report(task)
      return lone === undefined ? exportFile(what, query, facts(), lists, report) : exportReadOnly(what, lone, report)
    },

    /** The first rows as they would be read. */
    preview: async (reading: Reading, anchors: Anchors) => preview(sourceOf(), reading, anchors),

    /** What a feature would bring to a concept, before it is accepted. */
    probe: async (concept: string, feature: string) => probe(facts(), concept, feature),

    concept: async (name: string) => conceptView(facts(), name),

    suggest: async (concept: string) => suggestions(facts(), concept),

    /** Concepts from the most frequent tags, or from a list of names, with anchors proposed from the documents. */
    propose: async (from: {readonly tags: number} | {readonly names: readonly string[]}) =>
      propose(from, openedFiles().documents, work.slices),

    list: async (query: ListQuery, from: number, count: number) => lists.page(facts(), query, from, count),

    /** The text of a document with its words marked; their weights for a concept come with its explanation. */
    document: async (at: number) => documentView(facts(), at),

    /** Why a concept is likely in a document, given the concepts that are set. */
    explain: async (at: number, concept: string, known: Readonly<Record<string, boolean>>) =>
      explanationView(facts(), at, concept, known),

    /** The next document to label, and how far labelling is. */
    async question() {
      const {counts} = pipeline.stages
      if (counts.is === 'failed') throw new AdfaError('bad-option', counts.message)
      return questions.view(facts())
    },

    /** The label rows with one more answer: the concepts that the document of the current question has, or that it is skipped. */
    answer: async (present: readonly string[] | 'skip') => questions.answer(facts(), present),

    /** How two models differ; settings of a side are learned first. Progress comes as events; `cancel` ends it. */
    compare: async (...sides: readonly [a: Side, b: Side]) => comparisons.compare(facts(), sides),

    /** SVG or HTML text of the last model; undefined for a network that cannot be drawn. */
    picture: async (request: PictureRequest) => pictures.draw(request, pipeline.results, lone?.model),

    graph: async () => graph()
  }
}

/**
 * Whether a fit of the same project gives the same model, in words; undefined where the project has changed since. A model in a
 * file proves nothing about the documents that are open, so the studio learns its own and compares.
 */
function heldWords({project, file, text}: Held, {model, encoded}: LearnedResult): string | undefined {
  const decided = ({reading, anchors, fit, labels, edges}: Project) =>
    JSON.stringify([reading, anchors, fit, labels, edges])
  if (decided(project) !== decided(encoded.project)) return undefined
  return saveModel(model) === text
    ? `The model in ${file} is the one that was learned here, byte for byte.`
    : `The model in ${file} is not what these documents give; the one that was learned here is used.`
}
