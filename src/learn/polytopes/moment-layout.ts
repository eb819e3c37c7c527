import {badOption} from '../../base/checks/index.ts'
import type {BinaryCubic, BinaryQuadratic} from '../../base/qubo/index.ts'

/** K of Eq. 4: the most concepts in one moment. */
export type MomentOrder = 1 | 2 | 3

/**
 * The layout of a moment vector mu: the m singles, then the pairs i < k, then the triples i < k < l, each row-major.
 * A table over s concepts has 2^s cells, its first concept most significant: `2*yi + yk` for a pair.
 */
export interface MomentLayout {
  readonly conceptCount: number
  readonly order: MomentOrder
  /** Cells of the whole vector. */
  readonly size: number
  /** The first cell of the tables of this many concepts, and the number of those tables. */
  readonly start: (concepts: number) => number
  readonly tableCount: (concepts: number) => number
}

export function momentLayout(conceptCount: number, order: MomentOrder): MomentLayout {
  if (order !== 1 && order !== 2 && order !== 3) throw badOption('momentLayout', 'order', '1, 2 or 3', order)
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

/** Calls `visit` for every table in layout order; `concepts` is reused between calls. */
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

/**
 * Consistent moments have independent coordinates (Moebius): P(all on) of every set of at most K concepts, that is p_i of the
 * singles, then q_ik of the pairs, then r_ikl of the triples, in layout order. A linear function of consistent moments is a
 * polynomial of 0/1 variables y: p_i stands for y_i, q_ik for y_i y_k, r_ikl for y_i y_k y_l.
 * Cost of a conversion: a few additions per cell.
 */
export function coordinateCount(layout: MomentLayout): number {
  return layout.tableCount(1) + layout.tableCount(2) + layout.tableCount(3)
}

/** The cells of the moments at these coordinates. */
export function momentsAt(layout: MomentLayout, coordinates: Float64Array, mu: Float64Array): void {
  const {conceptCount: m, order} = layout
  const {p, q, r} = coordinateParts(layout, coordinates)
  let cell = 0
  for (let i = 0; i < m; i++, cell += 2) {
    mu[cell] = 1 - p[i]
    mu[cell + 1] = p[i]
  }
  if (order < 2) return
  for (let i = 0, pair = 0; i < m; i++)
    for (let k = i + 1; k < m; k++, pair++, cell += 4) {
      mu[cell] = 1 - p[i] - p[k] + q[pair]
      mu[cell + 1] = p[k] - q[pair]
      mu[cell + 2] = p[i] - q[pair]
      mu[cell + 3] = q[pair]
    }
  if (order < 3) return
  for (let i = 0, triple = 0, ik = 0, first = 0; i < m; i++) {
    // Pairs are row-major: the pairs kl follow those of i, and il follows ik.
    let kl = first + m - i - 1
    first = kl
    for (let k = i + 1; k < m; k++, ik++)
      for (let l = k + 1, il = ik + 1; l < m; l++, il++, kl++, triple++, cell += 8) {
        const all = r[triple]
        mu[cell] = 1 - p[i] - p[k] - p[l] + q[ik] + q[il] + q[kl] - all
        mu[cell + 1] = p[l] - q[il] - q[kl] + all
        mu[cell + 2] = p[k] - q[ik] - q[kl] + all
        mu[cell + 3] = q[kl] - all
        mu[cell + 4] = p[i] - q[ik] - q[il] + all
        mu[cell + 5] = q[il] - all
        mu[cell + 6] = q[ik] - all
        mu[cell + 7] = all
      }
  }
}

/** The change of the cells when the coordinates change by `changes`: `momentsAt` without its constant. */
export function momentChanges(layout: MomentLayout, changes: Float64Array, mu: Float64Array): void {
  momentsAt(layout, changes, mu)
  for (let s = 1; s <= layout.order; s++) {
    const start = layout.start(s)
    for (let table = 0; table < layout.tableCount(s); table++) mu[start + 2 ** s * table] -= 1
  }
}

/** <gradient, mu> of consistent moments as a polynomial: writes the coefficient of every coordinate, returns the constant. */
export function polynomialOf(layout: MomentLayout, gradient: Float64Array, coefficients: Float64Array): number {
  const {conceptCount: m, order} = layout
  const {p, q, r} = coordinateParts(layout, coefficients)
  coefficients.fill(0)
  let constant = 0
  let cell = 0
  for (let i = 0; i < m; i++, cell += 2) {
    constant += gradient[cell]
    p[i] += gradient[cell + 1] - gradient[cell]
  }
  if (order < 2) return constant
  for (let i = 0, pair = 0; i < m; i++)
    for (let k = i + 1; k < m; k++, pair++, cell += 4) {
      const g0 = gradient[cell]
      constant += g0
      p[k] += gradient[cell + 1] - g0
      p[i] += gradient[cell + 2] - g0
      q[pair] += gradient[cell + 3] - gradient[cell + 2] - gradient[cell + 1] + g0
    }
  if (order < 3) return constant
  for (let i = 0, triple = 0, ik = 0, first = 0; i < m; i++) {
    let kl = first + m - i - 1
    first = kl
    for (let k = i + 1; k < m; k++, ik++)
      for (let l = k + 1, il = ik + 1; l < m; l++, il++, kl++, triple++, cell += 8) {
        const g0 = gradient[cell]
        const onL = gradient[cell + 1] - g0
        const onK = gradient[cell + 2] - g0
        const onI = gradient[cell + 4] - g0
        const onKL = gradient[cell + 3] - g0 - onK - onL
        const onIL = gradient[cell + 5] - g0 - onI - onL
        const onIK = gradient[cell + 6] - g0 - onI - onK
        constant += g0
        p[i] += onI
        p[k] += onK
        p[l] += onL
        q[ik] += onIK
        q[il] += onIL
        q[kl] += onKL
        r[triple] += gradient[cell + 7] - g0 - onI - onK - onL - onIK - onIL - onKL
      }
  }
  return constant
}

/** Views of the singles, pairs and triples among coordinates or coefficients. */
export function coordinateParts(layout: MomentLayout, coordinates: Float64Array) {
  const pairs = layout.tableCount(1)
  const triples = pairs + layout.tableCount(2)
  return {
    p: coordinates.subarray(0, pairs),
    q: coordinates.subarray(pairs, triples),
    r: coordinates.subarray(triples, triples + layout.tableCount(3))
  }
}

/** The singles and pairs of such coefficients as a quadratic function of 0/1 variables. */
export function quadraticOf(layout: MomentLayout, coefficients: Float64Array): BinaryQuadratic {
  const {p, q} = coordinateParts(layout, coefficients)
  return {size: layout.conceptCount, linear: p, quadratic: q}
}

/** The same with triples as a cubic function. */
export function cubicOf(layout: MomentLayout, coefficients: Float64Array): BinaryCubic {
  return {...quadraticOf(layout, coefficients), cubic: coordinateParts(layout, coefficients).r}
}
