/**
 * Which words occur with each *member* (single feature) of an anchor, and how similar two members are by that measure.
 *
 * Profile of member w: z_wj, the covariance of w with word j in standard errors under independence. Under the anchor
 * condition the members of one concept have proportional profiles, d_w Cov(Y, x_j). The similarity of two members is the
 * cosine of their profiles, corrected for noise: each z has variance 1, so a length without noise is sqrt(|z|^2 - n).
 * Words expected in fewer than LEAST_EXPECTED documents with the member carry no information and stay 0.
 *
 * Layout: z of member w and word j at `w*n + j`. Cost: one pass over the words of the patterns, M n for the profiles.
 */
import {type Counts, wordTotals} from '../../read/counts/index.ts'
import {excessErrors} from './anchor-statistics.ts'

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
  /** Expected squared length of pure noise: the number of words in the profile. */
  readonly noise: Float64Array
}

/** Released tables do not count the members of an anchor separately: from them, only anchors of one member have profiles. */
export function memberProfiles(counts: Counts): MemberProfiles {
  const all = counts.lexicon.anchors.flatMap(({any}, concept) => any.map(name => ({name, concept, of: any.length})))
  const known = all.filter(({of}) => counts.tables === undefined || of === 1)
  const place = all.map(member => known.indexOf(member))
  const names = known.map(({name}) => name)
  const concepts = known.map(({concept}) => concept)
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
      const isInformative = documents[w] * totals[j] >= LEAST_EXPECTED * N && documents[w] < N && totals[j] < N
      const excess = isInformative ? excessErrors(z[w * n + j], documents[w], totals[j], N) : 0
      z[w * n + j] = excess
      noise[w] += Number(isInformative)
      signal[w] += isInformative ? excess ** 2 - 1 : 0
    }
  return {names, concepts, documents, wordCount: n, z, signal, noise}
}

/** The cosine of two profiles, corrected for noise, so it may slightly exceed 1; NaN where one has no signal. */
export function similarity({z, signal, wordCount: n}: MemberProfiles, a: number, b: number): number {
  let product = 0
  for (let j = 0; j < n; j++) product += z[a * n + j] * z[b * n + j]
  return product / Math.sqrt(Math.max(0, signal[a]) * Math.max(0, signal[b]))
}
