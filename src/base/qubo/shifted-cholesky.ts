/** The error of a Cholesky pivot, as a share of the largest diagonal entry and per row. */
export const PIVOT_ROUNDING = 1e-15

/**
 * Factor `G + (1 + t) diag(d)` into L L', the lower triangle of `L` (n x n row-major); false when it is not positive
 * definite. Pivots are lowered by more than rounding can have raised them, so that success is a proof.
 */
export function factorShifted(G: Float64Array, d: Float64Array, t: number, L: Float64Array): boolean {
  const n = d.length
  let largest = 0
  for (let a = 0; a < n; a++) largest = Math.max(largest, d[a])
  const rounding = PIVOT_ROUNDING * n * (1 + t) * largest
  for (let a = 0; a < n; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = a === b ? (1 + t) * d[a] - rounding : G[a * n + b]
      for (let e = 0, x = a * n, y = b * n; e < b; e++, x++, y++) sum -= L[x] * L[y]
      if (a > b) L[a * n + b] = sum / L[b * n + b]
      else if (sum > 0) L[a * n + a] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}

/** Invert a lower triangular matrix in place. */
export function invertFactor(L: Float64Array, n: number): void {
  for (let b = 0; b < n; b++) {
    L[b * n + b] = 1 / L[b * n + b]
    for (let a = b + 1; a < n; a++) {
      let sum = 0
      for (let e = b; e < a; e++) sum -= L[a * n + e] * L[e * n + b]
      L[a * n + b] = sum / L[a * n + a]
    }
  }
}
