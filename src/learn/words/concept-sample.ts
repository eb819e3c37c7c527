import {anchorPairCounts, anchorWordCounts, type Counts, requirePatterns, wordTotals} from '../../read/counts/index.ts'
import type {CorpusDocument} from '../../read/data/index.ts'
import type {CompanyReader} from './company.ts'

/** One concept in a sample of documents; an entry is a document or a fraction of several. */
export interface ConceptSample {
  /** The log-odds from the anchors of the other concepts. */
  readonly others: Float64Array
  /** The sum of the weights of the words. */
  readonly scores: Float64Array
  /** The number of documents the entry represents. */
  readonly weights: Float64Array
  /** 1 where the concept's own anchor fired. */
  readonly fired: Uint8Array
}

/** The samples of all concepts from documents; `scoresOf` may reuse its array. */
export function documentSamples(
  documents: readonly CorpusDocument[],
  m: number,
  company: CompanyReader,
  scoresOf: (document: CorpusDocument, at: number) => Float64Array
): ConceptSample[] {
  const samples = emptySamples(m, documents.length)
  const others = new Float64Array(m)
  documents.forEach((document, d) => {
    company.fromAnchors(document.anchors, undefined, others)
    const scores = scoresOf(document, d)
    for (let i = 0; i < m; i++) {
      samples[i].others[d] = others[i]
      samples[i].scores[d] = scores[i]
      samples[i].weights[d] = 1
    }
    for (const i of document.anchors) samples[i].fired[d] = 1
  })
  return samples
}

/** Three-point Gauss quadrature of a normal distribution: places in standard deviations, and shares. */
const NORMAL_POINTS = [
  {place: -Math.sqrt(3), share: 1 / 6},
  {place: 0, share: 2 / 3},
  {place: Math.sqrt(3), share: 1 / 6}
]

/**
 * The samples of all concepts from counts. The anchors of an anchor pattern are known, and so is the mean score of its
 * documents; scores are taken as normal around it with the variance of independent words: three entries per pattern,
 * exact for a pattern of one document.
 */
export function countSamples(
  counts: Counts,
  company: CompanyReader,
  weights: Float64Array,
  factorOf: (count: number) => number
): ConceptSample[] {
  requirePatterns(counts, 'a sample of documents')
  const m = counts.lexicon.anchors.length
  const samples = emptySamples(m, NORMAL_POINTS.length * counts.patternCount)
  const others = new Float64Array(m)
  const scores = new PatternScores(counts, weights)
  for (let p = 0; p < counts.patternCount; p++) {
    const fired = [...counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1])]
    company.fromAnchors(fired, undefined, others)
    scores.read(p)
    const factor = factorOf(scores.length)
    for (let i = 0; i < m; i++) {
      const deviation = Math.sqrt(scores.variances[i])
      NORMAL_POINTS.forEach(({place, share}, point) => {
        const at = NORMAL_POINTS.length * p + point
        samples[i].others[at] = others[i]
        samples[i].scores[at] = factor * (scores.means[i] + place * deviation)
        samples[i].weights[at] = share * counts.patternDocuments[p]
      })
    }
    for (const i of fired)
      for (let point = 0; point < NORMAL_POINTS.length; point++) samples[i].fired[NORMAL_POINTS.length * p + point] = 1
  }
  return samples
}

/** Mean and variance of the scores of a pattern's documents for every concept; most weights are 0. */
class PatternScores {
  readonly means: Float64Array
  readonly variances: Float64Array
  /** The mean number of words of the documents. */
  length = 0
  readonly #counts: Counts
  /** The weights that are not 0 with their concepts; those of word j begin at `starts[j]`. */
  readonly #starts: Uint32Array
  readonly #concepts: Uint32Array
  readonly #weights: Float64Array

  constructor(counts: Counts, weights: Float64Array) {
    const m = counts.lexicon.anchors.length
    const n = counts.lexicon.words.length
    this.#counts = counts
    this.means = new Float64Array(m)
    this.variances = new Float64Array(m)
    this.#starts = new Uint32Array(n + 1)
    const size = weights.reduce((count, weight) => (weight === 0 ? count : count + 1), 0)
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
    this.means.fill(0)
    this.variances.fill(0)
    this.length = 0
    for (let at = wordStarts[p]; at < wordStarts[p + 1]; at++) {
      const share = wordCounts[at] / patternDocuments[p]
      const spread = share * (1 - share)
      const j = wordIds[at]
      this.length += share
      for (let e = this.#starts[j]; e < this.#starts[j + 1]; e++) {
        const weight = this.#weights[e]
        this.means[this.#concepts[e]] += weight * share
        this.variances[this.#concepts[e]] += weight * weight * spread
      }
    }
  }
}

/**
 * The samples of all concepts from released tables of two anchors or words. Where a concept's own anchor fired, and where
 * it did not, the mean evidence from other anchors and from words is known; both are taken as normal around it with the
 * variance of independent ones: nine entries each. Cost: O(m (m + n)).
 */
export function tableSamples(counts: Counts, company: CompanyReader, weights: Float64Array): ConceptSample[] {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const pairs = anchorPairCounts(counts)
  const withAnchor = anchorWordCounts(counts)
  const totals = wordTotals(counts)
  const silent = logOddsFrom(company, [], m)
  const gains = Array.from({length: m}, (_, k) => logOddsFrom(company, [k], m).map((own, i) => own - silent[i]))
  return Array.from({length: m}, (_, i) => {
    const fired = pairs[i * m + i]
    const strata = [0, 1].map(a => {
      const documents = a === 1 ? fired : counts.documentCount - fired
      const share = (both: number, all: number) => Math.max(0, a === 1 ? both : all - both) / Math.max(1, documents)
      const others = spread(
        m,
        k => share(pairs[i * m + k], pairs[k * m + k]),
        k => gains[k][i]
      )
      const words = spread(
        n,
        j => share(withAnchor[i * n + j], totals[j]),
        j => weights[i * n + j]
      )
      return {documents, others: {...others, mean: others.mean + silent[i]}, words}
    })
    const entries = strata.flatMap(({documents, others, words}, a) =>
      NORMAL_POINTS.flatMap(x =>
        NORMAL_POINTS.map(y => ({
          others: others.mean + x.place * others.deviation,
          scores: words.mean + y.place * words.deviation,
          weights: x.share * y.share * documents,
          fired: a
        }))
      )
    )
    return {
      others: Float64Array.from(entries, entry => entry.others),
      scores: Float64Array.from(entries, entry => entry.scores),
      weights: Float64Array.from(entries, entry => entry.weights),
      fired: Uint8Array.from(entries, entry => entry.fired)
    }
  })
}

function logOddsFrom(company: CompanyReader, fired: readonly number[], m: number): Float64Array {
  const out = new Float64Array(m)
  company.fromAnchors(fired, undefined, out)
  return out
}

/** Mean and standard deviation of a sum of independent weights, each present with its own share. */
function spread(size: number, shareOf: (at: number) => number, weightOf: (at: number) => number) {
  let [mean, variance] = [0, 0]
  for (let at = 0; at < size; at++) {
    const [share, weight] = [shareOf(at), weightOf(at)]
    mean += weight * share
    variance += weight * weight * share * (1 - share)
  }
  return {mean, deviation: Math.sqrt(variance)}
}

function emptySamples(m: number, size: number): ConceptSample[] {
  return Array.from({length: m}, () => ({
    others: new Float64Array(size),
    scores: new Float64Array(size),
    weights: new Float64Array(size),
    fired: new Uint8Array(size)
  }))
}
