export type {SourceFile} from '../../read/reading/index.ts'
export type {Progress} from '../pipeline/index.ts'
export {
  type DocumentsMark,
  type EdgeRule,
  type EdgeRules,
  marksDiffer,
  type OpenedProject,
  type Project,
  type Reading,
  type Snapshot,
  searchNeedsHighs
} from '../project/index.ts'
export type {DrawingApi, DrawingHandle, PictureRequest} from '../report/index.ts'
export {type ComparisonView, type Side, sideTitle} from './comparisons.ts'
export type {ConceptView, MemberView, Probe, ProbeExample} from './concept-views.ts'
export {
  type DocumentView,
  type ExplanationView,
  namedFeature,
  type Preview,
  readableFeature,
  type TextPart,
  type TextSpan,
  weighWords
} from './document-views.ts'
export {applyEdit, type Change, changeHistory, type Edit, emptyProject, startHistory} from './edits.ts'
export type {EvaluationRequest, EvaluationView, JudgedOn, LabelFigures, TagFigures} from './evaluation-view.ts'
export {MOST_TRAINED} from './evaluations.ts'
export type {ExportedFile, ExportKind} from './exports.ts'
export type {GraphView} from './graph-view.ts'
export {type DocumentLine, type DocumentList, type ListQuery, MOST_ROWS} from './list.ts'
export type {Stage} from './pipeline.ts'
export type {LabelView, QuestionView} from './questions.ts'
export {type Connection, connect, type Methods, type Port, serve} from './remote.ts'
export {createSession, type SessionApi, type SessionEvent, type SessionTools} from './session.ts'
export {createSolver, type SolverApi, type SolverHandle} from './solver.ts'
export type {ConceptState, SessionState} from './state.ts'
export {type ColumnView, megabytes, type Survey, type SurveyedFile} from './survey.ts'
