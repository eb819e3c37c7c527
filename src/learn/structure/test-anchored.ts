import {type BayesNetwork, type ConceptTables, forwardSampler} from '../../base/network/index.ts'
import type {Rng} from '../../base/numeric/index.ts'
import {recoverObservedTable} from '../moments/index.ts'
import type {Rates} from '../noise/index.ts'

/** Draws the rates of a noisy anchor: P(A=1|Y=1) from 0.3 to 0.9, P(A=1|Y=0) from 0.001 to 0.05. */
export function noisyRates(random: Rng): Rates {
  return {truePositive: 0.3 + 0.6 * random.next(), falsePositive: 0.001 + 0.049 * random.next()}
}

/** Recovers the table of the concepts from a table of counts of their anchors. */
function recovered(counts: ArrayLike<number>, rates: readonly Rates[]): Float64Array {
  const noise = {
    truePositive: Float64Array.from(rates, each => each.truePositive),
    falsePositive: Float64Array.from(rates, each => each.falsePositive),
    prevalence: Float64Array.from(rates, () => 0.5),
    certificate: {method: 'given' as const, labelledCount: 0, clippedPrevalence: []}
  }
  return recoverObservedTable(counts, noise, [...rates.keys()], {shrinkage: 0}).mu
}

/** Draws `sampleCount` documents and returns the tables of the hidden concepts that are recovered from their anchors. */
export function anchoredTables(
  network: BayesNetwork,
  rates: readonly Rates[],
  sampleCount: number,
  random: Rng
): ConceptTables {
  const m = network.parents.length
  const draw = forwardSampler(network, random)
  const y = new Uint8Array(m)
  const documents = new Float64Array(2 ** m)
  for (let n = 0; n < sampleCount; n++) {
    draw(y)
    const fires = rates.map(({truePositive, falsePositive}, i) => random.next() < (y[i] ? truePositive : falsePositive))
    documents[fires.reduce((pattern, on) => 2 * pattern + Number(on), 0)]++
  }
  const kept = new Map<string, Float64Array>()
  return concepts => {
    const key = concepts.join()
    const old = kept.get(key)
    if (old !== undefined) return old
    const counts = new Float64Array(2 ** concepts.length)
    documents.forEach((count, pattern) => {
      counts[concepts.reduce((cell, i) => 2 * cell + ((pattern >> (m - 1 - i)) & 1), 0)] += count
    })
    const table = recovered(
      counts,
      concepts.map(i => rates[i])
    )
    kept.set(key, table)
    return table
  }
}

/** Draws noisy-or tables for a graph. Every parent has an effect, so that P(Y) has no independence that the graph does not imply. */
export function noisyOrNetwork(parents: readonly (readonly number[])[], random: Rng): BayesNetwork {
  const cpt = parents.map(list => {
    const leak = 0.05 + 0.15 * random.next()
    const strengths = list.map(() => 0.3 + 0.5 * random.next())
    return Float64Array.from({length: 2 ** list.length}, (_, s) =>
      strengths.reduce(
        (p, strength, at) => ((s >> (list.length - 1 - at)) & 1 ? 1 - (1 - p) * (1 - strength) : p),
        leak
      )
    )
  })
  return {parents, cpt}
}
