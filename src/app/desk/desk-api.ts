/**
 * What the page may ask of the desk, and what it hears of it. The desk holds documents, counts and models; the page holds the
 * project and what is on the screen. Every method answers with plain data that can be sent between threads, in messages below
 * 256 KB; a refusal is an `AdfaError` with its code and message.
 */
import type {PolytopeName} from '../../learn/moments/index.ts'
import type {Anchors} from '../../read/data/index.ts'
import type {SourceFile} from '../../read/reading/index.ts'
import type {LabelRow} from '../../use/labelling/index.ts'
import type {PictureRequest} from '../drawing/index.ts'
import type {ComparisonView, PolytopesView, Side} from './comparison-views.ts'
import type {EvaluationRequest, EvaluationView} from './evaluation-view.ts'
import type {ExportedFile, ExportKind} from './export-kinds.ts'
import type {GraphView} from './graph-view.ts'
import type {LabelView} from './label-view.ts'
import type {Project, Reading} from './project.ts'
import type {
  ConceptView,
  DeskState,
  DocumentList,
  DocumentView,
  ExplanationView,
  ListQuery,
  Opened,
  Preview,
  Probe,
  SuggestionView,
  Survey
} from './views.ts'

export interface DeskApi {
  /** Recognise files by their content, look at the first rows of documents, and guess how to read them. Replaces earlier files. */
  survey(files: readonly SourceFile[]): Promise<Survey>
  /** The generated emergency visits, as if their files had been dropped. One anchor is misspelt, for the doctor to find. */
  demo(): Promise<Survey>
  /** The first 20 rows as they would be read. */
  preview(reading: Reading, anchors: Anchors): Promise<Preview>
  /** Read all documents. Progress comes as events; `cancel` leaves everything as it was before. */
  open(reading: Reading): Promise<Opened>
  /** Everything follows from the project: counts, numbers, scores. Results come as events with its revision. */
  setProject(project: Project, revision: number): Promise<void>
  /** Stop the resampling, or else the reading, the fit or the evaluation, that runs now; the last results remain. */
  cancel(): Promise<void>
  /** Begin the fit that `waits`. */
  fit(): Promise<void>

  /** What a feature would bring to a concept, before it is accepted. */
  probe(concept: string, feature: string): Promise<Probe>
  concept(name: string): Promise<ConceptView>
  suggest(concept: string): Promise<readonly SuggestionView[]>
  /** Concepts from the most frequent tags, or from a pasted list of names, with anchors proposed from the documents. */
  propose(from: {readonly tags: number} | {readonly names: readonly string[]}): Promise<Anchors>

  list(query: ListQuery, from: number, count: number): Promise<DocumentList>
  /** The text of a document with its words marked; their weights for a concept come with its explanation. */
  document(at: number): Promise<DocumentView>
  /** Why a concept is likely in a document, given the concepts that are set. */
  explain(at: number, concept: string, known: Readonly<Record<string, boolean>>): Promise<ExplanationView>

  /** The next document to label, and how far labelling is. */
  question(): Promise<LabelView>
  /** The label rows with one more answer: the concepts that the document of the current question has, or that it is skipped. */
  answer(present: readonly string[] | 'skip'): Promise<readonly LabelRow[]>

  /**
   * The figures of `adfa evaluate`, with what the model is judged on. Progress comes as events; an edit or `cancel` ends the work.
   * `files`, if given, are other documents with tags, which are read first.
   */
  evaluate(request: EvaluationRequest, files?: readonly SourceFile[]): Promise<EvaluationView>
  /** How two models differ; settings of a side are learned first. Progress comes as events; `cancel` ends it. */
  compare(a: Side, b: Side): Promise<ComparisonView>
  /** Objective, bound and gap of the moments over a polytope, beside those asked for before. `cancel` ends it with what is proven by then. */
  polytope(name: PolytopeName): Promise<PolytopesView>

  /** SVG or HTML text of the last model; undefined for a network that cannot be drawn. */
  picture(request: PictureRequest): Promise<string | undefined>

  /** The network of the last model, as numbers and in words. */
  graph(): Promise<GraphView>
  /**
   * The same, with the share of so many resamples of the documents that have each link too: `adfa fit --intervals`. The model
   * stays as it is. `cancel` and edits end it; `graph` has the last shares until there is another model.
   */
  resample(replicates: number): Promise<GraphView>

  export(what: ExportKind, query?: ListQuery): Promise<ExportedFile>
}

export type DeskEvent =
  | {readonly kind: 'state'; readonly state: DeskState}
  /** Of `open`, and of any work over 0.3 s; `share` from 0 to 1 where it is known. */
  | {
      readonly kind: 'progress'
      readonly words: string
      readonly share?: number
      /** Of an evaluation: the methods that are ready. */
      readonly figures?: EvaluationView
    }
  /** Something to say once, such as an expression that was stopped. */
  | {readonly kind: 'notice'; readonly message: string}
