import {AdfaError} from '../../base/checks/index.ts'

/**
 * An increasing function from scores to probabilities: blocks of neighbouring scores, one value each, strictly increasing.
 * Linear between blocks, constant beyond the outermost.
 */
export interface Calibration {
  /** The lowest and the highest score in each block. */
  readonly lows: Float64Array
  readonly highs: Float64Array
  /** The share of 1 in each block. */
  readonly values: Float64Array
  /** Rows in each block; the outermost are often small and their values uncertain. */
  readonly counts: Uint32Array
}

/**
 * Isotonic regression by pool adjacent violators: the increasing function of the score that fits the labels best, in
 * least squares and in likelihood.
 *
 * Not Platt's sigmoid: with an anchor as label, P(A|x) never exceeds P(A|Y=1), and rates are read from that plateau;
 * a sigmoid rises to 1. Needs scores of rows that the classifier has not seen ({@link crossFitted}). Cost: one sort. Equal
 * scores share one value.
 */
export function calibrate(scores: ArrayLike<number>, labels: ArrayLike<number>): Calibration {
  check(scores, labels)
  const blocks: Block[] = []
  for (let block of equalScores(scores, labels)) {
    for (let last = blocks.at(-1); last !== undefined && !rises(last, block); last = blocks.at(-1)) {
      block = {low: last.low, high: block.high, ones: last.ones + block.ones, count: last.count + block.count}
      blocks.pop()
    }
    blocks.push(block)
  }
  return {
    lows: Float64Array.from(blocks, block => block.low),
    highs: Float64Array.from(blocks, block => block.high),
    values: Float64Array.from(blocks, block => block.ones / block.count),
    counts: Uint32Array.from(blocks, block => block.count)
  }
}

/** The calibrated probability of a score. */
export function calibrated({lows, highs, values}: Calibration, score: number): number {
  let before = -1
  for (let low = 0, high = lows.length - 1; low <= high; ) {
    const middle = (low + high) >>> 1
    if (lows[middle] <= score) {
      before = middle
      low = middle + 1
    } else high = middle - 1
  }
  if (before < 0) return values[0]
  if (score <= highs[before] || before === lows.length - 1) return values[before]
  const share = (score - highs[before]) / (lows[before + 1] - highs[before])
  return values[before] + share * (values[before + 1] - values[before])
}

interface Block {
  readonly low: number
  readonly high: number
  readonly ones: number
  readonly count: number
}

/** One block per distinct score, ascending. */
function equalScores(scores: ArrayLike<number>, labels: ArrayLike<number>): Block[] {
  const order = Uint32Array.from({length: scores.length}, (_, d) => d).sort((a, b) => scores[a] - scores[b])
  const blocks: Block[] = []
  for (let at = 0; at < order.length; ) {
    const score = scores[order[at]]
    const first = at
    let ones = 0
    for (; at < order.length && scores[order[at]] === score; at++) ones += labels[order[at]]
    blocks.push({low: score, high: score, ones, count: at - first})
  }
  return blocks
}

/** Compared by cross products of whole numbers, which is exact for labels of 0 and 1. */
function rises(a: Block, b: Block): boolean {
  return a.ones * b.count < b.ones * a.count
}

function check(scores: ArrayLike<number>, labels: ArrayLike<number>): void {
  if (scores.length !== labels.length || scores.length === 0)
    throw new AdfaError(
      'mismatch',
      `calibrate needs one label for each of at least one score; got ${scores.length} scores and ${labels.length} labels`
    )
  for (let d = 0; d < scores.length; d++) {
    if (!Number.isFinite(scores[d]))
      throw new AdfaError('bad-option', `calibrate: the score of row ${d} must be a finite number; got ${scores[d]}`)
    if (labels[d] !== 0 && labels[d] !== 1)
      throw new AdfaError('bad-option', `calibrate: the label of row ${d} must be 0 or 1; got ${labels[d]}`)
  }
}
