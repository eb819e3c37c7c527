/**
 * Two conditionally independent members of an anchor and a third observation determine a hidden binary Y, in closed form.
 *
 * Members a, b and an observation s with E[a b s | Y] = E[a|Y] E[b|Y] E[s|Y] have, with p = P(Y=1), v = p (1 - p) and
 * d_a = P(a|1) - P(a|0), the central moments C_ab = v d_a d_b (C_as, C_bs alike) and K = v (1 - 2p) d_a d_b d_s. So
 *
 *     u = (1 - 2p) d_a = K / C_bs,   d_a^2 = u^2 + 4 C_ab C_as / C_bs,   d_b = d_a C_bs / C_as,   p = (1 - u / d_a) / 2.
 *
 * d_a C_bs is the root of the hyperdeterminant K^2 + 4 C_ab C_as C_bs; Y=1 is the component with the larger P(a=1|.),
 * so d_a > 0. The third enters by its mean alone: any score of further observations serves, not just one word.
 * A further member w needs only C_w = cov(w, a + b) = v d_w (d_a + d_b). Standard errors: delta method, by influence
 * functions, which are linear in s: the mean and variance of s in a group of documents suffice.
 *
 * Layout of moments: C_ab, C_as, C_bs, K, E[s], then E[w] of the M members, then C_w. Of parameters: p, then
 * P(.=1|Y=0), P(.=1|Y=1) of each member, of the union of all, and E[s|Y]. Cost: one pass over the groups.
 */

/** Places of moments. */
const C_AB = 0
const C_AS = 1
const C_BS = 2
const K_ABS = 3
const SCORE_MEAN = 4
const FIRST_MEAN = 5
const meanAt = (w: number) => FIRST_MEAN + w
const covarianceAt = (M: number, w: number) => FIRST_MEAN + M + w
const momentCount = (M: number) => FIRST_MEAN + 2 * M

/** Places of parameters: of the prevalence, and of the value given Y=0, followed by the one given Y=1. */
export const PREVALENCE = 0
export const memberAt = (w: number) => 1 + 2 * w
export const unionAt = (M: number) => 2 * M + 1
export const scoreAt = (M: number) => 2 * M + 3
const parameterCount = (M: number) => 2 * M + 5

/** Documents in groups; members and their number M lie as in {@link memberFlags}. */
export interface PairGroups {
  readonly memberCount: number
  /** The members a and b. */
  readonly pair: readonly [number, number]
  readonly flags: Uint8Array
  readonly documents: Float64Array
  /** Mean and variance of s within each group. */
  readonly score: Float64Array
  readonly scoreVariance: Float64Array
}

export interface PairSolution {
  readonly parameters: Float64Array
  readonly standardErrors: Float64Array
}

/** Undefined where C_ab C_as C_bs is not positive: no two components have such moments. */
export function solvePair(groups: PairGroups): PairSolution | undefined {
  const moments = centralMoments(groups)
  if (!(moments[C_AB] * moments[C_AS] * moments[C_BS] > 0)) return undefined
  const {values: parameters} = solve(groups, {values: moments, changes: new Float64Array(moments.length)})
  return {parameters, standardErrors: deltaErrors(groups, moments)}
}

function centralMoments({memberCount: M, pair: [a, b], flags, documents, score}: PairGroups): Float64Array {
  const m = new Float64Array(momentCount(M))
  const means = m.subarray(FIRST_MEAN, FIRST_MEAN + M)
  let N = 0
  for (let g = 0; g < documents.length; g++) {
    N += documents[g]
    m[SCORE_MEAN] += documents[g] * score[g]
    for (let w = 0; w < M; w++) means[w] += documents[g] * flags[g * M + w]
  }
  for (let at = SCORE_MEAN; at < FIRST_MEAN + M; at++) m[at] /= N
  for (let g = 0; g < documents.length; g++) {
    const share = documents[g] / N
    const alpha = flags[g * M + a] - means[a]
    const beta = flags[g * M + b] - means[b]
    const sigma = score[g] - m[SCORE_MEAN]
    m[C_AB] += share * alpha * beta
    m[C_AS] += share * alpha * sigma
    m[C_BS] += share * beta * sigma
    m[K_ABS] += share * alpha * beta * sigma
    for (let w = 0; w < M; w++) m[covarianceAt(M, w)] += share * (flags[g * M + w] - means[w]) * (alpha + beta)
  }
  return m
}

/** Numbers, and how each changes along one direction. */
interface Dual {
  readonly values: Float64Array
  readonly changes: Float64Array
}

