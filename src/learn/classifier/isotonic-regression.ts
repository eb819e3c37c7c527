/**
 * Calibrates scores by isotonic regression (pool adjacent violators): returns for each row the value of the non-decreasing function
 * of the score that fits the labels of 0 and 1 best, in least squares and in likelihood. Equal scores have the same value.
 * Cost: one sort.
 *
 * Platt's sigmoid would not do: with an anchor as label, P(A|x) never exceeds P(A|Y=1), and rates are read from that plateau,
 * while a sigmoid rises to 1. The scores must come from classifiers that have not seen the rows ({@link crossFittedLogOdds}).
 */
export function isotonicRegression(scores: ArrayLike<number>, labels: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from({length: scores.length}, (_, d) => d).sort((a, b) => scores[a] - scores[b])
  // Blocks of consecutive rows, ascending by score, that share one fitted value, which is ones / count.
  const blocks: {readonly count: number; readonly ones: number}[] = []
  for (let at = 0; at < order.length; ) {
    const score = scores[order[at]]
    let [count, ones] = [0, 0]
    for (; at < order.length && scores[order[at]] === score; at++) {
      count++
      ones += labels[order[at]]
    }
    // The values ones / count of two blocks are compared by cross products of whole numbers, which are exact.
    for (let last = blocks.at(-1); last !== undefined && last.ones * count >= ones * last.count; last = blocks.at(-1)) {
      count += last.count
      ones += last.ones
      blocks.pop()
    }
    blocks.push({count, ones})
  }
  const values = new Float64Array(order.length)
  let at = 0
  for (const {count, ones} of blocks) for (const end = at + count; at < end; at++) values[order[at]] = ones / count
  return values
}
