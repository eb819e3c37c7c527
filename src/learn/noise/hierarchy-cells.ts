import {log} from '../../base/numeric/index.ts'

/** What the labels of one concept say of its parameters: their likelihood, spread over cells of parameter space. */
export interface HierarchyCells {
  /** By parameter, its value in each cell. */
  readonly values: readonly Float64Array[]
  /** Likelihood times the size of each cell, up to a factor. */
  readonly masses: Float64Array
}

/** A parameter of one concept before its labels. */
export interface Prior {
  readonly center: number
  readonly variance: number
}

/** Of one parameter of one concept; u is the precision that makes a normal variable a t variable. */
export interface Moments {
  readonly variance: number
  /** E[u]. */
  readonly precision: number
  /** E[u x]. */
  readonly weighted: number
  /** E[u (x - center)^2]. */
  readonly squared: number
}

/** Degrees of freedom: heavy tails, so that one odd anchor neither widens the spread of all nor is drawn in by them. */
const FREEDOM = 4

/** The probability of each cell. */
export function posterior({values, masses}: HierarchyCells, priors: readonly Prior[]): Float64Array {
  const weights = Float64Array.from(masses)
  priors.forEach(({center, variance}, k) => {
    for (let cell = 0; cell < weights.length; cell++)
      weights[cell] *= density(1 + (values[k][cell] - center) ** 2 / (FREEDOM * variance))
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map(weight => weight / total)
}

/** Moments of all parameters of a concept, and the log-probability of its labels, in one pass. */
export function momentsOf({values, masses}: HierarchyCells, priors: readonly Prior[]) {
  const K = priors.length
  const sums = priors.map(() => new Float64Array(5))
  const [distances, bases] = [new Float64Array(K), new Float64Array(K)]
  let total = 0
  for (let cell = 0; cell < masses.length; cell++) {
    let weight = masses[cell]
    for (let k = 0; k < K; k++) {
      distances[k] = values[k][cell] - priors[k].center
      bases[k] = 1 + (distances[k] * distances[k]) / (FREEDOM * priors[k].variance)
      weight *= density(bases[k])
    }
    total += weight
    for (let k = 0; k < K; k++) {
      const own = sums[k]
      const precise = (weight * (FREEDOM + 1)) / (FREEDOM * bases[k])
      own[0] += weight * distances[k]
      own[1] += weight * distances[k] * distances[k]
      own[2] += precise
      own[3] += precise * distances[k]
      own[4] += precise * distances[k] * distances[k]
    }
  }
  let logEvidence = log(total)
  for (const {variance} of priors) logEvidence -= log(variance) / 2
  const moments = sums.map((own, k): Moments => {
    const [mean, second, precision, shift, squared] = own.map(sum => sum / total)
    const weighted = shift + precision * priors[k].center
    return {variance: second - mean * mean, precision, weighted, squared}
  })
  return {moments, logEvidence}
}

/** A t density up to a factor: a power of -(freedom + 1) / 2 = -2.5. */
function density(base: number): number {
  return 1 / (base * base * Math.sqrt(base))
}
