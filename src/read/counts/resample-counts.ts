import {exp, log, log1p, logGamma, type Rng} from '../../base/numeric/index.ts'
import {type Counts, CountsWriter, firedDocuments, requirePatterns} from './counts.ts'
import {requireComplete} from './shards.ts'

/**
 * The counts of a bootstrap sample, without words: as many documents, drawn with replacement from those counted, without
 * reading them again.
 *
 * Patterns are multinomial, as a chain of binomials: n'_p ~ Binomial(documents left, n_p / documents not yet offered).
 * Labels are drawn among the sampled documents with the anchor of their concept, and among those without it.
 * This is exact for the patterns, and for each concept's labels with its anchor. What counts do not hold is lost: which
 * labels share a document, and labels with other anchors; no estimator from counts needs these. Cost: O(patterns).
 */
export function resampleCounts(counts: Counts, random: Rng): Counts {
  requireComplete(counts)
  requirePatterns(counts, 'drawing documents again')
  const {lexicon, labelShare, seed, members, memberStarts} = counts
  const drawn = drawDocuments(counts, random)
  const writer = new CountsWriter({lexicon, labelShare, seed})
  for (let p = 0; p < drawn.length; p++)
    if (drawn[p] > 0) writer.endPattern(members, memberStarts[p], memberStarts[p + 1], drawn[p])
  return writer.finish(drawLabels(counts, drawn, random))
}

function drawDocuments({patternDocuments, documentCount}: Counts, random: Rng): Float64Array {
  const drawn = new Float64Array(patternDocuments.length)
  let left = documentCount
  let offered = documentCount
  for (let p = 0; left > 0; p++) {
    drawn[p] = binomial(left, patternDocuments[p] / offered, random)
    left -= drawn[p]
    offered -= patternDocuments[p]
  }
  return drawn
}

function drawLabels(counts: Counts, drawn: Float64Array, random: Rng): Float64Array {
  const {labelled, documentCount} = counts
  const sample = new Float64Array(labelled.length)
  if (labelled.every(cell => cell === 0)) return sample
  const fired = firedDocuments(counts, counts.patternDocuments)
  const firedDrawn = firedDocuments(counts, drawn)
  for (let i = 0; i < fired.length; i++)
    for (const a of [0, 1]) {
      const documents = a === 1 ? fired[i] : documentCount - fired[i]
      const documentsDrawn = a === 1 ? firedDrawn[i] : documentCount - firedDrawn[i]
      const [without, having] = [4 * i + a, 4 * i + 2 + a]
      sample[without] = binomial(documentsDrawn, labelled[without] / documents, random)
      const others = documents - labelled[without]
      sample[having] = binomial(documentsDrawn - sample[without], labelled[having] / others, random)
    }
  return sample
}

/** A binomial variate; p of 0/0 means that there is nothing to draw from. */
function binomial(n: number, p: number, random: Rng): number {
  if (n === 0 || !(p > 0)) return 0
  if (p >= 1) return n
  if (n === 1) return random.next() < p ? 1 : 0
  if (p > 0.5) return n - binomial(n, 1 - p, random)
  return n * p < 10 ? binomialByInversion(n, p, random) : binomialByRejection(n, p, random)
}

/** Walk up the distribution from 0; p is at most 1/2 and the mean small. */
function binomialByInversion(n: number, p: number, random: Rng): number {
  const odds = p / (1 - p)
  let chance = exp(n * log1p(-p))
  let u = random.next()
  let k = 0
  while (u >= chance && k < n) {
    u -= chance
    k++
    chance *= (odds * (n + 1 - k)) / k
  }
  return k
}

/** BTRS of Hörmann (1993), "The generation of binomial random variates"; p is at most 1/2 and the mean at least 10. */
function binomialByRejection(n: number, p: number, random: Rng): number {
  const deviation = Math.sqrt(n * p * (1 - p))
  const b = 1.15 + 2.53 * deviation
  const a = -0.0873 + 0.0248 * b + 0.01 * p
  const alpha = (2.83 + 5.1 / b) * deviation
  const odds = p / (1 - p)
  const mode = Math.floor((n + 1) * p)
  /** log k! (n - k)! */
  const factorials = (k: number) => logGamma(k + 1) + logGamma(n - k + 1)
  for (;;) {
    const u = random.next() - 0.5
    const v = random.next()
    const edge = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / edge + b) * u + n * p + 0.5)
    if (edge >= 0.07 && v <= 0.92 - 4.2 / b) return k
    if (!(k >= 0 && k <= n)) continue
    // The log ratio of the probabilities of k and of the mode.
    const ratio = factorials(mode) - factorials(k) + (k - mode) * log(odds)
    if (log((v * alpha) / (a / (edge * edge) + b)) <= ratio) return k
  }
}
