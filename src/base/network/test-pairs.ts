import fc from 'fast-check'
import {exp, type Rng, rng} from '../numeric/index.ts'
import {type PairNetwork, pairNetwork} from './pair-network.ts'

export interface PairDraw {
  /** Couplings are uniform between `mean - spread` and `mean + spread`; most pairs attract each other if the mean is above 0. */
  readonly spread?: number
  readonly mean?: number
  /** The share of pairs that are coupled. */
  readonly density?: number
  /** The range of the prevalences. */
  readonly prevalence?: readonly [number, number]
}

/** Draws a pair network, in which the interval of each coupling extends 0.5 to either side. */
export function drawPairs(m: number, seed: number, draw: PairDraw = {}) {
  const {spread = 1, mean = 0, density = 1, prevalence = [0.02, 0.4]} = draw
  const random = rng(seed)
  const couplings: [number, number, number][] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const coupling = mean + spread * (2 * random.next() - 1)
      if (random.next() < density) couplings.push([i, k, coupling])
    }
  return pairsOf(
    Array.from({length: m}, () => prevalence[0] + (prevalence[1] - prevalence[0]) * random.next()),
    couplings
  )
}

/** Returns the network with these prevalences and couplings. */
export function pairsOf(prevalence: readonly number[], pairs: readonly (readonly [number, number, number])[]) {
  const m = prevalence.length
  const couplings = new Float64Array(m * m)
  for (const [i, k, coupling] of pairs) for (const at of [i * m + k, k * m + i]) couplings[at] = coupling
  const bound = (sign: number) =>
    couplings.map((coupling, at) => (at % (m + 1) === 0 ? 1 : Math.exp(coupling + 0.5 * sign)))
  return pairNetwork({prevalence: Float64Array.from(prevalence), couplings, low: bound(-1), high: bound(1)})
}

/** Draws a network with prevalences from 2% to 40%, in which about half of the pairs have a log odds ratio from -1.5 to 2.5. */
export function randomPairs(m: number, random: Rng): PairNetwork {
  const prevalence = Float64Array.from({length: m}, () => 0.02 + 0.38 * random.next())
  const couplings = new Float64Array(m * m)
  for (let i = 0; i < m; i++)
    for (let k = 0; k < i; k++) {
      const coupling = random.next() < 0.5 ? 0 : 4 * random.next() - 1.5
      couplings[i * m + k] = coupling
      couplings[k * m + i] = coupling
    }
  const moved = (by: number) => couplings.map((value, at) => (at % (m + 1) === 0 ? 1 : exp(value + by)))
  return pairNetwork({prevalence, couplings, low: moved(-0.3), high: moved(0.3)})
}

/** Generates pair networks over up to 8 concepts, which are few enough to enumerate. */
export const anyPairs: fc.Arbitrary<PairNetwork> = fc
  .record({m: fc.integer({min: 1, max: 8}), seed: fc.integer(), spread: fc.constantFrom(0, 0.5, 2, 4)})
  .map(({m, seed, spread}) => drawPairs(m, seed, {spread}))

/** Returns exp(sum_i b_i y_i + sum_{i<k} J_ik y_i y_k) for every state; concept i is bit i of the index of the state. */
export function pairWeights({biases, couplings}: PairNetwork): Float64Array {
  const m = biases.length
  const logs = new Float64Array(2 ** m)
  // A state is a smaller state with one more concept, its highest.
  for (let i = 0; i < m; i++)
    for (let rest = 0; rest < 2 ** i; rest++) {
      let value = logs[rest] + biases[i]
      for (let k = 0; k < i; k++) if ((rest >> k) & 1) value += couplings[i * m + k]
      logs[2 ** i + rest] = value
    }
  return logs.map(value => Math.exp(value))
}

/** Returns P(Y_i = 1) of every concept from the weights of all states. */
export function marginalsOf(weights: Float64Array, m: number): Float64Array {
  const present = new Float64Array(m)
  let total = 0
  weights.forEach((weight, state) => {
    total += weight
    for (let i = 0; i < m; i++) if ((state >> i) & 1) present[i] += weight
  })
  return present.map(sum => sum / total)
}
