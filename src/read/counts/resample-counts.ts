import {AdfaError} from '../../base/checks/index.ts'
import {exp, log, log1p, type Rng} from '../../base/numeric/index.ts'
import {type Counts, CountsWriter, firedDocuments, requirePatterns} from './counts.ts'
import {requireComplete} from './shards.ts'

/**
 * The counts of a bootstrap sample: as many documents, drawn with replacement from those counted, without reading them
 * again.
 *
 * Patterns are multinomial, as a chain of binomials: n'_p ~ Binomial(documents left, n_p / documents not yet offered).
 * Of the n'_p documents of a pattern, Binomial(n'_p, w/n_p) have a word that w of its n_p documents have. Labels are drawn
 * among the sampled documents with the anchor of their concept, and among those without it.
 * This is exact for the patterns, for each word with the patterns, and for each concept's labels with its anchor. What
 * counts do not hold is lost: which words share a document, which labels do, and labels with other anchors; no estimator
 * from counts needs these. Patterns and labels are drawn first, so they are the same with and without words; a sample
 * without words is drawn much faster.
 * Cost: O(patterns), and O(1) per pattern and word.
 */
export function resampleCounts(counts: Counts, random: Rng, {words = true} = {}): Counts {
  requireComplete(counts)
  requirePatterns(counts, 'drawing documents again')
  const {lexicon, labelShare, seed, members, memberStarts, wordStarts, wordIds, wordCounts, patternDocuments} = counts
  const drawn = drawDocuments(counts, random)
  const labelled = drawLabels(counts, drawn, random)
  const writer = new CountsWriter({lexicon, labelShare, seed}, words ? wordIds.length : 0)
  for (let p = 0; p < drawn.length; p++) {
    if (drawn[p] === 0) continue
    for (let at = wordStarts[p]; words && at < wordStarts[p + 1]; at++) {
      const count = binomial(drawn[p], wordCounts[at] / patternDocuments[p], random)
      if (count > 0) writer.addWord(wordIds[at], count)
    }
    writer.endPattern(members, memberStarts[p], memberStarts[p + 1], drawn[p])
  }
  return writer.finish(labelled)
}

function drawDocuments({patternDocuments, documentCount}: Counts, random: Rng): Float64Array {
  const odd = patternDocuments.find(n => !Number.isSafeInteger(n))
  if (odd !== undefined)
    throw new AdfaError(
      'bad-counts',
      `a pattern has ${odd} documents; only whole documents can be drawn; use counts of documents`
    )
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
  for (;;) {
    const u = random.next() - 0.5
    const v = random.next()
    const edge = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / edge + b) * u + n * p + 0.5)
    if (edge >= 0.07 && v <= 0.92 - 4.2 / b) return k
    if (!(k >= 0 && k <= n)) continue
    // The log ratio of the probabilities of k and of the mode, by Stirling's formula.
    const bound =
      (mode + 0.5) * log((mode + 1) / (odds * (n - mode + 1))) +
      (n + 1) * log((n - mode + 1) / (n - k + 1)) +
      (k + 0.5) * log((odds * (n - k + 1)) / (k + 1)) +
      (stirlingRest(mode) + stirlingRest(n - mode) - stirlingRest(k) - stirlingRest(n - k))
    if (log((v * alpha) / (a / (edge * edge) + b)) <= bound) return k
  }
}

/** log k! - ((k + 1/2) log(k + 1) - (k + 1) + log(2 pi) / 2); the series is accurate to 1e-9 from k = 10 on. */
function stirlingRest(k: number): number {
  if (k < 10) return STIRLING_RESTS[k]
  const square = (k + 1) * (k + 1)
  return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
}

const STIRLING_RESTS = [
  0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.0207906721037651, 0.0166446911898211,
  0.0138761288230707, 0.0118967099458917, 0.010411265261972, 0.0092554621827127, 0.0083305634333628
]
