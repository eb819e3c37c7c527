import {clamp, log} from '../../base/numeric/index.ts'

/** Nearer to 0 or 1 than this, a share is taken for what rounding made of it. */
const EDGE = 1e-12

/** log p / (1 - p), held where it is finite. */
export function logit(p: number): number {
  const inside = clamp(p, EDGE, 1 - EDGE)
  return log(inside / (1 - inside))
}
