export type {
  LinearColumns,
  LinearProgram,
  LinearResult,
  LinearRow,
  LinearSolver,
  LinearSolverOptions,
  LinearStatus,
  SolveOptions
} from './linear-program.ts'
export {loadLinearSolver} from './load-linear-solver.ts'
