import {dot} from '../../base/numeric/index.ts'
import type {ConvexObjective} from './problem.ts'

/** A point of the polytope and its share of a mixture. */
export interface WeightedPoint {
  readonly point: Float64Array
  readonly weight: number
}

/** Entries of a vertex below this are 0, and vertices whose entries agree to this are the same one, found by a solver that rounds. */
const SAME = 1e-9

/** The points seen so far, each as its nonzero entries: row a has the columns from `starts[a]` to `starts[a + 1]`, rising. */
export class ActiveSet {
  readonly #starts: number[] = [0]
  #columns = new Int32Array(1024)
  #values = new Float64Array(1024)
  readonly #known = new Map<string, number>()

  get size(): number {
    return this.#starts.length - 1
  }

  /** Adds a point, unless it is already a member; returns its row. */
  add(point: Float64Array): number {
    const columns: number[] = []
    for (let c = 0; c < point.length; c++) if (Math.abs(point[c]) > SAME) columns.push(c)
    const name = columns.map(c => `${c}:${Math.round(point[c] / SAME)}`).join()
    const row = this.#known.get(name) ?? this.size
    if (row < this.size) return row
    this.#known.set(name, row)
    const start = this.#starts[row]
    const end = start + columns.length
    if (end > this.#columns.length) this.#reserve(2 * end)
    columns.forEach((c, n) => {
      this.#columns[start + n] = c
      this.#values[start + n] = point[c]
    })
    this.#starts.push(end)
    return row
  }

  /** Writes the sum of weight times point into x, which may be shorter than the points: then into their first entries. */
  combine(weights: ArrayLike<number>, x: Float64Array): void {
    const [starts, columns, values] = [this.#starts, this.#columns, this.#values]
    x.fill(0)
    for (let a = 0; a + 1 < starts.length; a++) {
      const weight = weights[a]
      if (weight === 0) continue
      for (let at = starts[a]; at < starts[a + 1] && columns[at] < x.length; at++) x[columns[at]] += weight * values[at]
    }
  }

  /** Writes <g, point> of every point; of their first entries where g is shorter. */
  products(g: Float64Array, out: Float64Array): void {
    const [starts, columns, values] = [this.#starts, this.#columns, this.#values]
    for (let a = 0; a + 1 < starts.length; a++) {
      let sum = 0
      for (let at = starts[a]; at < starts[a + 1] && columns[at] < g.length; at++) sum += g[columns[at]] * values[at]
      out[a] = sum
    }
  }

  /** Adds the sum of weight times head times head', `size` x `size`, lower triangle; head are the first entries of a point. */
  addGram(weights: Float64Array, size: number, gram: Float64Array): void {
    const [starts, columns, values] = [this.#starts, this.#columns, this.#values]
    for (let a = 0; a + 1 < starts.length; a++)
      for (let at = starts[a]; at < starts[a + 1] && columns[at] < size; at++)
        for (let other = starts[a]; other <= at; other++)
          gram[columns[at] * size + columns[other]] += weights[a] * values[at] * values[other]
  }

  #reserve(length: number): void {
    const [columns, values] = [new Int32Array(length), new Float64Array(length)]
    columns.set(this.#columns)
    values.set(this.#values)
    this.#columns = columns
    this.#values = values
  }
}

/** A mixture of points of the polytope, weights >= 0 that sum to 1, with the objective and its gradient there. */
export class Mixture {
  readonly points = new ActiveSet()
  readonly x: Float64Array
  readonly gradient: Float64Array
  /** One for each point. */
  weights = new Float64Array(0)
  value = 0
  readonly #objective: ConvexObjective
  readonly #trial: Float64Array
  readonly #slopes: Float64Array

  constructor(objective: ConvexObjective, start: readonly WeightedPoint[]) {
    const [x, gradient, trial, slopes] = Array.from({length: 4}, () => new Float64Array(start[0].point.length))
    this.#objective = objective
    this.x = x
    this.gradient = gradient
    this.#trial = trial
    this.#slopes = slopes
    const weights: number[] = []
    for (const {point, weight} of start) {
      const row = this.points.add(point)
      weights[row] = (weights[row] ?? 0) + weight
    }
    this.setWeights(Float64Array.from(weights))
  }

  /** Sets the weights, scaled to sum to 1, and everything that follows from them. */
  setWeights(weights: Float64Array): void {
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    this.weights = weights.map(weight => weight / total)
    this.points.combine(this.weights, this.x)
    this.value = this.#objective.value(this.x)
    this.#objective.gradient(this.x, this.gradient)
  }

  /**
   * Lines 4 to 6 of Algorithm FW: moves a share of all weight, between `least` and `most`, to those vertices that have a lower
   * product with the gradient than x; several are weighted by how much lower.
   */
  moveTowards(vertices: readonly Float64Array[], {least, most}: {readonly least: number; readonly most: number}): void {
    const here = dot(this.gradient, this.x)
    const gains = vertices.map(vertex => Math.max(0, here - dot(this.gradient, vertex)))
    const total = gains.reduce((sum, gain) => sum + gain, 0)
    if (total === 0) return
    const rows = vertices.map((vertex, n) => (gains[n] > 0 ? this.points.add(vertex) : -1))
    const before = new Float64Array(this.points.size)
    before.set(this.weights)
    const direction = before.map(weight => -weight)
    rows.forEach((row, n) => {
      if (row >= 0) direction[row] += gains[n] / total
    })
    const d = this.x.slice()
    this.points.combine(direction, d) // line 4: d <- s - mu
    const step = Math.max(least, zeroOfSlope(this.slopeAlong(d), most, SLOPE_SHARE)) // line 5: step size
    this.setWeights(before.map((weight, a) => Math.max(0, weight + step * direction[a]))) // line 6: mu <- mu + step d
  }

  /** The slope of the objective at x + step d along d; infinite outside its domain. */
  slopeAlong(d: Float64Array): (step: number) => number {
    const [trial, slopes] = [this.#trial, this.#slopes]
    return step => {
      for (let c = 0; c < d.length; c++) trial[c] = this.x[c] + step * d[c]
      if (!Number.isFinite(this.#objective.value(trial))) return Number.POSITIVE_INFINITY
      this.#objective.gradient(trial, slopes)
      const slope = dot(slopes, d)
      return Number.isNaN(slope) ? Number.POSITIVE_INFINITY : slope
    }
  }

  /** Writes the gradient at a point that is a share of the way from x to a member. */
  gradientTowards(row: number, share: number, gradient: Float64Array): void {
    const direction = new Float64Array(this.points.size)
    direction[row] = share
    this.points.combine(direction, this.#trial)
    for (let c = 0; c < this.x.length; c++) this.#trial[c] += (1 - share) * this.x[c]
    this.#objective.gradient(this.#trial, gradient)
  }
}

/** The line search of Algorithm FW stops when the slope is this share of the first one. */
const SLOPE_SHARE = 1e-4
const TRIALS = 60

/**
 * Finds the step between 0 and `limit` where a rising slope is 0, or `limit` if it stays negative: by false position safeguarded
 * by bisection, to a slope <= 0 whose size is the given share of the first one. It is 0 when no step lowers the objective.
 */
export function zeroOfSlope(slopeAt: (step: number) => number, limit: number, share: number): number {
  const first = slopeAt(0)
  if (!(first < 0)) return 0
  let low = 0
  let high = limit
  let lowSlope = first
  let highSlope = slopeAt(limit)
  if (highSlope <= 0) return limit
  let bisect = highSlope === Number.POSITIVE_INFINITY
  for (let trials = 0; trials < TRIALS; trials++) {
    const width = high - low
    const step = bisect ? low + width / 2 : low + (width * lowSlope) / (lowSlope - highSlope)
    if (!(step > low && step < high)) break
    const here = slopeAt(step)
    if (here <= 0) {
      low = step
      lowSlope = here
      if (here >= share * first) break
    } else {
      high = step
      highSlope = here
    }
    bisect = highSlope === Number.POSITIVE_INFINITY || high - low > width / 2
  }
  return low
}
