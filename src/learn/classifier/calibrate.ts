import {AdfaError} from '../../base/checks/index.ts'

/**
 * A rising function from scores to probabilities: blocks of neighbouring scores, one value each, strictly rising.
 * Between two blocks the function is a straight line, beyond the outermost it is flat.
 */
export interface Calibration {
  /** The lowest and the highest score in each block. */
  readonly lows: Float64Array
  readonly highs: Float64Array
  /** The share of 1 in each block. */
  readonly values: Float64Array
  /** Rows in each block; the outermost are often small, and their values then uncertain. */
  readonly counts: Uint32Array
}

/**
 * Isotonic regression: of all rising functions of the score, the one nearest to the labels in least squares, and in
 * likelihood as well. Pool adjacent violators: while two neighbouring blocks do not rise, they become one.
 *
 * Not Platt's sigmoid: of an anchor as label P(A|x) never goes above P(A|Y=1), and that plateau is what noise rates are read
 * from; a sigmoid goes on to 1. Isotonic regression assumes the order of the scores only. Give it scores of rows that the
 * classifier has not seen ({@link crossFitted}). Cost: one sort. Equal scores share one value.
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

/** One block for each score that occurs, ascending; pooled before all else, as a function has one value at a score. */
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
      `calibrate needs a label for each score, and at least one; got ${scores.length} scores and ${labels.length} labels`
    )
  for (let d = 0; d < scores.length; d++) {
    if (!Number.isFinite(scores[d]))
      throw new AdfaError('bad-option', `calibrate: the score of row ${d} must be a finite number; got ${scores[d]}`)
    if (labels[d] !== 0 && labels[d] !== 1)
      throw new AdfaError('bad-option', `calibrate: the label of row ${d} must be 0 or 1; got ${labels[d]}`)
  }
}
