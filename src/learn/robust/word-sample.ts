import {directedNetwork, forwardSampler, type Network} from '../../base/network/index.ts'
import {log, type Rng, rng} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, requirePatterns, wordTotals} from '../../read/counts/index.ts'
import {type Corpus, exclusiveGroups, type Lexicon} from '../../read/data/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {memberShares, type WordScale} from './word-weights.ts'

/** Documents, with the words and the anchor of every concept; document d, concept i at `d*m + i`. */
export interface WordSample {
  readonly documents: number
  /** The sum of the weights of the words. */
  readonly scores: Float64Array
  /** 1 where the anchor fired. */
  readonly fired: Uint8Array
  /** Undefined where every anchor has one member and excludes no other, or where members are not known. */
  readonly members?: SampleMembers | undefined
}

interface SampleMembers {
  /** The concept of each member. */
  readonly concepts: readonly number[]
  /** Of each concept: {@link memberShares}. */
  readonly shares: readonly number[]
  /** The members that fired in each document. */
  readonly fired: readonly (readonly number[])[]
}

/** The members of a sample; `ofDocument` is called only where some anchor has several. */
function sampleMembers(
  {anchors, text}: Pick<Lexicon, 'anchors' | 'text'>,
  documents: number,
  ofDocument: (d: number) => readonly number[]
): SampleMembers | undefined {
  if (anchors.every(({any}) => any.length === 1) && exclusiveGroups(anchors).length === 0) return undefined
  return {
    concepts: anchors.flatMap(({any}, i) => any.map(() => i)),
    shares: memberShares({anchors, text}),
    fired: Array.from({length: documents}, (_, d) => ofDocument(d))
  }
}

/** More would hardly move a constant. */
const SAMPLE_SIZE = 8000

/** Documents with their scores, document d, concept i at `d*m + i`. */
export function documentSample({lexicon, documents}: Corpus, scores: Float64Array): WordSample {
  const m = lexicon.anchors.length
  const fired = new Uint8Array(documents.length * m)
  documents.forEach(({anchors}, d) => {
    for (const i of anchors) fired[d * m + i] = 1
  })
  const members = sampleMembers(lexicon, documents.length, d => documents[d].members)
  return {documents: documents.length, scores, fired, members}
}

/**
 * Documents drawn from counts. The anchors of a pattern are known, and so is the mean score of its documents; scores are
 * drawn from a normal distribution around it with the variance of independent words: exact for a pattern of one document.
 * Draws are spread evenly over the documents in the order of their patterns. Cost: O(sample m words).
 */
export function countSample(counts: Counts, weights: Float64Array, scale: WordScale, seed: number): WordSample {
  requirePatterns(counts, 'a sample of documents')
  const m = counts.lexicon.anchors.length
  const size = Math.min(SAMPLE_SIZE, counts.documentCount)
  const sample = emptySample(size, m)
  const scores = new PatternScores(counts, weights, scale)
  const {means, variances} = scores
  const normal = normalDraws(rng(seed).stream('sample of documents'))
  const patterns = new Uint32Array(size)
  let pattern = -1
  let end = 0
  let factor = 1
  for (let d = 0; d < size; d++) {
    const place = ((d + 0.5) * counts.documentCount) / size
    if (place >= end) {
      while (place >= end) end += counts.patternDocuments[++pattern]
      scores.read(pattern)
      factor = scores.factor
    }
    patterns[d] = pattern
    for (let i = 0, at = d * m; i < m; i++, at++) {
      const deviation = variances[i] > 0 ? Math.sqrt(variances[i]) * normal() : 0
      sample.scores[at] = factor * (means[i] + deviation)
    }
    for (let at = counts.conceptStarts[pattern]; at < counts.conceptStarts[pattern + 1]; at++)
      sample.fired[d * m + counts.concepts[at]] = 1
  }
  const {members, memberStarts} = counts
  const firedIn = (p: number) => [...members.subarray(memberStarts[p], memberStarts[p + 1])]
  return {...sample, members: sampleMembers(counts.lexicon, size, d => firedIn(patterns[d]))}
}

/** Draws from the standard normal distribution; two cost one logarithm (Marsaglia). */
function normalDraws(random: Rng): () => number {
  let other = Number.NaN
  return () => {
    if (!Number.isNaN(other)) {
      const drawn = other
      other = Number.NaN
      return drawn
    }
    for (;;) {
      const x = 2 * random.next() - 1
      const y = 2 * random.next() - 1
      const s = x * x + y * y
      if (!(s > 0 && s < 1)) continue
      const length = Math.sqrt((-2 * log(s)) / s)
      other = y * length
      return x * length
    }
  }
}

