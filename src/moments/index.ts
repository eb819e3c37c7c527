export {type Pull, parsePull} from './pull.ts'
export {
  type MomentCertificate,
  type MomentOptions,
  type Moments,
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
export type {
  Divergence,
  SolveStatus,
  TableCertificate,
  VariableChannel
} from './table-solver.ts'
