import {type BayesNetwork, forwardSampler} from '../../base/network/index.ts'
import {log, type Rng} from '../../base/numeric/index.ts'
import type {NetworkSums} from './tilted-network.ts'

/**
 * Sums over P(Y) where it is too wide for a junction tree: draws of y stand for P(Y), the same for every call, so that
 * whatever is solved with them stays convex and smooth. Cost: one multiplication a present concept and draw.
 */
export function sampledSums(network: BayesNetwork, samples: number, random: Rng): NetworkSums {
  const m = network.parents.length
  const draw = forwardSampler(network, random)
  const y = new Uint8Array(m)
  const starts = new Uint32Array(samples + 1)
  const present: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    draw(y)
    for (let i = 0; i < m; i++) if (y[i] === 1) present.push(i)
    starts[sample + 1] = present.length
  }
  const concepts = Uint32Array.from(present)
  const ratio = new Float64Array(m)
  const isRequired = new Uint8Array(m)
  return {
    conceptCount: m,
    propagate(weights, marginals) {
      let absent = 1
      let required = 0
      for (let i = 0; i < m; i++) {
        isRequired[i] = weights[2 * i] === 0 ? 1 : 0
        required += isRequired[i]
        if (weights[2 * i] !== 0) absent *= weights[2 * i]
        ratio[i] = isRequired[i] ? weights[2 * i + 1] : weights[2 * i + 1] / weights[2 * i]
      }
      let total = 0
      marginals.fill(0)
      for (let sample = 0; sample < samples; sample++) {
        let product = absent
        let found = 0
        for (let at = starts[sample]; at < starts[sample + 1]; at++) {
          product *= ratio[concepts[at]]
          found += isRequired[concepts[at]]
        }
        if (found < required) continue
        total += product
        for (let at = starts[sample]; at < starts[sample + 1]; at++) marginals[concepts[at]] += product
      }
      for (let i = 0; i < m; i++) marginals[i] /= total
      return log(total / samples)
    }
  }
}
