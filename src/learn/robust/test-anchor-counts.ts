import {type BayesNetwork, forwardSampler, networkTable} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {type Counts, countCorpus} from '../../read/counts/index.ts'
import {textDefaults} from '../../read/data/index.ts'
import type {NoiseRates} from '../noise/index.ts'

export const lexicon = (m: number) => ({
  anchors: Array.from({length: m}, (_, i) => ({concept: `c${i}`, any: [`a${i}`], not: [], rates: undefined})),
  words: [],
  phrases: [],
  reading: textDefaults,
  filter: {minTags: 0, tags: []},
  skipped: []
})

/** Draws documents from a network and counts their anchors, without words. */
export function countsOf(network: BayesNetwork, rates: NoiseRates, documents: number, seed: number): Counts {
  const random = rng(seed)
  const m = network.parents.length
  const draw = forwardSampler(network, random)
  const y = new Uint8Array(m)
  return countCorpus({
    lexicon: lexicon(m),
    documents: Array.from({length: documents}, (_, d) => {
      draw(y)
      const anchors = Array.from(y, (on, i) => ({i, rate: (on ? rates.truePositive : rates.falsePositive)[i]}))
        .filter(({rate}) => random.next() < rate)
        .map(({i}) => i)
      return {key: `${d}`, words: [], anchors, members: anchors, labels: undefined}
    })
  })
}

export function ratesOf(network: BayesNetwork, truePositive: number, falsePositive: number): NoiseRates {
  return {
    truePositive: Float64Array.from(network.parents, () => truePositive),
    falsePositive: Float64Array.from(network.parents, () => falsePositive),
    prevalence: Float64Array.from(network.parents, (_, i) => networkTable(network, [i])[1])
  }
}

export const alone = (m: number, p: number): BayesNetwork => ({
  parents: Array.from({length: m}, () => []),
  cpt: Array.from({length: m}, () => Float64Array.of(p))
})

/** Returns a network of separate pairs, in which the first concept of each is the parent of the second. */
export function coupled(chances: readonly (readonly [number, number, number])[]): BayesNetwork {
  return {
    parents: chances.flatMap((_, k) => [[], [2 * k]]),
    cpt: chances.flatMap(([p, without, withIt]) => [Float64Array.of(p), Float64Array.of(without, withIt)])
  }
}
