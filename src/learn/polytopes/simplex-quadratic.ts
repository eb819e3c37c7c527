/**
 * Minimise <slopes, w - w0> + (w - w0)' H (w - w0) / 2 over the simplex, from w0 in it: H symmetric, row by row.
 * Stops within `gap` of the minimum, or after 100 steps an atom, which on an ill-conditioned H may be sooner.
 *
 * Method: sequential minimal optimisation: move weight from the atom of the greatest slope to the one of the least, as far as is
 * best. Cost: one row of H a step.
 */
export function minimizeOnSimplex(slopes: Float64Array, H: Float64Array, w0: Float64Array, gap: number): Float64Array {
  const size = slopes.length
  const w = w0.slice()
  const slope = slopes.slice()
  for (let steps = 0; steps < 100 * size; steps++) {
    let low = 0
    let high = -1
    let mean = 0
    for (let n = 0; n < size; n++) {
      mean += w[n] * slope[n]
      if (slope[n] < slope[low]) low = n
      if (w[n] > 0 && (high < 0 || slope[n] > slope[high])) high = n
    }
    if (mean - slope[low] <= gap || high === low) break
    const curvature = H[low * size + low] + H[high * size + high] - 2 * H[low * size + high]
    const free = curvature > 0 ? (slope[high] - slope[low]) / curvature : Number.POSITIVE_INFINITY
    const step = Math.min(w[high], free)
    w[high] = step === w[high] ? 0 : w[high] - step
    w[low] += step
    for (let n = 0; n < size; n++) slope[n] += step * (H[low * size + n] - H[high * size + n])
  }
  return w
}
