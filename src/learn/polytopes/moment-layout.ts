import {AdfaError} from '../../base/checks/index.ts'

/** K of Eq. 4: moments of at most so many concepts. */
export type MomentOrder = 1 | 2 | 3

/**
 * Where each table of a moment vector mu stands: the m singles, then the pairs i < k, then the triples i < k < l, each row-major.
 * A table over s concepts has 2^s cells, its first concept most significant: `2*yi + yk` for a pair.
 */
export interface MomentLayout {
  readonly conceptCount: number
  readonly order: MomentOrder
  /** Cells of the whole vector. */
  readonly size: number
  /** Where tables of this many concepts begin, and how many there are. */
  readonly start: (concepts: number) => number
  readonly tableCount: (concepts: number) => number
}

export function momentLayout(conceptCount: number, order: MomentOrder): MomentLayout {
  if (order !== 1 && order !== 2 && order !== 3)
    throw new AdfaError('bad-option', `order is 1, 2 or 3: the most concepts in one moment; got ${order}`)
  const m = conceptCount
  const counts = [0, m, (m * (m - 1)) / 2, (m * (m - 1) * (m - 2)) / 6]
  const starts = [0, 0, 2 * counts[1], 2 * counts[1] + 4 * counts[2]]
  return {
    conceptCount,
    order,
    size: starts[order] + 2 ** order * counts[order],
    start: concepts => starts[concepts],
    tableCount: concepts => (concepts <= order ? counts[concepts] : 0)
  }
}

/** Calls `visit` for every table, in the order of the layout; `concepts` is reused between calls. */
export function forEachTable(
  {conceptCount: m, order}: MomentLayout,
  visit: (concepts: readonly number[], start: number) => void
): void {
  let start = 0
  const concepts: number[] = []
  const walk = (left: number, from: number) => {
    if (left === 0) {
      visit(concepts, start)
      start += 2 ** concepts.length
      return
    }
    for (let i = from; i < m; i++) {
      concepts.push(i)
      walk(left - 1, i + 1)
      concepts.pop()
    }
  }
  for (let concepts = 1; concepts <= order; concepts++) walk(concepts, 0)
}
