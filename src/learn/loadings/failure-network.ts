import {type BayesNetwork, eliminationOrder, forwardSampler, junctionTree} from '../../base/network/index.ts'
import {exp, log, type Rng} from '../../base/numeric/index.ts'
import {forestSums} from './forest-sums.ts'
import {clipFailure} from './loadings.ts'
import {type NetworkSums, tiltedNetwork} from './tilted-network.ts'

/** Draws of P(Y) where it is too wide for a junction tree. */
const SAMPLES = 20_000

/**
 * The network estimator: all failures of a word at once, from its direct ratios and P(Y).
 *
 * The direct estimate of concept i, r_ij = P(x0|y_i = 1) / P(x0|y_i = 0), is f_ij times the effect through the other concepts,
 *   r_i = f_i E[prod_{k != i} f_k^{y_k} | y_i = 1] / E[prod_{k != i} f_k^{y_k} | y_i = 0].
 * That is, the word's absence tilts P(y) to P(y) prod_k f_k^{y_k} / Z, and there the odds of y_i are r_i times its odds
 * in P(Y). These are the maximum-likelihood equations of an exponential family with theta = log f: convex, one solution.
 *
 * Failures are restricted to [1e-3, 1], or others would compensate for one above 1. The result is r_i over the two expectations
 * at that solution: the failure itself or, at a bound, the value beyond it that the others leave to i.
 * `ratios` are r, `i*n + j`, NaN where it does not exist; `fixed` has the failures of concepts estimated by other means.
 * `residual` is the largest relative change of a failure in one more round; `unfinished` words stopped above 1e-10.
 * Cost: 5 to 15 propagations per word, see {@link tiltedNetwork}.
 * Not in the paper, whose Eq. 6 conditions on the whole Markov blanket and needs moments of its order.
 */
export function failureNetwork(
  sums: NetworkSums,
  ratios: Float64Array,
  wordCount: number,
  fixed: ReadonlyMap<number, Float64Array> = new Map()
) {
  const m = sums.conceptCount
  const tilted = tiltedNetwork(sums)
  const failure = new Float64Array(m * wordCount)
  let steps = 0
  let residual = 0
  let unfinished = 0
  for (let j = 0; j < wordCount; j++) {
    for (let i = 0; i < m; i++) {
      const known = fixed.get(i)?.[j]
      const ratio = ratios[i * wordCount + j]
      // Independent concepts are solved from the start.
      tilted.theta[i] = log(known ?? clipFailure(ratio))
      tilted.wanted[i] = known === undefined ? tilted.prior[i] + log(ratio) : Number.NaN
    }
    const found = tilted.solve()
    steps += found.steps
    residual = Math.max(residual, found.residual)
    if (!found.isDone) unfinished++
    for (let i = 0; i < m; i++)
      failure[i * wordCount + j] = fixed.get(i)?.[j] ?? exp(tilted.theta[i] + tilted.ownStep(i))
  }
  return {failure, steps, residual, unfinished}
}

/** How sums over P(Y) are computed. */
export type SumMethod = 'exact' | {readonly samples: number}

/** Sums over P(Y) by two passes over a forest, by a junction tree of at most `treeLimit` cells, or over draws. */
export function networkSums(
  network: BayesNetwork,
  random: Rng,
  {treeLimit, samples = SAMPLES}: {readonly treeLimit: number; readonly samples?: number}
): {readonly sums: NetworkSums; readonly method: SumMethod} {
  const forest = forestSums(network)
  if (forest !== undefined) return {sums: forest, method: 'exact'}
  const tree = eliminationOrder(network).size > treeLimit ? undefined : junctionTree(network)
  if (tree !== undefined) return {sums: tree, method: 'exact'}
  return {sums: sampledSums(network, samples, random), method: {samples}}
}

/**
 * Sums over draws of y in place of P(Y), the same draws for every call, so that problems solved with them stay convex and
 * smooth. Cost: one multiplication per concept that is on and draw.
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
