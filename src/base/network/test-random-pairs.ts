import {exp, type Rng} from '../numeric/index.ts'
import {type PairNetwork, pairNetwork} from './pair-network.ts'

/** Prevalences from 2% to 40%; about half of the pairs have a log odds ratio from -1.5 to 2.5, with its interval. */
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
