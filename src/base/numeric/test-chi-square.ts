/**
 * Pearson's statistic of counts against equal expectations, and the bound a test allows it: the mean of its distribution
 * (one less than the cells) plus 5 standard deviations. The seeds are fixed, so the verdict never changes.
 */
export function chiSquare(cells: readonly number[]): {readonly statistic: number; readonly bound: number} {
  const expected = cells.reduce((sum, count) => sum + count, 0) / cells.length
  const freedom = cells.length - 1
  return {
    statistic: cells.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0),
    bound: freedom + 5 * Math.sqrt(2 * freedom)
  }
}

/** How many of the values in [0, 1) fall in each of `count` equal cells. */
export function histogram(values: Iterable<number>, count: number): number[] {
  const cells = new Array<number>(count).fill(0)
  for (const value of values) cells[Math.floor(value * count)]++
  return cells
}
