export {
  type LinearColumns,
  type LinearProgram,
  type LinearResult,
  type LinearRow,
  type LinearSolver,
  type LinearSolverOptions,
  type LinearStatus,
  loadLinearSolver,
  type SolveOptions
} from './linear-program.ts'
