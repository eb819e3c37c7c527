import type {LinearProgram, LinearSolver} from '../../base/linear/index.ts'
import {
  type AttackInput,
  type AttackModel,
  attackedVariables,
  patternModel,
  patternModelSize,
  tableModel,
  tableModelSize,
  withheldPlaces
} from './attack-model.ts'

/** A number that follows from what was released. */
export interface PinnedNumber {
  /** Which release withholds it: 0 the first. */
  readonly release: number
  readonly set: readonly number[]
  readonly word?: number
  readonly value: number
}

/** What an attack on releases found out about the numbers that they withhold. */
export interface AttackFindings {
  /**
   * `exact`: every number was minimised and maximised over all documents that would give these releases. `bounds`: bounds
   * were passed on from table to table until nothing changed, which finds less. `none`: too large even for that.
   */
  readonly method: 'exact' | 'bounds' | 'none'
  /** False if no documents would give these releases: noise, or a wrong assumption about partitions. */
  readonly isConsistent: boolean
  readonly withheld: number
  /** Numbers with a single possible value. */
  readonly pinned: readonly PinnedNumber[]
  /** Numbers for which two collections of documents were found that agree in everything released and differ in the number. */
  readonly open: number
}

export interface AttackOptions {
  /** Ends the attack early; numbers not yet decided are then neither pinned nor open. */
  readonly stop?: () => boolean
  /** Further numbers to attack, by release and place; those that the releases withhold by default. */
  readonly targets?: readonly (readonly number[])[]
}

/** With more columns than this the integer program takes too long. */
const MOST_COLUMNS = 4000
/** With more terms than this, bounds are not passed on: about 1 GB. */
const MOST_TERMS = 2e7

/**
 * What a reader of releases of one site can find out about the numbers that they withhold: for each the smallest and the
 * largest value that agree with everything released. Exact up to about 8 concepts; beyond that, bounds only.
 */
export function attackReleases(
  solver: LinearSolver,
  input: AttackInput,
  {stop, targets = input.releases.map(withheldPlaces)}: AttackOptions = {}
): AttackFindings {
  const withheld = targets.reduce((sum, places) => sum + places.length, 0)
  const nothing = {isConsistent: true, withheld, pinned: [], open: 0}
  if (withheld === 0) return {method: 'exact', ...nothing}
  if (patternModelSize(input.releases) <= MOST_COLUMNS) {
    const model = patternModel(input)
    return {method: 'exact', withheld, ...named(input, model, searchValues(solver, model, columnsOf(targets, model), stop))}
  }
  if (tableModelSize(input.releases) > MOST_TERMS) return {method: 'none', ...nothing}
  const model = tableModel(input)
  return {method: 'bounds', withheld, ...named(input, model, passBounds(model, columnsOf(targets, model), stop))}
}

function columnsOf(targets: readonly (readonly number[])[], {numbers}: AttackModel): number[] {
  return targets.flatMap((places, release) => places.map(place => release * numbers + place))
}

/** Columns with a single value. */
interface Search {
  readonly isConsistent: boolean
  readonly pinned: ReadonlyMap<number, number>
  readonly open: number
}

function named({releases}: AttackInput, {numbers}: AttackModel, {pinned, ...found}: Search) {
  return {
    ...found,
    pinned: [...pinned].map(([column, value]) => ({
      release: Math.floor(column / numbers),
      ...attackedVariables(releases[0], column % numbers),
      value
    }))
  }
}

/** Minimises and maximises every column over the integer points; each point found may settle other columns too. */
function searchValues(
  solver: LinearSolver,
  model: AttackModel,
  columns: readonly number[],
  stop: (() => boolean) | undefined
): Search {
  const {lower, upper, rows} = model
  const integer = lower.map((_, column) => column)
  const program = solver.open({costs: new Float64Array(lower.length), lower, upper, integer})
  const pinned = new Map<number, number>()
  const seen = new Map<number, number>()
  const open = new Set<number>()
  const note = (x: Float64Array) => {
    for (const column of columns) {
      const value = Math.round(x[column])
      if ((seen.get(column) ?? value) !== value) open.add(column)
      seen.set(column, value)
    }
  }
  try {
    program.addRows(rows)
    const first = program.solve(stop && {stop})
    if (first.status === 'infeasible') return {isConsistent: false, pinned, open: 0}
    if (first.x.length > 0) note(first.x)
    for (const column of columns) {
      const ends = open.has(column) ? [] : [1, -1].map(sign => endOf(program, column, {sign, stop, note}))
      if (open.has(column) || ends.includes(undefined)) continue
      pinned.set(column, seen.get(column) ?? 0)
    }
  } finally {
    program.dispose()
  }
  return {isConsistent: true, pinned, open: open.size}
}

/** One end of a column, proved; undefined if the search was stopped. */
function endOf(
  program: LinearProgram,
  column: number,
  {sign, stop, note}: {sign: number; stop: (() => boolean) | undefined; note: (x: Float64Array) => void}
): number | undefined {
  const costs = new Float64Array(program.columnCount)
  costs[column] = sign
  program.setCosts(costs)
  const {status, x, bound} = program.solve(stop && {stop})
  if (x.length > 0) note(x)
  // The bound holds up to the solver's tolerances, far less than a whole.
  return status === 'optimal' && x.length > 0 ? sign * Math.round(bound) : undefined
}

/** Tightens bounds row by row until nothing changes. What this pins is pinned; it may miss some. */
function passBounds(model: AttackModel, columns: readonly number[], stop: (() => boolean) | undefined): Search {
  const [lower, upper] = [model.lower.slice(), model.upper.slice()]
  let isConsistent = true
  for (let isChanged = true; isChanged && isConsistent && !stop?.(); ) {
    isChanged = false
    for (const {indices, values, lower: least, upper: most} of model.rows) {
      let [low, high] = [0, 0]
      for (let at = 0; at < indices.length; at++) {
        const isAdded = values[at] > 0
        low += values[at] * (isAdded ? lower : upper)[indices[at]]
        high += values[at] * (isAdded ? upper : lower)[indices[at]]
      }
      // All signs are 1 or -1, so the bounds stay whole.
      const [above, below] = [high - least, most - low]
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
  const pinned = new Map(columns.filter(column => lower[column] === upper[column]).map(column => [column, lower[column]]))
  return {isConsistent, pinned: isConsistent ? pinned : new Map(), open: 0}
}
