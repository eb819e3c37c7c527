/**
 * The session: documents, counts, models and everything that is asked about them. It has no clock and no thread of its own, so
 * it runs in a worker of a browser as in a test.
 */
import {AdfaError} from '../../base/checks/index.ts'
import type {Anchors} from '../../read/data/index.ts'
import type {SourceFile} from '../../read/reading/index.ts'
import type {Progress} from '../pipeline/index.ts'
import type {Reading} from '../project/index.ts'
import type {DrawingHandle, PictureRequest} from '../report/index.ts'
import {compareSides, type Side} from './comparisons.ts'
import {conceptView, probe, propose, suggestions} from './concept-views.ts'
import {documentView, explanationView, preview} from './document-views.ts'
import {type OpenDocuments, openDocuments, type Source} from './documents.ts'
import {type Change, changeHistory, emptyProject, startHistory} from './edits.ts'
import type {EvaluationRequest} from './evaluation-view.ts'
import {evaluateModel, readOthers} from './evaluations.ts'
import {type ExportKind, exportFile, exportList} from './exports.ts'
import {type Facts, lastModel, readyModel} from './facts.ts'
import {graphView} from './graph-view.ts'
import {type KnownLists, type ListQuery, listDocuments, listedNumbers} from './list.ts'
import {createPictures} from './pictures.ts'
import {createPipeline, type LearnedResult} from './pipeline.ts'
import {createQuestions} from './questions.ts'
import type {Resampling} from './solver.ts'
import {type SessionState, sessionState} from './state.ts'
import {demo, demoFiles, type Survey, surveyFiles} from './survey.ts'
import {createWork, type Job, type WorkTools} from './work.ts'

/** What the page hears of the session. */
export type SessionEvent =
  | {readonly kind: 'state'; readonly state: SessionState}
  /** Of `open`, and of any work over 0.3 s. */
  | ({readonly kind: 'progress'} & Progress)
  /** Something to say once, such as an expression that was stopped. */
  | {readonly kind: 'notice'; readonly message: string}

export interface SessionTools extends WorkTools {
  emit(event: SessionEvent): void
  startDrawing(): DrawingHandle
  /** Visits of the demo. */
  readonly demoDocuments?: number
}

const DEMO_DOCUMENTS = 20_000

/**
 * What the page may ask of the session. The session holds documents, counts and models; the page holds what is on the screen, and
 * both hold the project. Every method answers with plain data that can be sent between threads, in messages below 256 KB; a refusal
 * is an `AdfaError` with its code and message.
 */
export type SessionApi = ReturnType<typeof createSession>

