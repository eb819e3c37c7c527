/** Sweeps over the margins; where they contradict each other, further ones would change little. */
const SWEEPS = 50
const TOLERANCE = 1e-10

/**
 * The table nearest to `table`, in KL, whose margins without each of its concepts are `margins`: iterative proportional fitting
 * (Deming and Stephan, 1940), in place. `margins[k]` is the table of all concepts but the k-th, the first most significant.
 * Margins that no table has together are met as well as 50 sweeps can, the last of them exactly.
 */
export function fitMargins(table: Float64Array, margins: readonly ArrayLike<number>[]): void {
  const sums = new Float64Array(table.length / 2)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let change = 0
    margins.forEach((margin, k) => {
      const bit = margins.length - 1 - k
      const row = (cell: number) => ((cell >> (bit + 1)) << bit) | (cell & ((1 << bit) - 1))
      sums.fill(0)
      for (let cell = 0; cell < table.length; cell++) sums[row(cell)] += table[cell]
      for (let at = 0; at < sums.length; at++) change = Math.max(change, Math.abs(margin[at] - sums[at]))
      for (let cell = 0; cell < table.length; cell++)
        if (sums[row(cell)] > 0) table[cell] *= margin[row(cell)] / sums[row(cell)]
    })
    if (change < TOLERANCE) return
  }
}
