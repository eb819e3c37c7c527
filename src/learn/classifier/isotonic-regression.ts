/** Rows whose fitted values are equal. */
interface Block {
  /** The rows are `order[first]` up to `order[first + count]`, in the order of their scores. */
  readonly first: number
  readonly count: number
  readonly ones: number
}

/**
 * Isotonic regression by pool adjacent violators: returns the value at each row of the increasing function of the score
 * that fits the labels of 0 and 1 best, in least squares and in likelihood. Equal scores share one value. Cost: one sort.
 *
 * Scores become probabilities by this and not by Platt's sigmoid: with an anchor as label, P(A|x) never exceeds P(A|Y=1),
 * and rates are read from that plateau, while a sigmoid rises to 1. The scores must come from classifiers that have not
 * seen the rows ({@link crossFitted}).
 */
export function isotonicRegression(scores: ArrayLike<number>, labels: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from({length: scores.length}, (_, d) => d).sort((a, b) => scores[a] - scores[b])
  const blocks: Block[] = []
  for (let at = 0; at < order.length; ) {
    const [first, score] = [at, scores[order[at]]]
    let ones = 0
    for (; at < order.length && scores[order[at]] === score; at++) ones += labels[order[at]]
    let block = {first, count: at - first, ones}
    for (let last = blocks.at(-1); last !== undefined && !rises(last, block); last = blocks.at(-1)) {
      block = {first: last.first, count: last.count + block.count, ones: last.ones + block.ones}
      blocks.pop()
    }
    blocks.push(block)
  }
  const values = new Float64Array(order.length)
  for (const {first, count, ones} of blocks)
    for (let at = first; at < first + count; at++) values[order[at]] = ones / count
  return values
}

/** Compares shares by cross products of whole numbers, which is exact for labels of 0 and 1. */
function rises(a: Block, b: Block): boolean {
  return a.ones * b.count < b.ones * a.count
}
