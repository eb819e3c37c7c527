import {badOption} from '../../base/checks/index.ts'
import {type BayesNetwork, eliminationOrder, forwardSampler, junctionTree} from '../../base/network/index.ts'
import {clamp, exp, type Rng} from '../../base/numeric/index.ts'
import {forestSums} from './forest-sums.ts'

export interface AbsenceOptions {
  /** Used only where the exact sum takes too long. */
  readonly random: Rng
  /** The most table cells that the exact sums of all words may visit; beyond that P(Y) is sampled. */
  readonly workLimit?: number
  readonly samples?: number
}

/** P_{-l}(x_j = 0) of every word, and how it was computed. */
export type LeaklessAbsence = {
  readonly absence: Float64Array
} & (
  | {readonly method: 'exact'}
  | {readonly method: 'sampled'; readonly samples: number /** One per word. */; readonly standardError: Float64Array}
)

/** A few seconds. */
const WORK_LIMIT = 2 ** 30
/** Draws of P(Y): as many as documents in a large corpus, fewer where they take longer than the exact sums may. */
const [FEWEST_SAMPLES, MOST_SAMPLES] = [10_000, 100_000]

/**
 * The probability that no concept switches word j on, the sum over y of P(y) prod_i f_ij^{y_i}; without edges this is
 * Quickscore, the product over i of P(y_i = 0) + P(y_i = 1) f_ij (Eq. 11). `failure` is row-major, concept by word.
 *
 * Exact by one upward pass per word through the forest, O(m), or the junction tree of P(Y), O(size). Beyond the work
 * limit, the mean of the product over draws of y, without drawing words (Rao-Blackwell): O(n) per concept that is on and draw.
 * All words share the draws.
 */
export function leaklessAbsence(
  network: BayesNetwork,
  failure: Float64Array,
  wordCount: number,
  options: AbsenceOptions
): LeaklessAbsence {
  const {random, workLimit = WORK_LIMIT, samples = affordableSamples(network, wordCount)} = options
  if (!Number.isSafeInteger(samples) || samples < 2)
    throw badOption('leaklessAbsence', 'samples', 'a whole number, at least 2', samples)
  const isAffordable = () => eliminationOrder(network).size * wordCount <= workLimit
  const tree = forestSums(network) ?? (isAffordable() ? junctionTree(network) : undefined)
  if (tree === undefined) return {method: 'sampled', ...sampledAbsence(network, failure, wordCount, {random, samples})}
  const weights = new Float64Array(2 * tree.conceptCount).fill(1)
  const absence = new Float64Array(wordCount)
  for (let j = 0; j < wordCount; j++) {
    for (let i = 0; i < tree.conceptCount; i++) weights[2 * i + 1] = failure[i * wordCount + j]
    absence[j] = exp(tree.logTotal(weights))
  }
  return {method: 'exact', absence}
}

/** Assumes a tenth of the concepts on, which is many. */
function affordableSamples({parents}: BayesNetwork, wordCount: number): number {
  const work = wordCount * (1 + parents.length / 10)
  return clamp(Math.floor(WORK_LIMIT / work), FEWEST_SAMPLES, MOST_SAMPLES)
}

function sampledAbsence(
  network: BayesNetwork,
  failure: Float64Array,
  n: number,
  {random, samples}: {readonly random: Rng; readonly samples: number}
) {
  const m = network.parents.length
  const draw = forwardSampler(network, random)
  const y = new Uint8Array(m)
  const off = new Float64Array(n)
  // Of 1 - product, which is small for most words: sums keep more digits.
  const sum = new Float64Array(n)
  const squares = new Float64Array(n)
  for (let sample = 0; sample < samples; sample++) {
    draw(y)
    off.fill(1)
    for (let i = 0; i < m; i++) if (y[i] === 1) for (let j = 0; j < n; j++) off[j] *= failure[i * n + j]
    for (let j = 0; j < n; j++) {
      sum[j] += 1 - off[j]
      squares[j] += (1 - off[j]) ** 2
    }
  }
  const standardError = squares.map((square, j) => {
    const variance = Math.max(0, square - sum[j] ** 2 / samples) / (samples - 1)
    return Math.sqrt(variance / samples)
  })
  return {absence: sum.map(on => 1 - on / samples), samples, standardError}
}
