/**
 * Factor the symmetric positive definite `size` x `size` matrix `A` (row-major, lower triangle read) into L L' in place.
 * Returns false, with `A` spoilt, when a pivot is not positive.
 */
export function choleskyFactor(A: Float64Array, size: number): boolean {
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = A[row * size + column]
      for (let at = 0; at < column; at++) sum -= A[row * size + at] * A[column * size + at]
      if (row > column) A[row * size + column] = sum / A[column * size + column]
      else if (sum > 0) A[row * size + row] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}

/** Solve L L' x = b in place, `b` becoming x, with the factor of {@link choleskyFactor}. */
export function choleskySolve(L: Float64Array, size: number, b: Float64Array): void {
  for (let row = 0; row < size; row++) {
    let sum = b[row]
    for (let at = 0; at < row; at++) sum -= L[row * size + at] * b[at]
    b[row] = sum / L[row * size + row]
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = b[row]
    for (let at = row + 1; at < size; at++) sum -= L[at * size + row] * b[at]
    b[row] = sum / L[row * size + row]
  }
}
