import {binomial, type Rng} from '../../base/numeric/index.ts'
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
