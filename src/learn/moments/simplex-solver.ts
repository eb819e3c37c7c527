import {FourCellSolver} from './four-cell-solver.ts'
import {type Divergence, type Rates, type SimplexSolver, TableSolver} from './table-solver.ts'
import {TwoCellSolver} from './two-cell-solver.ts'

/** The fastest solver for a table over these variables. */
export function simplexSolver(rates: readonly Rates[], divergence: Divergence): SimplexSolver {
  if (divergence === 'kl' && rates.length === 1) return new TwoCellSolver(rates[0])
  if (divergence === 'kl' && rates.length === 2) return new FourCellSolver(rates[0], rates[1])
  return new TableSolver(rates, divergence)
}
