import {clamp, dot} from '../../base/numeric/index.ts'

/** L-BFGS remembers this many steps, as is usual. */
const MEMORY = 10
/** The largest number of trials in one line search. */
const TRIAL_LIMIT = 60
/** A step must lower the value by at least this fraction of what the slope alone promises, as is usual. */
const MIN_DECREASE = 1e-4
/** A sum of many terms is rounded, so an increase by less than this fraction of the value does not count as an increase. */
const ROUNDING = 1e-11

/**
 * A convex function of a point that depends on the documents only through `margins`, which are linear in the point. So a line
 * search computes the margins of its direction once, and does not read the documents again for each trial.
 */
export interface MarginObjective {
  readonly start: Float64Array
  /** One over each diagonal entry of the Hessian at the start, approximately; an entry of 0 keeps its coordinate fixed. */
  readonly inverseDiagonal: Float64Array
  margins(point: Float64Array): Float64Array
  /** Returns the value at a point, given its margins, and a function that computes the gradient there. */
  evaluate(point: Float64Array, margins: Float64Array): {readonly value: number; gradient(): Float64Array}
}

export interface Minimum {
  readonly point: Float64Array
  readonly margins: Float64Array
  readonly steps: number
  /** 'stalled' means that rounding prevents further progress although the gradient exceeds the tolerance. */
  readonly status: 'optimal' | 'step-limit' | 'stalled'
}

/** Minimises a convex function by L-BFGS until every partial derivative is at most `tolerance` in absolute value. */
export function minimise(objective: MarginObjective, tolerance: number, stepLimit: number): Minimum {
  const at = (point: Float64Array, margins: Float64Array) => ({point, margins, ...objective.evaluate(point, margins)})
  let current = at(objective.start, objective.margins(objective.start))
  let gradient = current.gradient()
  const pairs: CurvaturePair[] = []
  let steps = 0
  const finish = (status: Minimum['status']) => ({point: current.point, margins: current.margins, steps, status})
  for (; gradient.some(slope => Math.abs(slope) > tolerance); steps++) {
    if (steps === stepLimit) return finish('step-limit')
    const {point, margins, value} = current
    const direction = descentDirection(gradient, pairs, objective.inverseDiagonal)
    const changes = objective.margins(direction)
    const found = searchLine(value, dot(gradient, direction), t =>
      at(addScaled(point.slice(), direction, t), addScaled(margins.slice(), changes, t))
    )
    if (found === undefined) return finish('stalled')
    const next = found.gradient()
    const [step, change] = [addScaled(found.point.slice(), point, -1), addScaled(next.slice(), gradient, -1)]
    pairs.push({step, change, product: dot(step, change)})
    if (pairs.length > MEMORY) pairs.shift()
    current = found
    gradient = next
  }
  return finish('optimal')
}

/** A step of L-BFGS, the change of the gradient from its start to its end, and their scalar product, which is above 0. */
interface CurvaturePair {
  readonly step: Float64Array
  readonly change: Float64Array
  readonly product: number
}

/**
 * Returns -(approximate H^-1) gradient by the two-loop recursion of L-BFGS over the last steps, oldest first (Nocedal and
 * Wright, Algorithm 7.4). The recursion starts from `inverseDiagonal` times a factor that fits the last pair. A multiple
 * of the identity would ignore that word frequencies differ by a factor of a thousand. Cost: four passes over the vector per pair.
 */
function descentDirection(
  gradient: Float64Array,
  pairs: readonly CurvaturePair[],
  inverseDiagonal: Float64Array
): Float64Array {
  const out = gradient.map(slope => -slope)
  const alphas = new Float64Array(pairs.length)
  for (let k = pairs.length - 1; k >= 0; k--) {
    const {step, change, product} = pairs[k]
    alphas[k] = dot(step, out) / product
    addScaled(out, change, -alphas[k])
  }
  const last = pairs.at(-1)
  const square = last?.change.reduce((total, value, e) => total + value * value * inverseDiagonal[e], 0) ?? 1
  const scale = (last?.product ?? 1) / square
  for (let e = 0; e < out.length; e++) out[e] *= scale * inverseDiagonal[e]
  for (const [k, {step, change, product}] of pairs.entries())
    addScaled(out, step, alphas[k] - dot(change, out) / product)
  return out
}

/** Adds `factor * v` to x in place, and returns x. */
function addScaled(x: Float64Array, v: Float64Array, factor: number): Float64Array {
  for (let e = 0; e < x.length; e++) x[e] += factor * v[e]
  return x
}

/**
 * Finds a step t along a convex function with this value and slope at t = 0. It tries t = 1 first and shortens the step until
 * Armijo's condition holds: the next t, limited to [t/10, t/2], minimises the parabola with this value and slope at 0 and the
 * found value at t. Returns undefined when rounding prevents any decrease.
 */
function searchLine<T extends {readonly value: number}>(value: number, slope: number, at: (t: number) => T) {
  if (!(slope < 0)) return undefined
  const ceiling = value + ROUNDING * Math.abs(value)
  for (let t = 1, trials = 0; trials < TRIAL_LIMIT; trials++) {
    const found = at(t)
    const rise = found.value - ceiling
    if (rise <= MIN_DECREASE * t * slope) return found
    t *= clamp((-t * slope) / (2 * (rise - t * slope)), 0.1, 0.5)
  }
  return undefined
}
