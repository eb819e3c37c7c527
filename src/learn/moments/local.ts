import {certified, type MomentSolution, type SolveStatus, type StopRule} from './certificate.ts'
import {type CutRow, type Separate, violatedTriangles} from './cuts.ts'
import {InteriorPoint} from './interior-point.ts'
import type {MomentProblem} from './problem.ts'

/** Cuts added per round, the deepest first: most of a large set turn out not to matter. */
const CUTS_PER_ROUND = 500
/** Shallower cuts are not added; the final move inside makes up for them. */
const SHALLOW = 1e-9
/** The gap of the first round with cuts: early rounds only identify the cuts that matter. */
const FIRST_GAP = 0.01

/** Minimises Eq. 4 over the tables that agree on the concepts they share (Eq. 3). */
export function solveLocal(problem: MomentProblem, rule: StopRule): MomentSolution {
  const relaxation = new Relaxation(problem, rule)
  const status = relaxation.solve(rule.limits.gap, point => rule.report(point))
  return relaxation.solution(status)
}

/** Minimises Eq. 4 over the tables that also satisfy the triangle inequality of every three concepts. */
export function solveCycle(problem: MomentProblem, rule: StopRule): MomentSolution {
  const relaxation = new Relaxation(problem, rule)
  const triangles = violatedTriangles(problem.layout.conceptCount)
  // The other half of the gap is for the final move inside.
  const status = relaxation.solveWith(triangles, rule.limits.gap / 2, point => rule.report(point))
  relaxation.point.comply(triangles)
  return relaxation.solution(status)
}

/** Eq. 4 over the local polytope with a growing set of cuts: an outer bound of the marginal polytope that tightens. */
export class Relaxation {
  readonly point: InteriorPoint
  readonly #rule: StopRule

  constructor(problem: MomentProblem, rule: StopRule) {
    this.point = new InteriorPoint(problem)
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

  /** The current point with its certificate; `status` tells what ended the search, if it was not the gap. */
  solution(status: SolveStatus = 'gap'): MomentSolution {
    const {mu, objective, lowerBound, steps, cuts} = this.point
    const parts = {objective, lowerBound, steps, atoms: 0, cuts: cuts.size, status}
    return {mu, certificate: certified(parts, this.#rule)}
  }
}

/** Rows of unit length make slacks and multipliers of all cuts comparable. */
function scaled({indices, values, lower}: CutRow, factor: number): CutRow {
  return {indices, values: values.map(value => factor * value), lower: factor * lower}
}
