/** Pairs that contradict each other have no table: the sweeps stop at a compromise, and more of them only sharpen it. */
const SWEEPS = 5
const TOLERANCE = 1e-9

export interface FamilyTable {
  /** P(y), the first variable's bit most significant. */
  readonly table: Float64Array
  /** The largest difference from a wanted pair when the last sweep began. */
  readonly residual: number
}

/**
 * The table of greatest entropy over a few binary variables with given singles and pairs, by iterative scaling:
 * log P(y) has a term for each variable and each pair and no other, so the last variable given the others is a logistic
 * regression on them. Cost: O(k^2 2^k) a sweep, k variables.
 */
export function familyTable(singles: readonly number[], covariance: (a: number, b: number) => number): FamilyTable {
  const k = singles.length
  const table = new Float64Array(2 ** k)
  for (let cell = 0; cell < table.length; cell++)
    table[cell] = singles.reduce((product, p, a) => product * (bit(cell, k, a) === 1 ? p : 1 - p), 1)
  let residual = 0
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    residual = 0
    for (let a = 0; a < k; a++)
      for (let b = a + 1; b < k; b++) {
        const delta = covariance(a, b)
        const [p, q] = [singles[a], singles[b]]
        const wanted = [(1 - p) * (1 - q) + delta, (1 - p) * q - delta, p * (1 - q) - delta, p * q + delta]
        residual = Math.max(residual, scalePair(table, k, [a, b], wanted))
      }
    if (residual < TOLERANCE) break
  }
  return {table, residual}
}

/** Give the pair its wanted table; returns how far it was from it. */
function scalePair(table: Float64Array, k: number, [a, b]: readonly [number, number], wanted: readonly number[]) {
  const found = [0, 0, 0, 0]
  const place = (cell: number) => 2 * bit(cell, k, a) + bit(cell, k, b)
  for (let cell = 0; cell < table.length; cell++) found[place(cell)] += table[cell]
  for (let cell = 0; cell < table.length; cell++) table[cell] *= wanted[place(cell)] / found[place(cell)]
  return found.reduce((most, share, at) => Math.max(most, Math.abs(share - wanted[at])), 0)
}

function bit(cell: number, k: number, a: number): number {
  return (cell >> (k - 1 - a)) & 1
}
