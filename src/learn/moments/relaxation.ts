import type {CutRow, Separate, SolveStatus, StopRule} from '../polytopes/index.ts'
import type {Curvature} from './curvature.ts'
import {insidePoint} from './inside-point.ts'
import {InteriorPoint} from './interior-point.ts'
import type {MomentProblem} from './moment-objective.ts'

/** At most so many cuts a round, the deepest first: most of a crowd turn out not to matter. */
const CUTS_PER_ROUND = 500
/** Cuts less deep than this are not added; at the end a move inside makes up for them. */
const SHALLOW = 1e-9
/** The gap of the first round with cuts: early rounds only have to show which cuts matter. */
const FIRST_GAP = 0.01

/** Eq. 4 over the local polytope and more and more cuts: an outer bound of the marginal polytope that gets tighter. */
export class Relaxation {
  readonly point: InteriorPoint
  readonly #rule: StopRule

  constructor(problem: MomentProblem, curvature: Curvature, rule: StopRule) {
    this.point = new InteriorPoint(problem, curvature, insidePoint(problem))
    this.#rule = rule
  }

  /** Newton steps until the gap is at most `target`; a status when something else ends them. */
  solve(target: number, onStep?: (point: InteriorPoint) => void): SolveStatus | undefined {
    const {point} = this
    onStep?.(point)
    while (point.gap > target) {
      const status = this.#rule.interruption(point.steps)
      if (status !== undefined) return status
      if (!point.step()) return 'gap'
      onStep?.(point)
    }
    return undefined
  }

  /** Add the deepest cuts that are violated; gives how many. */
  cut(separate: Separate): number {
    const found: {depth: number; row: CutRow}[] = []
    separate(this.point.x, (violation, row) => {
      const length = Math.sqrt(row.values.reduce((sum, value) => sum + value * value, 0))
      const depth = violation / length
      if (depth > SHALLOW) found.push({depth, row: scaled(row, 1 / length)})
    })
    found.sort((a, b) => b.depth - a.depth)
    const rows = found.slice(0, CUTS_PER_ROUND).map(({row}) => row)
    if (rows.length > 0) this.point.addCuts(rows)
    return rows.length
  }

  /** Solve with all the cuts that `separate` can find, in rounds that get more exact. */
  solveWith(separate: Separate, gap: number, onStep?: (point: InteriorPoint) => void): SolveStatus | undefined {
    for (let target = FIRST_GAP; ; target = target / 10) {
      let status: SolveStatus | undefined
      do {
        status = this.solve(Math.max(gap, target), onStep)
        if (status !== undefined) return status
      } while (this.cut(separate) > 0)
      if (target <= gap) return undefined
    }
  }
}

/** Rows of unit length, so that slacks and multipliers of all cuts can be compared. */
function scaled({indices, values, lower}: CutRow, factor: number): CutRow {
  return {indices, values: values.map(value => factor * value), lower: factor * lower}
}
