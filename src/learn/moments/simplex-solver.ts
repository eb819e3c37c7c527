import {FourCellSolver} from './four-cell-solver.ts'
import {type Divergence, type SimplexSolver, TableSolver, type VariableChannel} from './table-solver.ts'
import {TwoCellSolver} from './two-cell-solver.ts'

/** The fastest solver for a table over these variables. */
export function simplexSolver(channels: readonly VariableChannel[], divergence: Divergence): SimplexSolver {
  if (divergence === 'kl' && channels.length === 1) return new TwoCellSolver(channels[0])
  if (divergence === 'kl' && channels.length === 2) return new FourCellSolver(channels[0], channels[1])
  return new TableSolver(channels, divergence)
}
