export type {LinearProgram, LinearRow, LinearSolver, LinearSolverOptions} from './linear-program.ts'
export {loadLinearSolver} from './load-linear-solver.ts'
