export {type LinearSolver, type LinearSolverOptions, loadLinearSolver} from './highs-program.ts'
export type {
  LinearColumns,
  LinearProgram,
  LinearResult,
  LinearRow,
  LinearStatus,
  SolveOptions
} from './linear-program.ts'
