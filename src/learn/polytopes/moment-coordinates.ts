import type {MomentLayout} from './moment-layout.ts'

/**
 * Consistent moments in coordinates that are free of each other (Moebius): P(all on) of every set of at most K concepts,
 * that is p_i of the singles, then q_ik of the pairs, then r_ikl of the triples, in the order of the layout.
 * A linear function of consistent moments is a polynomial of 0/1 variables y: p_i stands for y_i, q_ik for y_i y_k, r_ikl for
 * y_i y_k y_l. Cost: a few additions a cell.
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
    // Pairs are row-major: k l follows on from the pairs of i, and i l from i k.
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

/** How the cells change when the coordinates change by `changes`: `momentsAt` without its constant. */
export function momentChanges(layout: MomentLayout, changes: Float64Array, mu: Float64Array): void {
  momentsAt(layout, changes, mu)
  for (let s = 1; s <= layout.order; s++) {
    const start = layout.start(s)
    for (let table = 0; table < layout.tableCount(s); table++) mu[start + 2 ** s * table] -= 1
  }
}

/**
 * The polynomial that <gradient, mu> is on consistent moments: writes the coefficient of every coordinate and gives the
 * constant.
 */
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
