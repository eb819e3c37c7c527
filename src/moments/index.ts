export {exponentiatedGradient} from './exponentiated-gradient.ts'
export {type Pull, parsePull, pullStrength} from './pull.ts'
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
  recoverTable,
  type TableOptions,
  tableDefaults
} from './recover-table.ts'
export {
  recoverWordMoments,
  type WordMomentOptions,
  type WordMoments,
  wordMomentDefaults
} from './recover-word-moments.ts'
export {
  type Divergence,
  type SolveStatus,
  type TableCertificate,
  TableSolver,
  type VariableChannel
} from './table-solver.ts'
