import {log, logit} from '../../base/numeric/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {pairCovariances} from './pair-covariances.ts'

/** A number for each concept i and other concept k, at `[i][k]`; 0 on the diagonal. */
type Pairs = readonly (readonly number[])[]

/** The evidence of the other concepts about a concept, each on its own: log-odds that add up. Plain data. */
export interface Company {
  /** The prior log-odds of each concept. */
  readonly prior: readonly number[]
  /** Added for each other concept k: its anchor did not fire, or fired; or, where its label is known, absent or present. */
  readonly silentAnchor: Pairs
  readonly firedAnchor: Pairs
  readonly absentTag: Pairs
  readonly presentTag: Pairs
}

/**
 * From all pairs of concepts: log P(A_k | Y_i = 1) / P(A_k | Y_i = 0) for every other anchor and log P(Y_k | Y_i = 1) /
 * P(Y_k | Y_i = 0) for every other label, added to log p_i / (1 - p_i) as if the others were independent given Y_i. They
 * are not, so an anchor that fires moves the log-odds by `share` of its lone effect; anchors that do not fire are weak
 * evidence and known labels few, and both count in full. Cost: O(patterns + m^2).
 *
 * Not only pairs of a forest: a document shows one or two other concepts, and the path between two that are not neighbours
 * passes little on, while their own pair was counted (docs/words.md has the figures).
 */
export function learnCompany(counts: Counts, rates: NoiseRates, share: number): Company {
  const {truePositive: t, falsePositive: e, prevalence: p} = rates
  const m = p.length
  const covariances = pairCovariances(counts, rates)
  // The evidence of k, from the probabilities of Y_k where Y_i is 1 and where it is 0.
  const pairs = (say: (with1: number, with0: number, k: number) => number): Pairs =>
    Array.from(p, (pi, i) =>
      Array.from(p, (pk, k) =>
        i === k ? 0 : say(pk + covariances[i * m + k] / pi, pk - covariances[i * m + k] / (1 - pi), k)
      )
    )
  const fires = (chance: number, k: number) => e[k] + (t[k] - e[k]) * chance
  const silence = (with1: number, with0: number, k: number) => log((1 - fires(with1, k)) / (1 - fires(with0, k)))
  return {
    prior: Array.from(p, share => logit(share, 1e-12)),
    silentAnchor: pairs(silence),
    firedAnchor: pairs((with1, with0, k) => {
      const alone = log(fires(with1, k) / fires(with0, k))
      return share * alone + (1 - share) * silence(with1, with0, k)
    }),
    absentTag: pairs((with1, with0) => log((1 - with1) / (1 - with0))),
    presentTag: pairs((with1, with0) => log(with1 / with0))
  }
}

/** Reads a company for many documents. */
export interface CompanyReader {
  /** out[i] = the log-odds of concept i from the anchors of the others, or from their labels where known. */
  fromAnchors(fired: readonly number[], known: ArrayLike<number> | undefined, out: Float64Array): void
  /** out[i] = the log-odds of concept i from labels alone: 1 present, 0 absent, -1 unknown. */
  fromKnown(known: ArrayLike<number> | undefined, out: Float64Array): void
  /** out[i] = the log-odds of concept i when the given tags are all tags, apart from i. */
  fromTags(given: readonly number[], out: Float64Array): void
}

/** Sums the case without fired anchors and tags once; a document then costs O(m (fired + known)). */
export function createCompanyReader(company: Company): CompanyReader {
  const {prior, silentAnchor, firedAnchor, absentTag, presentTag} = company
  const withAll = (pairs: Pairs) => Float64Array.from(prior, (own, i) => pairs[i].reduce((sum, say) => sum + say, own))
  const allSilent = withAll(silentAnchor)
  const allAbsent = withAll(absentTag)
  const exchange = (out: Float64Array, k: number, less: Pairs, more: Pairs) => {
    for (let i = 0; i < out.length; i++) out[i] += more[i][k] - less[i][k]
  }
  return {
    fromAnchors(fired, known, out) {
      out.set(allSilent)
      for (const k of fired) exchange(out, k, silentAnchor, firedAnchor)
      if (known === undefined) return
      for (let k = 0; k < known.length; k++)
        if (known[k] !== -1)
          exchange(out, k, fired.includes(k) ? firedAnchor : silentAnchor, known[k] === 1 ? presentTag : absentTag)
    },
    fromKnown(known, out) {
      out.set(prior)
      if (known === undefined) return
      for (let k = 0; k < known.length; k++)
        if (known[k] !== -1) {
          const pairs = known[k] === 1 ? presentTag : absentTag
          for (let i = 0; i < out.length; i++) out[i] += pairs[i][k]
        }
    },
    fromTags(given, out) {
      out.set(allAbsent)
      for (const k of given) exchange(out, k, absentTag, presentTag)
    }
  }
}