/** Mean and variance of the scores of a pattern's documents for every concept; most weights are 0. */
class PatternScores {
  readonly means: Float64Array
  readonly variances: Float64Array
  /** {@link documentScale} at the mean of the squared lengths of the documents. */
  factor = 1
  readonly #scale: WordScale
  readonly #counts: Counts
  /** The weights that are not 0 with their concepts; those of word j begin at `starts[j]`. */
  readonly #starts: Uint32Array
  readonly #concepts: Uint32Array
  readonly #weights: Float64Array

  constructor(counts: Counts, weights: Float64Array, scale: WordScale) {
    this.#scale = scale
    const m = counts.lexicon.anchors.length
    const n = counts.lexicon.words.length
    this.#counts = counts
    this.means = new Float64Array(m)
    this.variances = new Float64Array(m)
    this.#starts = new Uint32Array(n + 1)
    let size = 0
    for (let at = 0; at < weights.length; at++) if (weights[at] !== 0) size++
    this.#concepts = new Uint32Array(size)
    this.#weights = new Float64Array(size)
    let next = 0
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < m; i++) {
        const weight = weights[i * n + j]
        if (weight === 0) continue
        this.#concepts[next] = i
        this.#weights[next++] = weight
      }
      this.#starts[j + 1] = next
    }
  }

  read(p: number): void {
    const {wordStarts, wordIds, wordCounts, patternDocuments} = this.#counts
    const [means, variances] = [this.means.fill(0), this.variances.fill(0)]
    const [starts, concepts, weights] = [this.#starts, this.#concepts, this.#weights]
    const {idf, typical} = this.#scale
    let squares = 0
    for (let at = wordStarts[p]; at < wordStarts[p + 1]; at++) {
      const share = wordCounts[at] / patternDocuments[p]
      const j = wordIds[at]
      squares += share * idf[j] ** 2
      for (let e = starts[j], end = starts[j + 1]; e < end; e++) {
        const part = weights[e] * share
        means[concepts[e]] += part
        variances[concepts[e]] += part * weights[e] * (1 - share)
      }
    }
    this.factor = squares > 0 ? typical / Math.sqrt(squares) : 1
  }
}

/**
 * Documents drawn from released tables of two anchors or words: concepts from the network, anchors from the rates, and
 * each score from a normal distribution with the mean where the concept's own anchor fired, or did not, and the variance
 * of independent words. Cost: O(m (sample + n)).
 */
export function tableSample(
  counts: Counts,
  {truePositive, falsePositive}: NoiseRates,
  network: Network,
  weights: Float64Array,
  seed: number
): WordSample {
  const m = counts.lexicon.anchors.length
  const size = Math.min(SAMPLE_SIZE, Math.ceil(counts.documentCount))
  const random = rng(seed).stream('sample of documents')
  const normal = normalDraws(random)
  const sample = emptySample(size, m)
  const draw = forwardSampler(directedNetwork(network), random)
  const spreads = tableSpreads(counts, weights)
  const y = new Uint8Array(m)
  for (let d = 0; d < size; d++) {
    draw(y)
    for (let i = 0; i < m; i++) {
      const at = d * m + i
      sample.fired[at] = random.next() < (y[i] ? truePositive[i] : falsePositive[i]) ? 1 : 0
      const {mean, deviation} = spreads[i][sample.fired[at]]
      sample.scores[at] = mean + deviation * normal()
    }
  }
  return sample
}

/** Mean and standard deviation of the score of each concept where its anchor did not fire, and where it did. */
function tableSpreads(counts: Counts, weights: Float64Array) {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const pairs = anchorPairCounts(counts)
  const withAnchor = anchorWordCounts(counts)
  const totals = wordTotals(counts)
  return Array.from({length: m}, (_, i) => {
    const fired = pairs[i * m + i]
    return [0, 1].map(a => {
      const documents = Math.max(1, a === 1 ? fired : counts.documentCount - fired)
      let [mean, variance] = [0, 0]
      for (let j = 0; j < n; j++) {
        const both = withAnchor[i * n + j]
        const share = Math.min(1, Math.max(0, a === 1 ? both : totals[j] - both) / documents)
        mean += weights[i * n + j] * share
        variance += weights[i * n + j] ** 2 * share * (1 - share)
      }
      return {mean, deviation: Math.sqrt(variance)}
    })
  })
}

function emptySample(documents: number, m: number): WordSample {
  return {documents, scores: new Float64Array(documents * m), fired: new Uint8Array(documents * m)}
}
