/** Estimates rates without labels, from how well words predict an anchor (Section 3.3, settings 2 and 3). */
import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {corpusRows, crossFittedLogOdds, foldDefaults} from '../classifier/index.ts'
import type {Rates} from './rates.ts'

/**
 * How well the content of each document predicts each anchor, by concept. A concept is missing if its anchor fires in fewer
 * documents than there are folds, or is absent from fewer.
 */
export type AnchorScores = ReadonlyMap<string, ConceptScores>

/** The arrays have an entry for each document. */
export interface ConceptScores {
  /** log P(A=1|x) / P(A=0|x) by a classifier that has not seen the document. */
  readonly logOdds: Float32Array
  /** 1 where the anchor fires. */
  readonly fired: Uint8Array
}

interface AnchorScoreControl {
  readonly onProgress?: (done: number, concepts: number) => void
  readonly signal?: AbortSignal
}

/** The tolerance of a regression. From 1e-4 to 3e-3, figures of fits without labels differ by less than .003 on four corpora. */
const TOLERANCE = 1e-3

/**
 * Scores every document for every concept by cross-fitted ridge logistic regression of its anchor on the words and on the
 * anchors of the other concepts. Cost: three fits per concept, each some tens of passes over the words of all documents.
 */
export function scoreAnchors(
  corpus: Corpus,
  {seed}: {readonly seed?: number | undefined} = {},
  {onProgress, signal}: AnchorScoreControl = {}
): AnchorScores {
  const {lexicon, documents} = corpus
  const {folds} = foldDefaults
  const rows = corpusRows(corpus)
  const concepts = new Map<string, ConceptScores>()
  lexicon.anchors.forEach(({concept}, i) => {
    throwIfCancelled(signal)
    const fired = Uint8Array.from(documents, ({anchors}) => (anchors.includes(i) ? 1 : 0))
    const firedCount = fired.reduce((sum, one) => sum + one, 0)
    if (Math.min(firedCount, fired.length - firedCount) >= folds) {
      // The column of the anchor itself is left out.
      const options = {...(seed !== undefined && {seed}), tolerance: TOLERANCE, without: [lexicon.words.length + i]}
      concepts.set(concept, {logOdds: Float32Array.from(crossFittedLogOdds(rows, fired, options)), fired})
    }
    onProgress?.(i + 1, lexicon.anchors.length)
  })
  return concepts
}

/** The fraction of the documents with the anchor that may score above t, and of those without it that may score below e. */
const TAIL = 0.1

/**
 * Estimates P(A|Y) from the range of g(x) = P(A=1|x) = e + (t - e) P(Y=1|x) (Section 3.3, mutually irreducible; Scott 2015,
 * Menon et al. 2015): t = sup g, e = inf g and P(Y=1) = (P(A) - e) / (t - e). The scores g must be calibrated and
 * cross-fitted. Returns a reason if they give no estimate. Cost: a sort of N scores.
 *
 * Assumes that A does not depend on x given Y, and that some x leave no doubt of Y = 1, others none of Y = 0.
 * Differs from the papers, which take the largest and smallest score: with noisy scores those diverge as documents are
 * added. Here a tenth of the anchored documents (counted as sum g) may score higher than t, a tenth of the others lower
 * than e. Bias: none if at least that many documents leave no doubt and their scores are exact. t is too low (and e too
 * high) if fewer do, and t is too high if words depend on the anchor, or if scores are noisy.
 */
export function irreducibleRates(scores: ArrayLike<number>): (Rates & {readonly prevalence: number}) | string {
  checkScores(scores)
  const sorted = Float64Array.from(scores).sort()
  const N = sorted.length
  const expected = sorted.reduce((sum, g) => sum + g, 0)
  const [above, below] = [expected, N - expected].map(count => Math.min(Math.floor(TAIL * count), N - 1))
  const [t, e] = [sorted[N - 1 - above], sorted[below]]
  if (!(t > e)) return `words do not predict its anchor: the scores of ${N} documents span no range (${e} to ${t})`
  return {truePositive: t, falsePositive: e, prevalence: clamp((expected / N - e) / (t - e), 0, 1)}
}

/**
 * Estimates P(A=1|Y=1) of an anchor that never fires falsely (Section 3.3, positive-only) by the mean of g(x) = P(A=1|x) over
 * the documents where it fires (Elkan and Noto 2008, estimator e1). The scores g must be calibrated, and each made by a
 * classifier that has not seen its document. Returns a reason if they give no estimate. Cost: O(N).
 *
 * Assumes P(A=1|Y=0) = 0, that A does not depend on x given Y, and that x determines Y wherever the anchor fires: then
 * g = P(A=1|Y=1) there. If x leaves doubt, the mean is P(A=1|Y=1) E[P(Y=1|x) | A=1]: too low, on short titles
 * by up to 2 in its logarithm.
 */
export function positiveOnlyRate(scores: ArrayLike<number>, fired: ArrayLike<number | boolean>): number | string {
  checkScores(scores)
  const anchored = Array.from(scores).filter((_, d) => fired[d])
  const sum = anchored.reduce((total, g) => total + g, 0)
  if (anchored.length >= 2 && sum > 0) return sum / anchored.length
  return (
    `its anchor fires in ${anchored.length} of ${scores.length} documents, where its scores add up to ${sum}; ` +
    'at least 2 documents and a score above 0 are needed'
  )
}

function checkScores(scores: ArrayLike<number>): void {
  const d = Array.from(scores).findIndex(g => !(g >= 0 && g <= 1))
  if (d >= 0)
    throw new AdfaError(
      'bad-rates',
      `score ${scores[d]} of document ${d}; P(A=1|x) lies in [0, 1]; calibrate the scores`
    )
}
