import {observe} from '../../../test/tables.ts'
import type {BayesNetwork, ConceptTables} from '../../base/network/index.ts'
import {networkTable} from '../../base/network/index.ts'
import type {Rng} from '../../base/numeric/index.ts'
import {recoverObservedTable} from '../moments/index.ts'
import type {Rates} from '../noise/index.ts'

/** An anchor that is far from perfect: P(A=1|Y=1) from 0.3 to 0.9, P(A=1|Y=0) from 0.001 to 0.05. */
export function noisyRates(random: Rng): Rates {
  return {truePositive: 0.3 + 0.6 * random.next(), falsePositive: 0.001 + 0.049 * random.next()}
}

/** How many of `sampleCount` documents fall into each cell. */
export function drawTable(shares: readonly number[], sampleCount: number, random: Rng): Float64Array {
  const upTo = new Float64Array(shares.length)
  shares.forEach((share, cell) => {
    upTo[cell] = share + (cell > 0 ? upTo[cell - 1] : 0)
  })
  const counts = new Float64Array(shares.length)
  for (let n = 0; n < sampleCount; n++) {
    const point = random.next() * upTo[shares.length - 1]
    let low = 0
    for (let high = shares.length - 1; low < high; ) {
      const middle = (low + high) >> 1
      if (upTo[middle] > point) high = middle
      else low = middle + 1
    }
    counts[low]++
  }
  return counts
}

/** The recovered table of all the variables of a table of anchors. */
export function recovered(counts: ArrayLike<number>, rates: readonly Rates[]): Float64Array {
  const noise = {
    truePositive: Float64Array.from(rates, each => each.truePositive),
    falsePositive: Float64Array.from(rates, each => each.falsePositive),
    prevalence: Float64Array.from(rates, () => 0.5),
    certificate: {method: 'given' as const, labelledCount: 0, clippedPrevalence: []}
  }
  return recoverObservedTable(counts, noise, [...rates.keys()], {shrinkage: 0}).mu
}

/** The tables of the hidden concepts as they are recovered from anchors of so many documents. */
export function anchoredTables(
  network: BayesNetwork,
  rates: readonly Rates[],
  sampleCount: number,
  random: Rng
): ConceptTables {
  const m = network.parents.length
  const all = networkTable(
    network,
    network.parents.map((_, i) => i)
  )
  const documents = drawTable(observe(rates, all), sampleCount, random)
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

/** Noisy-or tables on a graph: every parent counts, so that the independences of P(Y) are those of the graph. */
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
