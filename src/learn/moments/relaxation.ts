import type {CutRow, Separate, SolveStatus, StopRule} from '../polytopes/index.ts'
import type {Curvature} from './curvature.ts'
import {InteriorPoint} from './interior-point.ts'
import {insidePoint, type MomentProblem} from './moment-problem.ts'

/** Cuts added per round, the deepest first: most of a large set turn out not to matter. */
const CUTS_PER_ROUND = 500
/** Shallower cuts are not added; the final move inside makes up for them. */
const SHALLOW = 1e-9
/** The gap of the first round with cuts: early rounds only identify the cuts that matter. */
const FIRST_GAP = 0.01

/** Eq. 4 over the local polytope with a growing set of cuts: an outer bound of the marginal polytope that tightens. */
export class Relaxation {
  readonly point: InteriorPoint
  readonly #rule: StopRule

  constructor(problem: MomentProblem, curvature: Curvature, rule: StopRule) {
    this.point = new InteriorPoint(problem, curvature, insidePoint(problem))
    this.#rule = rule
  }

  /** Takes Newton steps until the gap is at most `target`; returns a status when something else ends them. */
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

  /** Adds the deepest violated cuts; returns their number. */
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

  /** Solves with all cuts that `separate` finds, in rounds of increasing accuracy. */
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

/** Rows of unit length make slacks and multipliers of all cuts comparable. */
function scaled({indices, values, lower}: CutRow, factor: number): CutRow {
  return {indices, values: values.map(value => factor * value), lower: factor * lower}
}
