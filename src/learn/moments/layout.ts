import type {TableLayout} from './objective.ts'

/**
 * The layout of a moment vector mu: the tables of the m single concepts, then of the pairs i < k, row-major.
 * A single has the cells 0 and 1; a pair has the cells `2*yi + yk`.
 *
 * Tables that agree on the concepts they share (Eq. 3) have independent coordinates: p_i = P(Y_i = 1), then
 * q_ik = P(Y_i = Y_k = 1) of the pairs i < k. A linear function of such tables is a quadratic function of 0/1 variables y, where
 * p_i stands for y_i and q_ik for y_i y_k.
 */
export interface MomentLayout extends TableLayout {
  readonly conceptCount: number
  readonly pairCount: number
}

export function momentLayout(conceptCount: number): MomentLayout {
  const m = conceptCount
  const tables: {concepts: readonly number[]; start: number}[] = []
  for (let i = 0; i < m; i++) tables.push({concepts: [i], start: 2 * i})
  for (let i = 0, start = 2 * m; i < m; i++)
    for (let k = i + 1; k < m; k++, start += 4) tables.push({concepts: [i, k], start})
  const pairCount = tables.length - m
  return {conceptCount, pairCount, size: 2 * m + 4 * pairCount, tables}
}

/** Calls `visit` for every table in layout order, with its concepts and its first cell. */
export function forEachTable(
  {tables}: MomentLayout,
  visit: (concepts: readonly number[], start: number) => void
): void {
  for (const {concepts, start} of tables) visit(concepts, start)
}

/** The place of q_ik among the coordinates, for any i != k. */
export function pairColumn(i: number, k: number, m: number): number {
  const [first, second] = i < k ? [i, k] : [k, i]
  return m + first * m - (first * (first + 1)) / 2 + second - first - 1
}

/** Writes the cells of the tables at coordinates x; with `total` 0, how they change when the coordinates change by x. */
export function momentsAt(
  {conceptCount: m, size}: MomentLayout,
  x: Float64Array,
  mu: Float64Array = new Float64Array(size),
  total: 0 | 1 = 1
): Float64Array {
  for (let i = 0; i < m; i++) {
    mu[2 * i] = total - x[i]
    mu[2 * i + 1] = x[i]
  }
  for (let i = 0, column = m, cell = 2 * m; i < m; i++)
    for (let k = i + 1; k < m; k++, column++, cell += 4) {
      const q = x[column]
      mu[cell] = total - x[i] - x[k] + q
      mu[cell + 1] = x[k] - q
      mu[cell + 2] = x[i] - q
      mu[cell + 3] = q
    }
  return mu
}

/** Writes <gradient, mu> as a function of the coordinates of mu: a coefficient each, and the constant that is returned. */
export function coordinateGradient(
  {conceptCount: m}: MomentLayout,
  gradient: Float64Array,
  coefficients: Float64Array
): number {
  let constant = 0
  for (let i = 0; i < m; i++) {
    constant += gradient[2 * i]
    coefficients[i] = gradient[2 * i + 1] - gradient[2 * i]
  }
  for (let i = 0, column = m, cell = 2 * m; i < m; i++)
    for (let k = i + 1; k < m; k++, column++, cell += 4) {
      const none = gradient[cell]
      constant += none
      coefficients[k] += gradient[cell + 1] - none
      coefficients[i] += gradient[cell + 2] - none
      coefficients[column] = gradient[cell + 3] - gradient[cell + 2] - gradient[cell + 1] + none
    }
  return constant
}

/**
 * The coordinates of independent concepts with prevalences p. For prevalences of 0 and 1 they are a vertex of the marginal
 * polytope: the assignment and its products.
 */
export function independentCoordinates(p: ArrayLike<number>): Float64Array {
  const m = p.length
  const x = new Float64Array((m * (m + 1)) / 2)
  for (let i = 0; i < m; i++) x[i] = p[i]
  for (let i = 0, column = m; i < m; i++) for (let k = i + 1; k < m; k++, column++) x[column] = p[i] * p[k]
  return x
}
