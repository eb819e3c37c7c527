/** The place of the pair i < k among the pairs of m variables. */
export function pairIndex(i: number, k: number, m: number): number {
  return i * m - (i * (i + 1)) / 2 + k - i - 1
}

/** The place of the triple i < k < l among the triples of m variables. */
export function tripleIndex(i: number, k: number, l: number, m: number): number {
  return triplesOf(m) - triplesOf(m - i) + pairsOf(m - i - 1) - pairsOf(m - k) + l - k - 1
}

export function pairsOf(m: number): number {
  return (m * (m - 1)) / 2
}

export function triplesOf(m: number): number {
  return (m * (m - 1) * (m - 2)) / 6
}
