/**
 * Which words go with each single feature of the anchors (*member*), and how alike two members are by that.
 *
 * Profile of member w: z_wj, the covariance of w with word j in standard errors under independence. Under the anchor
 * condition the members of one concept have proportional profiles, d_w Cov(Y, x_j). The likeness of two members is the
 * cosine of their profiles, corrected for noise: each z has variance 1, so a length without noise is sqrt(|z|^2 - n).
 * Words that occur in fewer than LEAST_EXPECTED documents with the member by chance say nothing and are left at 0.
 *
 * Layout: z of member w and word j at `w*n + j`. Cost: one pass over the words of the patterns, M n for the profiles.
 */
import {type Counts, wordTotals} from '../../read/counts/index.ts'

const LEAST_EXPECTED = 0.5

export interface MemberProfiles {
  readonly names: readonly string[]
  /** The concept of each member. */
  readonly concepts: readonly number[]
  readonly documents: Float64Array
  readonly wordCount: number
  readonly z: Float64Array
  /** Squared length of each profile without noise, in variances; may be negative. */
  readonly signal: Float64Array
  /** Squared length that noise alone has. */
  readonly noise: Float64Array
}

/** Released tables do not tell the features of an anchor apart: of counts from them, anchors of one feature alone have profiles. */
export function memberProfiles(counts: Counts): MemberProfiles {
  const members = counts.lexicon.anchors.flatMap(({any}, concept) => any.map(name => ({name, concept, of: any.length})))
  const isKnown = members.map(({of}) => counts.tables === undefined || of === 1)
  // The place of each member among those that are known.
  const place = isKnown.map((known, w) => (known ? isKnown.slice(0, w).filter(Boolean).length : -1))
  const names = members.filter((_, w) => isKnown[w]).map(({name}) => name)
  const concepts = members.filter((_, w) => isKnown[w]).map(({concept}) => concept)
  const n = counts.lexicon.words.length
  const N = counts.documentCount
  const documents = new Float64Array(names.length)
  const z = new Float64Array(names.length * n)
  for (let p = 0; p < counts.patternCount; p++)
    for (let a = counts.memberStarts[p]; a < counts.memberStarts[p + 1]; a++) {
      const w = place[counts.members[a]]
      if (w < 0) continue
      documents[w] += counts.patternDocuments[p]
      for (let at = counts.wordStarts[p]; at < counts.wordStarts[p + 1]; at++)
        z[w * n + counts.wordIds[at]] += counts.wordCounts[at]
    }
  const totals = wordTotals(counts)
  const signal = new Float64Array(names.length)
  const noise = new Float64Array(names.length)
  for (let w = 0; w < names.length; w++)
    for (let j = 0; j < n; j++) {
      const expected = (documents[w] * totals[j]) / N
      const variance = expected * (1 - documents[w] / N) * (1 - totals[j] / N)
      const isTold = expected >= LEAST_EXPECTED && variance > 0
      z[w * n + j] = isTold ? (z[w * n + j] - expected) / Math.sqrt(variance) : 0
      if (!isTold) continue
      noise[w]++
      signal[w] += z[w * n + j] ** 2 - 1
    }
  return {names, concepts, documents, wordCount: n, z, signal, noise}
}

/** The cosine of two profiles without noise, at most 1 but for chance; NaN where one has no signal. */
export function likeness({z, signal, wordCount: n}: MemberProfiles, a: number, b: number): number {
  let product = 0
  for (let j = 0; j < n; j++) product += z[a * n + j] * z[b * n + j]
  return product / Math.sqrt(Math.max(0, signal[a]) * Math.max(0, signal[b]))
}
