import {AdfaError} from '../../base/checks/index.ts'
import type {Counts, NoiseStatement} from '../counts/index.ts'
import {NoiseSource, type RandomWords} from './discrete-noise.ts'
import {type PrivacyRules, privacyBudget} from './privacy-budget.ts'
import type {ReleaseNoise} from './release-counts.ts'

/** Where the randomness of noise comes from. */
export interface NoiseRandomness {
  readonly words: RandomWords
  /** Whether somebody could draw the same noise again, from a seed: then the release says that it protects nobody. */
  readonly isRehearsal: boolean
}

/**
 * The noise that the tables of `counts` need to keep the promise of `rules`. It goes on every number, zeros too; numbers may
 * become negative and are released so, since the noise of several sites then cancels out in their sum.
 * The documents must have been counted within the limits of the rules (`limitEvidence`).
 */
export function privacyNoise(
  counts: Counts,
  maxOrder: number,
  rules: PrivacyRules,
  {words, isRehearsal}: NoiseRandomness
): ReleaseNoise {
  requireLimited(counts, rules)
  const {lexicon, labelShare} = counts
  const parts = privacyBudget(rules, {
    maxOrder,
    concepts: lexicon.anchors.length,
    words: lexicon.words.length,
    hasLabels: labelShare > 0
  })
  const source = new NoiseSource(words)
  const scales = new Map(parts.map(({name, scale}) => [name, scale]))
  const {mechanism, epsilon, delta, mostAnchors, mostWords} = rules
  const statement: NoiseStatement = {mechanism, epsilon, delta, mostAnchors, mostWords, parts, isRehearsal}
  return {
    statement,
    draw(part) {
      const scale = scales.get(part)
      if (scale === undefined) throw new Error(`internal error: no noise was meant for the ${part}`)
      return mechanism === 'laplace' ? source.laplace(scale) : source.gaussian(scale)
    }
  }
}

/** Refuse counts in which documents count with more concepts or words than the rules allow, as far as counts can tell. */
function requireLimited(counts: Counts, {mostAnchors, mostWords}: PrivacyRules): void {
  const {patternCount, conceptStarts, patternDocuments, wordStarts, wordCounts} = counts
  for (let p = 0; p < patternCount; p++) {
    let words = 0
    for (let at = wordStarts[p]; at < wordStarts[p + 1]; at++) words += wordCounts[at]
    if (conceptStarts[p + 1] - conceptStarts[p] > mostAnchors || words > mostWords * patternDocuments[p])
      throw new AdfaError(
        'bad-counts',
        `documents count with more than ${mostAnchors} concepts or ${mostWords} words, so the noise would protect less ` +
          'than it says; limits hold while documents are counted: count them again with adfa count --privacy'
      )
  }
}
