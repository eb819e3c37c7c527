import {exp, log} from '../../base/numeric/index.ts'
import {
  type FittedParameter,
  type HierarchyCells,
  type HierarchyParameter,
  type Moments,
  maximize,
  momentsOf,
  type Prior,
  posterior,
  predictionVariances
} from './hierarchy-steps.ts'

export interface Hierarchy {
  /** By concept, the posterior probability of each of its cells. */
  readonly posteriors: readonly Float64Array[]
  readonly parameters: readonly FittedParameter[]
  readonly rounds: number
  readonly status: 'converged' | 'round-limit'
}

const ROUND_LIMIT = 200
/**
 * Spreads of the first parameter, as multiples of the prior one. Each starts from the last; the smallest come last, since
 * EM is slow where concepts are nearly alike.
 */
const SPREAD_FACTORS = [2.5, 1.6, 1, 0.63, 0.4]
/** Of the change of a coefficient or a spread in one round: a hundredth of their uncertainty. */
const TOLERANCE = 1e-3

/**
 * A hierarchical model of parameters of many concepts: a parameter is its linear function plus the spread times a Student
 * t variable of 4 degrees of freedom. Sums over cells approximate integrals over the parameters of a concept; a sum over
 * spreads, weighted by the probability of the labels, the integral over the spread of the first parameter: few labels
 * leave it uncertain by a factor of two, which intervals must reflect. Coefficients and other spreads are fitted by EM
 * (a t variable is a normal one of random precision); the uncertainty of coefficients widens each prior.
 *
 * Cost: some tens of rounds over all cells.
 */
export function fitHierarchy(
  concepts: readonly HierarchyCells[],
  parameters: readonly HierarchyParameter[]
): Hierarchy {
  const [first] = parameters
  const climbs: Climb[] = []
  let start = parameters.map(
    ({priorMean, priorSpread}): FittedParameter => ({
      coefficients: Float64Array.from(priorMean),
      spread: priorSpread
    })
  )
  for (const factor of SPREAD_FACTORS) {
    const climb = climbToTop(concepts, parameters, [
      {...start[0], spread: factor * first.priorSpread},
      ...start.slice(1)
    ])
    climbs.push(climb)
    start = climb.fitted
  }
  const best = climbs.reduce((a, b) => (b.logEvidence > a.logEvidence ? b : a))
  const chances = climbs.map(({logEvidence}) => exp(logEvidence - best.logEvidence))
  return {
    posteriors: mixedPosteriors(concepts, parameters, climbs, chances),
    parameters: best.fitted,
    rounds: climbs.reduce((sum, {rounds}) => sum + rounds, 0),
    status: climbs.every(({isDone}) => isDone) ? 'converged' : 'round-limit'
  }
}

interface Climb {
  readonly fitted: FittedParameter[]
  readonly moments: readonly (readonly Moments[])[]
  readonly logEvidence: number
  readonly rounds: number
  readonly isDone: boolean
}

/** EM from `start`; the spread of the first parameter is fixed. */
function climbToTop(
  concepts: readonly HierarchyCells[],
  parameters: readonly HierarchyParameter[],
  start: FittedParameter[]
): Climb {
  let fitted = start
  for (let rounds = 1; ; rounds++) {
    const priors = priorsOf(parameters, fitted, concepts.length)
    let logEvidence = parameters.reduce((sum, parameter, k) => sum + logPrior(parameter, fitted[k]), 0)
    const moments = concepts.map((cells, i) => {
      const found = momentsOf(cells, priors[i])
      logEvidence += found.logEvidence
      return found.moments
    })
    const next = parameters.map((parameter, k) => {
      const own = moments.map(all => all[k])
      const better = maximize(parameter, own, fitted[k].spread)
      return k === 0 ? {...better, spread: fitted[k].spread} : better
    })
    const isDone = next.every((now, k) => largestChange(fitted[k], now) <= TOLERANCE)
    if (isDone || rounds === ROUND_LIMIT) return {fitted, moments, logEvidence, rounds, isDone}
    fitted = next
  }
}

/** Of the coefficients, and of the log of the spread (a scaled inverse chi-square), up to a constant. */
function logPrior(parameter: HierarchyParameter, {coefficients, spread}: FittedParameter): number {
  const {priorMean, priorDeviation, priorSpread, spreadWeight} = parameter
  const sum = spreadWeight * (-log(spread) - priorSpread ** 2 / (2 * spread ** 2))
  return coefficients.reduce((total, x, h) => total - ((x - priorMean[h]) / priorDeviation[h]) ** 2 / 2, sum)
}

/** The posteriors averaged over the spreads by their probability. */
function mixedPosteriors(
  concepts: readonly HierarchyCells[],
  parameters: readonly HierarchyParameter[],
  climbs: readonly Climb[],
  chances: readonly number[]
): Float64Array[] {
  const total = chances.reduce((sum, chance) => sum + chance, 0)
  const mixed = concepts.map(({masses}) => new Float64Array(masses.length))
  climbs.forEach(({fitted, moments}, at) => {
    const priors = widened(parameters, fitted, moments)
    concepts.forEach((cells, i) => {
      const weights = posterior(cells, priors[i])
      for (let cell = 0; cell < weights.length; cell++) mixed[i][cell] += (chances[at] / total) * weights[cell]
    })
  })
  return mixed
}

/** The priors of all concepts, widened by the uncertainty of the coefficients. */
function widened(
  parameters: readonly HierarchyParameter[],
  fitted: readonly FittedParameter[],
  moments: Climb['moments']
): Prior[][] {
  const extra = parameters.map((parameter, k) =>
    predictionVariances(
      parameter,
      moments.map(all => all[k]),
      fitted[k].spread
    )
  )
  return priorsOf(parameters, fitted, moments.length).map((priors, i) =>
    priors.map(({center, variance}, k) => ({center, variance: variance + extra[k][i]}))
  )
}

function priorsOf(parameters: readonly HierarchyParameter[], fitted: readonly FittedParameter[], m: number): Prior[][] {
  return Array.from({length: m}, (_, i) =>
    parameters.map(({predictors}, k) => ({
      center: predictors[i].reduce((sum, x, h) => sum + x * fitted[k].coefficients[h], 0),
      variance: fitted[k].spread ** 2
    }))
  )
}

function largestChange(before: FittedParameter, now: FittedParameter): number {
  return now.coefficients.reduce(
    (largest, coefficient, h) => Math.max(largest, Math.abs(coefficient - before.coefficients[h])),
    Math.abs(now.spread - before.spread)
  )
}
