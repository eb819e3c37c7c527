export type {
  LinearColumns,
  LinearProgram,
  LinearResult,
  LinearRow,
  LinearStatus,
  SolveOptions
} from './linear-program.ts'
export {type LinearSolver, type LinearSolverOptions, loadLinearSolver} from './linear-solver.ts'
