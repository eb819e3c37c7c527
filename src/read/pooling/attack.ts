import type {LinearSolver} from '../../base/linear/index.ts'
import {
  type AttackInput,
  type AttackModel,
  type AttackTarget,
  patternModel,
  patternModelSize,
  type Term,
  tableModel,
  tableModelSize,
  targetTerms,
  withheldTargets
} from './attack-model.ts'

/** A number that follows from what was released. */
export interface PinnedNumber extends AttackTarget {
  readonly value: number
}

/** What an attack on releases found out. */
export interface AttackFindings {
  /**
   * `exact`: every number was minimised and maximised over all documents that agree with these releases. `bounds`: bounds
   * were passed on from table to table until nothing changed, which finds less. `none`: too large even for that.
   */
  readonly method: 'exact' | 'bounds' | 'none'
  /** False if no documents agree with these releases: noise, or a wrong assumption about partitions. */
  readonly isConsistent: boolean
  readonly attacked: number
  /** Numbers with a single possible value. */
  readonly pinned: readonly PinnedNumber[]
  /** Numbers for which two collections of documents were found that agree in everything released and differ in the number. */
  readonly open: number
}

export interface AttackOptions {
  /** Ends the attack early; numbers not yet decided are then neither pinned nor open. */
  readonly stop?: (() => boolean) | undefined
  /** The numbers to find out; by default those that the releases withhold. */
  readonly targets?: readonly AttackTarget[]
}

/** With more columns than this the integer program takes too long. */
const MOST_COLUMNS = 4000
/** With more terms than this, bounds are not passed on: about 1 GB. */
const MOST_TERMS = 2e7

/**
 * What a reader of releases of one site can find out about the numbers that they withhold: which have a single value that
 * agrees with everything released. Exact while the integer program has at most 4,000 columns, such as 8 concepts and 10
 * words; beyond that, bounds only.
 */
export function attackReleases(
  solver: LinearSolver,
  input: AttackInput,
  {stop, targets = withheldTargets(input)}: AttackOptions = {}
): AttackFindings {
  const attacked = targets.length
  if (attacked === 0) return {method: 'exact', isConsistent: true, attacked, pinned: [], open: 0}
  const isSmall = patternModelSize(input.releases) <= MOST_COLUMNS
  if (!isSmall && tableModelSize(input.releases) > MOST_TERMS)
    return {method: 'none', isConsistent: true, attacked, pinned: [], open: 0}
  const model = isSmall ? patternModel(input) : tableModel(input)
  const sums = targets.map(targetTerms(input))
  const {values, isConsistent, open} = isSmall ? searchValues(solver, model, sums, stop) : passBounds(model, sums, stop)
  const pinned = targets.flatMap((target, at) => {
    const value = values[at]
    return value === undefined ? [] : [{...target, value}]
  })
  return {method: isSmall ? 'exact' : 'bounds', isConsistent, attacked, pinned, open}
}

/** The values of the sums that have just one. */
interface Search {
  readonly isConsistent: boolean
  readonly values: readonly (number | undefined)[]
  readonly open: number
}

/** Minimises and maximises every sum over the integer points; each point found may settle other sums too. */
function searchValues(
  solver: LinearSolver,
  {lower, upper, rows}: AttackModel,
  sums: readonly (readonly Term[])[],
  stop: (() => boolean) | undefined
): Search {
  const integer = lower.map((_, column) => column)
  const program = solver.open({costs: new Float64Array(lower.length), lower, upper, integer})
  const seen = new Map<number, number>()
  const open = new Set<number>()
  /** Minimise a sum with a sign, and look at the point found; whether its optimum was proved. */
  const reach = (terms: readonly Term[], sign: number): boolean => {
    const costs = new Float64Array(lower.length)
    for (const [column, value] of terms) costs[column] += sign * value
    program.setCosts(costs)
    const {status, x} = program.solve(stop && {stop})
    for (const [at, sum] of x.length === 0 ? [] : sums.entries()) {
      const value = Math.round(sum.reduce((total, [column, factor]) => total + factor * Math.round(x[column]), 0))
      if ((seen.get(at) ?? value) !== value) open.add(at)
      seen.set(at, value)
    }
    return status === 'optimal'
  }
  try {
    program.addRows(rows)
    reach([], 1)
    if (seen.size === 0) return {isConsistent: false, values: [], open: 0}
    const values = sums.map((sum, at) => {
      if (sum.every(([column]) => lower[column] === upper[column])) return seen.get(at)
      const isPinned = !open.has(at) && reach(sum, 1) && !open.has(at) && reach(sum, -1) && !open.has(at)
      return isPinned ? seen.get(at) : undefined
    })
    return {isConsistent: true, values, open: open.size}
  } finally {
    program.dispose()
  }
}

/** Tightens bounds row by row until nothing changes. What this pins is pinned; it may miss some. */
function passBounds(
  {lower: least, upper: most, rows}: AttackModel,
  sums: readonly (readonly Term[])[],
  stop: (() => boolean) | undefined
): Search {
  const [lower, upper] = [least.slice(), most.slice()]
  let isConsistent = true
  for (let isChanged = true; isChanged && isConsistent && !stop?.(); ) {
    isChanged = false
    for (const row of rows) {
      const {indices, values} = row
      let [low, high] = [0, 0]
      for (let at = 0; at < indices.length; at++) {
        low += values[at] > 0 ? lower[indices[at]] : -upper[indices[at]]
        high += values[at] > 0 ? upper[indices[at]] : -lower[indices[at]]
      }
      // All factors are 1 or -1, so the bounds stay whole.
      const [above, below] = [high - row.lower, row.upper - low]
      isConsistent &&= above >= 0 && below >= 0
      for (let at = 0; at < indices.length && isConsistent; at++) {
        const column = indices[at]
        const [from, to] = [lower[column], upper[column]]
        const [up, down] = values[at] > 0 ? [above, below] : [below, above]
        lower[column] = Math.max(from, to - up)
        upper[column] = Math.min(to, from + down)
        isChanged ||= lower[column] > from || upper[column] < to
      }
    }
  }
  const end = (sum: readonly Term[], isLow: boolean) =>
    sum.reduce((total, [column, factor]) => total + factor * (factor > 0 === isLow ? lower : upper)[column], 0)
  const values = sums.map(sum => (isConsistent && end(sum, true) === end(sum, false) ? end(sum, true) : undefined))
  return {isConsistent, values, open: 0}
}
