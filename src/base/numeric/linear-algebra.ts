/**
 * Factors a symmetric positive definite matrix into L L' in place. `A` is row-major; only its lower triangle is read, and L replaces
 * it. Returns false, with `A` partly overwritten, when a pivot is not positive.
 */
export function choleskyFactor(A: Float64Array, size: number): boolean {
  for (let row = 0; row < size; row++) {
    const rowStart = row * size
    for (let column = 0; column <= row; column++) {
      // Columns form blocks of four. Where a block ends at or before the diagonal, `subtractFour` treats its entries together.
      const blockStart = column & ~3
      const isWholeBlock = blockStart + 3 <= row
      if (isWholeBlock && column === blockStart) subtractFour(A, size, rowStart, column)
      let sum = A[rowStart + column]
      for (let at = isWholeBlock ? blockStart : 0; at < column; at++) sum -= A[rowStart + at] * A[column * size + at]
      if (row > column) A[rowStart + column] = sum / A[column * size + column]
      else if (sum > 0) A[rowStart + row] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}

/**
 * Subtracts sum_{at < column} A[row, at] A[k, at] from the entries A[row, k] for k = column .. column + 3. Four sums side by side
 * take half the time of one after another. The terms of each keep their order, so the result has the same bits.
 */
function subtractFour(A: Float64Array, size: number, rowStart: number, column: number): void {
  const [a, b, c, d] = [column * size, (column + 1) * size, (column + 2) * size, (column + 3) * size]
  let sumA = A[rowStart + column]
  let sumB = A[rowStart + column + 1]
  let sumC = A[rowStart + column + 2]
  let sumD = A[rowStart + column + 3]
  for (let at = 0; at < column; at++) {
    const x = A[rowStart + at]
    sumA -= x * A[a + at]
    sumB -= x * A[b + at]
    sumC -= x * A[c + at]
    sumD -= x * A[d + at]
  }
  A[rowStart + column] = sumA
  A[rowStart + column + 1] = sumB
  A[rowStart + column + 2] = sumC
  A[rowStart + column + 3] = sumD
}

/** Solves L L' x = b, where L is the result of {@link choleskyFactor}; x replaces `b`. */
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

/** Returns the scalar product, added in the order of the entries. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let e = 0; e < a.length; e++) sum += a[e] * b[e]
  return sum
}

interface ConjugateGradientOptions {
  /** Sets out = matrix v, for a symmetric positive definite matrix. */
  readonly multiply: (v: Float64Array, out: Float64Array) => void
  /** Sets out = P r, where P is symmetric, positive definite and close to matrix^-1. */
  readonly precondition: (r: Float64Array, out: Float64Array) => void
  /** The steps end when sqrt(r' P r), with the residual r = b - matrix x, is at most this times its first value. */
  readonly residual: number
  readonly stepLimit: number
  /** The steps also end when r' P r is at most this; 0 by default. */
  readonly floor?: number
}

/** Runs preconditioned conjugate gradients: x becomes approximately matrix^-1 b. Returns the number of steps. */
export function conjugateGradients(b: Float64Array, x: Float64Array, options: ConjugateGradientOptions): number {
  const {multiply, precondition, residual, stepLimit, floor = 0} = options
  const r = Float64Array.from(b)
  const z = new Float64Array(b.length)
  const product = new Float64Array(b.length)
  x.fill(0)
  precondition(r, z)
  const p = Float64Array.from(z)
  let rz = dot(r, z)
  const target = Math.max(floor, residual * residual * rz)
  let steps = 0
  for (; steps < stepLimit && rz > target; steps++) {
    multiply(p, product)
    const alpha = rz / dot(p, product)
    for (let e = 0; e < x.length; e++) {
      x[e] += alpha * p[e]
      r[e] -= alpha * product[e]
    }
    precondition(r, z)
    const before = rz
    rz = dot(r, z)
    const beta = rz / before
    for (let e = 0; e < x.length; e++) p[e] = z[e] + beta * p[e]
  }
  return steps
}
