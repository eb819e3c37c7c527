/**
 * What two conditionally independent members of an anchor and a third view say about a hidden binary Y, in closed form.
 *
 * Members a, b and a view s with E[a b s | Y] = E[a|Y] E[b|Y] E[s|Y] have, with p = P(Y=1), v = p (1 - p) and
 * d_a = P(a|1) - P(a|0), the central moments C_ab = v d_a d_b (C_as, C_bs alike) and K = v (1 - 2p) d_a d_b d_s. So
 *
 *     u = (1 - 2p) d_a = K / C_bs,   d_a^2 = u^2 + 4 C_ab C_as / C_bs,   d_b = d_a C_bs / C_as,   p = (1 - u / d_a) / 2.
 *
 * d_a C_bs is the root of the hyperdeterminant K^2 + 4 C_ab C_as C_bs; Y=1 is the component with the larger P(a=1|.),
 * so d_a > 0. The view enters by its mean alone: any score of the other observations serves, not just one word.
 * A further member w needs just C_w = cov(w, a + b) = v d_w (d_a + d_b). Standard errors: delta method, by influence
 * functions, which are linear in s: of a group of documents its mean and variance of s suffice.
 *
 * Layout of moments: C_ab, C_as, C_bs, K, E[s], then E[w] of the M members, then C_w. Of parameters: p, then
 * P(.=1|Y=0), P(.=1|Y=1) of each member, of the union of all, and E[s|Y]. Cost: one pass over the groups.
 */

/** Documents in groups; members and their number M lie as in {@link memberFlags}. */
export interface ViewGroups {
  readonly memberCount: number
  /** The members a and b. */
  readonly pair: readonly [number, number]
  readonly flags: Uint8Array
  readonly documents: Float64Array
  /** Mean and variance of s within each group. */
  readonly score: Float64Array
  readonly scoreVariance: Float64Array
}

export interface ViewSolution {
  readonly parameters: Float64Array
  readonly standardErrors: Float64Array
}

/** Undefined where C_ab C_as C_bs is not positive: no two components have such moments. */
export function solveThreeViews(groups: ViewGroups): ViewSolution | undefined {
  const moments = centralMoments(groups)
  if (!(moments[0] * moments[1] * moments[2] > 0)) return undefined
  const parameters = new Float64Array(2 * groups.memberCount + 5)
  const unused = new Float64Array(parameters.length)
  solve(groups, moments, new Float64Array(moments.length), parameters, unused)
  return {parameters, standardErrors: deltaErrors(groups, moments, parameters.length)}
}

function centralMoments({memberCount: M, pair: [a, b], flags, documents, score}: ViewGroups): Float64Array {
  const m = new Float64Array(5 + 2 * M)
  const means = m.subarray(5, 5 + M)
  let N = 0
  for (let g = 0; g < documents.length; g++) {
    N += documents[g]
    m[4] += documents[g] * score[g]
    for (let w = 0; w < M; w++) means[w] += documents[g] * flags[g * M + w]
  }
  for (let at = 4; at < 5 + M; at++) m[at] /= N
  for (let g = 0; g < documents.length; g++) {
    const share = documents[g] / N
    const alpha = flags[g * M + a] - means[a]
    const beta = flags[g * M + b] - means[b]
    const sigma = score[g] - m[4]
    m[0] += share * alpha * beta
    m[1] += share * alpha * sigma
    m[2] += share * beta * sigma
    m[3] += share * alpha * beta * sigma
    for (let w = 0; w < M; w++) m[5 + M + w] += share * (flags[g * M + w] - means[w]) * (alpha + beta)
  }
  return m
}

/** Parameters of moments `m` into `to`, and how they change along the direction `dm` into `dto`. */
function solve(
  {memberCount: M, pair: [a, b]}: ViewGroups,
  m: Float64Array,
  dm: Float64Array,
  to: Float64Array,
  dto: Float64Array
): void {
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
  const set = (at: number, mean: number, dmean: number, d: number, dd: number) => {
    to[at] = mean - p * d
    to[at + 1] = mean + (1 - p) * d
    dto[at] = dmean - p * dd - dp * d
    dto[at + 1] = dmean + (1 - p) * dd - dp * d
  }
  to[0] = p
  dto[0] = dp
  const v = p * (1 - p)
  for (let w = 0; w < M; w++) {
    const d = w === a ? da : w === b ? db : m[5 + M + w] / (v * (da + db))
    const ofOther = dm[5 + M + w] / (v * (da + db)) - d * (((1 - 2 * p) * dp) / v + (dda + ddb) / (da + db))
    set(1 + 2 * w, m[5 + w], dm[5 + w], d, w === a ? dda : w === b ? ddb : ofOther)
  }
  unite(M, to, dto)
  set(2 * M + 3, m[4], dm[4], ds, dds)
}

/** The union fires unless every member fails to: 1 - prod (1 - P(w|y)). */
function unite(M: number, to: Float64Array, dto: Float64Array): void {
  for (let y = 0; y < 2; y++) {
    let silent = 1
    let dsilent = 0
    for (let w = 0; w < M; w++) {
      const at = 1 + 2 * w + y
      dsilent = dsilent * (1 - to[at]) - silent * dto[at]
      silent *= 1 - to[at]
    }
    to[2 * M + 1 + y] = 1 - silent
    dto[2 * M + 1 + y] = -dsilent
  }
}

function deltaErrors(groups: ViewGroups, m: Float64Array, parameterCount: number): Float64Array {
  const {memberCount: M, pair, flags, documents, score, scoreVariance} = groups
  const [a, b] = pair
  // The derivatives of all parameters by moment at, one row each.
  const gradient = Array.from(m, (_, at) => {
    const unit = new Float64Array(m.length)
    unit[at] = 1
    const row = new Float64Array(parameterCount)
    solve(groups, m, unit, new Float64Array(parameterCount), row)
    return row
  })
  const variances = new Float64Array(parameterCount)
  const base = new Float64Array(m.length)
  const slope = new Float64Array(m.length)
  let N = 0
  for (let g = 0; g < documents.length; g++) {
    N += documents[g]
    const alpha = flags[g * M + a] - m[5 + a]
    const beta = flags[g * M + b] - m[5 + b]
    const sigma = score[g] - m[4]
    slope[1] = alpha
    slope[2] = beta
    slope[3] = alpha * beta - m[0]
    slope[4] = 1
    for (let at = 1; at < 5; at++) base[at] = slope[at] * sigma - (at < 4 ? m[at] : 0)
    base[0] = alpha * beta - m[0]
    base[3] -= alpha * m[2] + beta * m[1]
    for (let w = 0; w < M; w++) {
      base[5 + w] = flags[g * M + w] - m[5 + w]
      base[5 + M + w] = base[5 + w] * (alpha + beta) - m[5 + M + w]
    }
    for (let at = 0; at < parameterCount; at++) {
      let influence = 0
      for (let k = 0; k < m.length; k++) influence += gradient[k][at] * base[k]
      let bySigma = 0
      for (let k = 1; k < 5; k++) bySigma += gradient[k][at] * slope[k]
      variances[at] += documents[g] * (influence * influence + bySigma * bySigma * scoreVariance[g])
    }
  }
  return variances.map(sum => Math.sqrt(sum) / N)
}
