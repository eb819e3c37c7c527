import {AdfaError} from '../../base/checks/index.ts'
import {type Counts, requireOrder} from '../../read/counts/index.ts'
import {type ConceptRates, type NoiseRates, rateSpread} from '../noise/index.ts'

/**
 * The inverse of an anchor's noise, for standard errors by the delta method.
 *
 * E[w(A)|Y] = Y for w(A) = (A - e) / (t - e), so that moments of Y are means of products of w over documents: linear in the
 * documents, without a polytope or a shrinkage. If e and d = t - e change by e' and d', w changes by -(e'/d) - (d'/d) w.
 */
export interface InverseChannel {
  /** w of an anchor that does not fire, and of one that does. */
  readonly weights: readonly [number, number]
  /** By one standard deviation of each thing that is not known exactly. */
  readonly uncertain: readonly ChannelSlope[]
  /** By the share of documents where the anchor fires, which rates that follow from prevalence and precision go with. */
  readonly byFiring: ChannelSlope
}

export interface ChannelSlope {
  /** e'/d. */
  readonly offset: number
  /** d'/d. */
  readonly scale: number
}

/**
 * Rates are taken as exact unless it is said what is `known` of the anchor. Then t = r a / p and e = (1 - r) a / (1 - p), with
 * a = P(A) and the spread of p and r that their intervals have; rates held at a limit are treated as if they were not.
 * One-sided rates have no precision: say that it is 1.
 */
export function inverseChannel(noise: NoiseRates, i: number, known?: ConceptRates): InverseChannel {
  const t = noise.truePositive[i]
  const e = noise.falsePositive[i]
  const d = t - e
  const weights = [-e / d, (1 - e) / d] as const
  if (known === undefined) return {weights, uncertain: [], byFiring: {offset: 0, scale: 0}}
  const p = noise.prevalence[i]
  const a = e + d * p
  const spread = rateSpread(known)
  const slope = (dt: number, de: number, deviation: number): ChannelSlope => ({
    offset: (de / d) * deviation,
    scale: ((dt - de) / d) * deviation
  })
  return {
    weights,
    uncertain: [slope(-t / p, e / (1 - p), spread.prevalence), slope(a / p, -a / (1 - p), spread.precision)],
    byFiring: slope(t / a, e / a, 1)
  }
}

/** The documents by which of a few anchors fire in them: only the cells that occur. */
export interface AnchorCells {
  readonly concepts: readonly number[]
  readonly channels: readonly InverseChannel[]
  readonly sampleCount: number
  readonly wordCount: number
  /** Of cell c. */
  readonly documents: Float64Array
  /** Whether the anchor of `concepts[z]` fires: `c * concepts.length + z`. */
  readonly fired: Uint8Array
  /** Documents of cell c with word j: `c * wordCount + j`. */
  readonly words: Float64Array
}

/** `known`, if given, holds what is known of every concept, in their order. Cost: a pass over the words of the patterns. */
export function anchorCells(
  counts: Counts,
  noise: NoiseRates,
  concepts: readonly number[],
  known?: readonly ConceptRates[]
): AnchorCells {
  requireOrder(counts, concepts.length + 1, 'a standard error')
  const {conceptStarts, wordStarts, wordIds, wordCounts} = counts
  const wordCount = counts.lexicon.words.length
  const place = new Map(concepts.map((concept, z) => [concept, z]))
  if (place.size !== concepts.length || concepts.some(i => counts.lexicon.anchors[i] === undefined))
    throw new AdfaError('bad-option', `anchor cells are over different concepts of the counts; got ${concepts}`)
  const numbers = new Map<string, number>()
  const cellOf = Uint32Array.from({length: counts.patternCount}, (_, pattern) => {
    const key = Array.from(counts.concepts.subarray(conceptStarts[pattern], conceptStarts[pattern + 1]))
      .flatMap(i => place.get(i) ?? [])
      .join()
    const found = numbers.get(key) ?? numbers.size
    numbers.set(key, found)
    return found
  })
  const documents = new Float64Array(numbers.size)
  const words = new Float64Array(numbers.size * wordCount)
  cellOf.forEach((cell, pattern) => {
    documents[cell] += counts.patternDocuments[pattern]
    for (let at = wordStarts[pattern]; at < wordStarts[pattern + 1]; at++)
      words[cell * wordCount + wordIds[at]] += wordCounts[at]
  })
  const fired = new Uint8Array(numbers.size * concepts.length)
  for (const [key, cell] of numbers)
    if (key !== '') for (const z of key.split(',')) fired[cell * concepts.length + Number(z)] = 1
  return {
    concepts,
    channels: concepts.map(i => inverseChannel(noise, i, known?.[i])),
    sampleCount: counts.documentCount,
    wordCount,
    documents,
    fired,
    words
  }
}
