import type {Counts} from '../counts/index.ts'
import type {CorpusDocument} from '../data/index.ts'
import type {CompanyReader} from './company.ts'

/** What is known of one concept in a sample of documents, one entry a document or a share of some. */
export interface ConceptSample {
  /** The log-odds from the anchors of the other concepts. */
  readonly others: Float64Array
  /** The sum of the weights of the words. */
  readonly scores: Float64Array
  /** How many documents the entry stands for. */
  readonly weights: Float64Array
  /** 1 where the concept's own anchor fired. */
  readonly fired: Uint8Array
}

/** The samples of all concepts from documents; `scoresOf` may lend the same array each time. */
export function documentSamples(
  documents: readonly CorpusDocument[],
  m: number,
  company: CompanyReader,
  scoresOf: (document: CorpusDocument, at: number) => Float64Array
): ConceptSample[] {
  const samples = emptySamples(m, documents.length)
  const others = new Float64Array(m)
  documents.forEach((document, d) => {
    company.fromAnchors(document.evidence.anchors, undefined, others)
    const scores = scoresOf(document, d)
    for (let i = 0; i < m; i++) {
      samples[i].others[d] = others[i]
      samples[i].scores[d] = scores[i]
      samples[i].weights[d] = 1
    }
    for (const i of document.evidence.anchors) samples[i].fired[d] = 1
  })
  return samples
}

/** Gauss's three points for a normal distribution: places in standard deviations, and shares. */
const POINTS = [
  {place: -Math.sqrt(3), share: 1 / 6},
  {place: 0, share: 2 / 3},
  {place: Math.sqrt(3), share: 1 / 6}
]

/**
 * The samples of all concepts from counts alone. The anchors of a pattern are known exactly, and so is the mean of its
 * documents' scores; the scores are taken for normal around it, with the variance that independent words would have:
 * three entries a pattern, exact for a pattern of one document.
 */
export function countSamples(
  counts: Counts,
  company: CompanyReader,
  weights: Float64Array,
  factorOf: (count: number) => number
): ConceptSample[] {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const samples = emptySamples(m, POINTS.length * counts.patternCount)
  const others = new Float64Array(m)
  for (let p = 0; p < counts.patternCount; p++) {
    const fired = [...counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1])]
    company.fromAnchors(fired, undefined, others)
    const factor = factorOf(patternLength(counts, p))
    for (let i = 0; i < m; i++) {
      const {mean, variance} = patternScore(counts, p, weights.subarray(i * n, (i + 1) * n))
      POINTS.forEach(({place, share}, point) => {
        const at = POINTS.length * p + point
        samples[i].others[at] = others[i]
        samples[i].scores[at] = factor * (mean + place * Math.sqrt(variance))
        samples[i].weights[at] = share * counts.patternDocuments[p]
        samples[i].fired[at] = fired.includes(i) ? 1 : 0
      })
    }
  }
  return samples
}

/** The mean number of words of a pattern's documents. */
function patternLength({wordStarts, wordCounts, patternDocuments}: Counts, p: number): number {
  let words = 0
  for (let at = wordStarts[p]; at < wordStarts[p + 1]; at++) words += wordCounts[at]
  return words / patternDocuments[p]
}

function patternScore(counts: Counts, p: number, weights: Float64Array): {mean: number; variance: number} {
  let mean = 0
  let variance = 0
  for (let at = counts.wordStarts[p]; at < counts.wordStarts[p + 1]; at++) {
    const share = counts.wordCounts[at] / counts.patternDocuments[p]
    const weight = weights[counts.wordIds[at]]
    mean += weight * share
    variance += weight * weight * share * (1 - share)
  }
  return {mean, variance}
}

function emptySamples(m: number, size: number): ConceptSample[] {
  return Array.from({length: m}, () => ({
    others: new Float64Array(size),
    scores: new Float64Array(size),
    weights: new Float64Array(size),
    fired: new Uint8Array(size)
  }))
}