export function createSession(tools: SessionTools) {
  const {emit, now} = tools
  const notice = (message: string) => emit({kind: 'notice', message})
  const changed = () => {
    lists.clear()
    emit({kind: 'state', state: sessionState(pipeline, opened?.documents)})
  }
  const work = createWork(tools, event => emit({kind: 'progress', ...event}), changed)
  let history = startHistory(emptyProject)
  /** The documents that were surveyed last. */
  let surveyed: Source | undefined
  let opened: OpenDocuments | undefined
  let resampled: (Resampling & {readonly learned: LearnedResult}) | undefined
  let crossed: Facts['crossed']
  let judged: Facts['judged']
  /** The names of the files that other documents, to judge on, come from. */
  let others: readonly string[] = []
  const lists: KnownLists = new Map()
  const questions = createQuestions()
  const pictures = createPictures(tools.startDrawing)
  /** A project that reads its documents otherwise reads them again. */
  const documentsFor = async (reading: Reading, job: Job) => {
    if (opened !== undefined && JSON.stringify(opened.reading) !== JSON.stringify(reading))
      opened = await openDocuments(work, job, opened.source, reading)
    return opened?.documents
  }
  const pipeline = createPipeline(work, documentsFor, {changed, notice})

  const surveyedFiles = (): Source => {
    if (surveyed !== undefined) return surveyed
    throw new AdfaError('bad-option', 'there are no documents; choose files first')
  }

  const openedFiles = (): OpenDocuments => {
    if (opened !== undefined) return opened
    throw new AdfaError('bad-option', 'no documents are open; choose files and read them first')
  }

  /** The newest project, with the last results, which may be of an older one. */
  const facts = (): Facts => {
    const files = openedFiles()
    const {results, stages, newest} = pipeline
    if (newest === undefined) throw new AdfaError('bad-option', 'there is no project yet; name a concept first')
    return {project: newest.project, files, documents: files.documents, results, stages, work, crossed, judged}
  }

  const surveyOf = async (files: readonly SourceFile[]): Promise<Survey> => {
    const {survey, source = surveyed} = await surveyFiles(files, opened?.reading)
    surveyed = source
    return survey
  }

  /** The network of the last model, as numbers and in words; its links with their shares in resamples, if there are any. */
  const graph = () => {
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
      opened = await work.run('reading', job => openDocuments(work, job, surveyedFiles(), reading))
      work.stop('evaluation', 'resampling', 'comparison')
      crossed = undefined
      judged = undefined
      others = []
      pipeline.clear()
      const {documents, notes} = opened
      return {
        documents: documents.count,
        heldOut: documents.heldOut,
        hash: documents.hash(),
        notes,
        seconds: (now() - since) / 1000
      }
    },

    /** Follows a change of the project: counts, numbers, scores. Results come as events with its revision. */
    async change(change: Change, revision: number): Promise<void> {
      work.stop('evaluation', 'resampling')
      history = changeHistory(history, change)
      pipeline.set(history.project, revision)
    },

    /** Stops the resampling, or else all that runs now; the last results remain. */
    async cancel(): Promise<void> {
      if (work.stop('resampling')) return
      work.stop('reading', 'comparison', 'evaluation')
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
      const found = await work.run('resampling', job => job.value(job.solver().resample(task, replicates)))
      resampled = {...found, learned}
      found.warnings.forEach(notice)
      return graph()
    },

    /**
     * The figures of `adfa evaluate`, with what the model is judged on. Progress comes as events; an edit or `cancel` ends the work.
     * `files`, if given, are other documents with tags, which are read first.
     */
    async evaluate(request: EvaluationRequest, files?: readonly SourceFile[]) {
      if (files !== undefined) {
        others = await readOthers(facts(), files)
        judged = undefined
      }
      judged = await evaluateModel(facts(), request, others)
      changed()
      return judged.view
    },

    async export(what: ExportKind, query: ListQuery = {}) {
      const all = facts()
      if (what === 'documents.csv') return exportList(all, query.concept, await listedNumbers(all, lists, query))
      return exportFile(what, all, task => pictures.ask(api => api.report(task)))
    },

    /** The first rows as they would be read. */
    preview: async (reading: Reading, anchors: Anchors) => preview(surveyedFiles(), reading, anchors),

    /** What a feature would bring to a concept, before it is accepted. */
    probe: async (concept: string, feature: string) => probe(facts(), concept, feature),

    concept: async (name: string) => conceptView(facts(), name),

    suggest: async (concept: string) => suggestions(facts(), concept),

    /** Concepts from the most frequent tags, or from a list of names, with anchors proposed from the documents. */
    propose: async (from: {readonly tags: number} | {readonly names: readonly string[]}) =>
      propose(from, openedFiles().documents, work),

    list: async (query: ListQuery, from: number, count: number) => listDocuments(facts(), lists, query, from, count),

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

    /** How two models differ. Progress comes as events; `cancel` ends it. */
    async compare(...sides: readonly [a: Side, b: Side]) {
      const found = await work.run('comparison', job => compareSides(job, facts(), sides))
      crossed = found.crossed
      lists.clear()
      return found.view
    },

    /** SVG or HTML text of the last model; undefined for a network that cannot be drawn. */
    picture: async (request: PictureRequest) => pictures.draw(request, () => lastModel(pipeline.results).model),

    graph: async () => graph()
  }
}
