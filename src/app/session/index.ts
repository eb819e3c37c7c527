export type {SourceFile} from '../../read/reading/index.ts'
export {
  type DocumentsMark,
  type EdgeRule,
  type EdgeRules,
  type FitSettings,
  marksDiffer,
  type OpenedProject,
  type Project,
  type Reading,
  type Snapshot,
  searchNeedsHighs
} from '../project/index.ts'
export type {DrawingApi, DrawingHandle, PictureRequest} from '../report/index.ts'
export {type ComparisonView, type Side, sideTitle} from './comparisons.ts'
export type {DocumentView, ExplanationView, Preview} from './document-views.ts'
export {applyEdit, type Edit, editWords} from './edits.ts'
export type {EvaluationRequest, EvaluationView, JudgedOn, LabelFigures, TagFigures} from './evaluation-view.ts'
export {MOST_TRAINED} from './evaluations.ts'
export {type ExportedFile, type ExportKind, isReadOnlyExport} from './export-kinds.ts'
export {namedFeature, readableFeature} from './feature-group.ts'
export type {GraphConcept, GraphView} from './graph-view.ts'
export {type Change, changeHistory, emptyProject, type History, type Step, startHistory} from './history.ts'
export {type DocumentLine, type DocumentList, MOST_ROWS} from './lists.ts'
export type {Stage} from './pipeline.ts'
export type {LabelView, QuestionView} from './questions.ts'
export {type Connection, connect, type Methods, type Port, serve} from './remote.ts'
export {createSession, type SessionApi, type SessionEvent, type SessionTools} from './session.ts'
export {createSolver, type SolverApi, type SolverEvent, type SolverHandle} from './solver.ts'
export {type ColumnView, type HeldModel, megabytes, type Survey, type SurveyedFile} from './survey.ts'
export type {
  ConceptState,
  ConceptView,
  Estimate,
  ListQuery,
  MemberView,
  Probe,
  ProbeExample,
  SessionState,
  TextPart,
  TextSpan
} from './views.ts'
export {weighWords} from './weigh-words.ts'
