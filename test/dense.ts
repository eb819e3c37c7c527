/** Gaussian elimination with the largest pivot of each column: the obvious twin of every solver. */
export function solveDense(matrix: readonly (readonly number[])[], b: ArrayLike<number>): number[] {
  const n = b.length
  const rows = matrix.map((row, at) => [...row, b[at]])
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let row = column; row < n; row++) if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row
    ;[rows[column], rows[pivot]] = [rows[pivot], rows[column]]
    for (let row = 0; row < n; row++) {
      if (row === column) continue
      const factor = rows[row][column] / rows[column][column]
      for (let at = column; at <= n; at++) rows[row][at] -= factor * rows[column][at]
    }
  }
  return rows.map((row, at) => row[n] / row[at])
}