/** The parameters of these moments. A leading d marks a change; da, db, ds are the differences d_a, d_b, d_s. */
function solve({memberCount: M, pair: [a, b]}: PairGroups, {values: m, changes: dm}: Dual): Dual {
  const to = new Float64Array(parameterCount(M))
  const dto = new Float64Array(to.length)
  const [Cab, Cas, Cbs, K] = m
  const [dCab, dCas, dCbs, dK] = dm
  const u = K / Cbs
  const du = (dK - u * dCbs) / Cbs
  const q = (4 * Cab * Cas) / Cbs
  const da = Math.sqrt(u * u + q)
  const dda = (u * du + 0.5 * q * (dCab / Cab + dCas / Cas - dCbs / Cbs)) / da
  const p = (1 - u / da) / 2
  const dp = (u * (dda / da) - du) / (2 * da)
  const db = (da * Cbs) / Cas
  const ddb = db * (dda / da + dCbs / Cbs - dCas / Cas)
  const ds = (da * Cbs) / Cab
  const dds = ds * (dda / da + dCbs / Cbs - dCab / Cab)
  // The two values of a variable whose mean is moment `from` and whose difference is d.
  const set = (at: number, from: number, d: number, dd: number) => {
    to[at] = m[from] - p * d
    to[at + 1] = m[from] + (1 - p) * d
    dto[at] = dm[from] - p * dd - dp * d
    dto[at + 1] = dm[from] + (1 - p) * dd - dp * d
  }
  to[PREVALENCE] = p
  dto[PREVALENCE] = dp
  const v = p * (1 - p)
  for (let w = 0; w < M; w++) {
    const at = covarianceAt(M, w)
    const d = w === a ? da : w === b ? db : m[at] / (v * (da + db))
    const ofOther = dm[at] / (v * (da + db)) - d * (((1 - 2 * p) * dp) / v + (dda + ddb) / (da + db))
    set(memberAt(w), meanAt(w), d, w === a ? dda : w === b ? ddb : ofOther)
  }
  unite(M, to, dto)
  set(scoreAt(M), SCORE_MEAN, ds, dds)
  return {values: to, changes: dto}
}

/** The union fires unless no member does: 1 - prod (1 - P(w|y)). */
function unite(M: number, to: Float64Array, dto: Float64Array): void {
  for (let y = 0; y < 2; y++) {
    let silent = 1
    let dsilent = 0
    for (let w = 0; w < M; w++) {
      const at = memberAt(w) + y
      dsilent = dsilent * (1 - to[at]) - silent * dto[at]
      silent *= 1 - to[at]
    }
    to[unionAt(M) + y] = 1 - silent
    dto[unionAt(M) + y] = -dsilent
  }
}

/**
 * Standard errors of the parameters: the influence of a document on parameter k is sum_at gradient[at][k] times its
 * influence on moment at, which is `base` at the mean score of its group and changes by `slope` per unit of s.
 */
function deltaErrors(groups: PairGroups, m: Float64Array): Float64Array {
  const {memberCount: M, pair, flags, documents, score, scoreVariance} = groups
  const [a, b] = pair
  const gradient = Array.from(m, (_, at) => {
    const unit = new Float64Array(m.length)
    unit[at] = 1
    return solve(groups, {values: m, changes: unit}).changes
  })
  const variances = new Float64Array(parameterCount(M))
  const base = new Float64Array(m.length)
  const slope = new Float64Array(m.length)
  let N = 0
  for (let g = 0; g < documents.length; g++) {
    N += documents[g]
    const alpha = flags[g * M + a] - m[meanAt(a)]
    const beta = flags[g * M + b] - m[meanAt(b)]
    const sigma = score[g] - m[SCORE_MEAN]
    slope[C_AS] = alpha
    slope[C_BS] = beta
    slope[K_ABS] = alpha * beta - m[C_AB]
    slope[SCORE_MEAN] = 1
    for (let at = C_AS; at <= SCORE_MEAN; at++) base[at] = slope[at] * sigma - (at < SCORE_MEAN ? m[at] : 0)
    base[C_AB] = alpha * beta - m[C_AB]
    base[K_ABS] -= alpha * m[C_BS] + beta * m[C_AS]
    for (let w = 0; w < M; w++) {
      base[meanAt(w)] = flags[g * M + w] - m[meanAt(w)]
      base[covarianceAt(M, w)] = base[meanAt(w)] * (alpha + beta) - m[covarianceAt(M, w)]
    }
    for (let k = 0; k < variances.length; k++) {
      let influence = 0
      for (let at = 0; at < m.length; at++) influence += gradient[at][k] * base[at]
      let bySigma = 0
      for (let at = C_AS; at <= SCORE_MEAN; at++) bySigma += gradient[at][k] * slope[at]
      variances[k] += documents[g] * (influence * influence + bySigma * bySigma * scoreVariance[g])
    }
  }
  return variances.map(sum => Math.sqrt(sum) / N)
}
