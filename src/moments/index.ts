export type {MomentOrder} from './moment-layout.ts'
export type {MomentCertificate, Moments} from './moments.ts'
export type {PolytopeName} from './polytope.ts'
export {type Pull, parsePull} from './pull.ts'
export {
  defaultGaps,
  type MomentControl,
  type MomentOptions,
  type MomentSolver,
  momentDefaults,
  recoverMoments
} from './recover-moments.ts'
export {
  type MomentVariables,
  type RecoveredTable,
  recoverObservedTable,
  recoverTable,
  type TableOptions
} from './recover-table.ts'
export {
  recoverWordMoments,
  type WordMomentOptions,
  type WordMoments,
  wordMomentDefaults
} from './recover-word-moments.ts'
export type {StepRuleName} from './step-rules.ts'
export type {SolveControl, SolveProgress, SolveStatus} from './stop-rule.ts'
export type {Divergence, TableCertificate, VariableChannel} from './table-solver.ts'
export type {CorrectionTrigger, VariantName} from './variants.ts'
