import {rng} from '../src/base/numeric/index.ts'
import type {Model} from '../src/learn/model/index.ts'
import {anchorsWithRates} from '../src/learn/model/index.ts'
import {type EstimatedRates, estimateNoise, type NoiseRates} from '../src/learn/noise/index.ts'
import {anchorTable, Counter, type Counts} from '../src/read/counts/index.ts'
import {sampleModel} from '../src/use/synthetic/index.ts'
import {rateSpread} from './moment-errors.ts'

/** Slow twins of the delta method: perturb one kind of document, or one uncertain quantity, at a time. */

export function sampleCounts(model: Model, documents: number): Counts {
  const lexicon = {...model.lexicon, anchors: anchorsWithRates(model)}
  const counter = new Counter({lexicon, labelShare: 0, seed: 0})
  for (const {evidence} of sampleModel(model, documents, rng(1))) counter.add(evidence, '', undefined)
  return counter.finish()
}

/** The sum of n_c (d estimate / d n_c)^2 over the kinds c of documents: patterns, with word j and without it. */
export function samplingVariance(
  counts: Counts,
  j: number | undefined,
  estimate: (sample: Counts) => Float64Array
): Float64Array {
  const before = estimate(counts)
  const variance = new Float64Array(before.length)
  const step = 0.01
  for (let p = 0; p < counts.patternCount; p++) {
    const ids = counts.wordIds.subarray(counts.wordStarts[p], counts.wordStarts[p + 1])
    const place = j === undefined ? -1 : ids.indexOf(j)
    const at = place < 0 ? undefined : counts.wordStarts[p] + place
    const having = at === undefined ? 0 : counts.wordCounts[at]
    for (const [documents, word] of [
      [having, at],
      [counts.patternDocuments[p] - having, undefined]
    ] as const) {
      if (documents === 0) continue
      estimate(moreDocuments(counts, step, p, word)).forEach((value, f) => {
        variance[f] += documents * ((value - before[f]) / step) ** 2
      })
    }
  }
  return variance
}

/** The counts with more documents of a pattern and, if a word index is given, with that word. */
function moreDocuments(counts: Counts, more: number, pattern: number, word?: number): Counts {
  const patternDocuments = counts.patternDocuments.map((n, p) => n + (p === pattern ? more : 0))
  // Parts of a document, which no file has: derivatives need them.
  const parts = Float64Array.from(counts.wordCounts, (n, place) => n + (place === word ? more : 0))
  const wordCounts = parts as unknown as Counts['wordCounts']
  return {...counts, documentCount: counts.documentCount + more, patternDocuments, wordCounts}
}

/** About the true prevalence and precision of every anchor, with a spread. */
export function knownRates(model: Model, counts: Counts): EstimatedRates[] {
  const {prevalence} = estimateNoise(counts, 'given')
  return model.concepts.map(({name, truePositive, falsePositive}, i) => {
    const p = prevalence[i]
    const r = (truePositive * p) / (falsePositive + (truePositive - falsePositive) * p)
    return {
      concept: name,
      prevalence: {value: p, low: p / 1.1, high: p * 1.1},
      precision: {value: r, low: r - 0.05 * (1 - r), high: r + 0.05 * (1 - r)},
      truePositive,
      falsePositive
    }
  })
}

/** Prevalence and precision of every concept. */
export type Parts = readonly {readonly p: number; readonly r: number}[]

export function knownParts(known: readonly EstimatedRates[]): Parts {
  return known.map(({prevalence, precision}) => ({p: prevalence.value, r: precision.value}))
}

/** The rates implied by these and the share of documents where each anchor fires. */
export function ratesOfParts(counts: Counts, parts: Parts): NoiseRates {
  const firing = parts.map((_, i) => anchorTable(counts, [i])[1] / counts.documentCount)
  return {
    ...estimateNoise(counts, 'given'),
    truePositive: Float64Array.from(parts, ({p, r}, i) => (r * firing[i]) / p),
    falsePositive: Float64Array.from(parts, ({p, r}, i) => ((1 - r) * firing[i]) / (1 - p))
  }
}

/** The sum of (d estimate / d part)^2 times the variance of the part, over all uncertain parts. */
export function spreadVariance(
  known: readonly EstimatedRates[],
  estimate: (parts: Parts) => Float64Array
): Float64Array {
  const parts = knownParts(known)
  const variance = new Float64Array(estimate(parts).length)
  known.forEach((concept, z) => {
    const {prevalence, precision} = rateSpread(concept)
    for (const [name, deviation] of [
      ['p', prevalence],
      ['r', precision]
    ] as const) {
      const moved = (by: number) => parts.map((one, i) => (i === z ? {...one, [name]: one[name] + by} : one))
      const [above, below] = [1e-5, -1e-5].map(by => estimate(moved(by)))
      above.forEach((value, f) => {
        variance[f] += (((value - below[f]) / 2e-5) * deviation) ** 2
      })
    }
  })
  return variance
}
