import {AdfaError, checkOptions, oneOf, type Rule, whole} from '../../base/checks/index.ts'
import {log} from '../../base/numeric/index.ts'
import type {Counts, NoisePart, NoiseStatement} from '../counts/index.ts'
import {conceptSetCount} from './concept-sets.ts'
import {NoiseSource, type RandomWords} from './discrete-noise.ts'
import type {ReleaseNoise} from './release-counts.ts'

/**
 * The noise that a privacy budget requires.
 *
 * Guarantee: whether or not any one document was counted changes the probability of every possible release by a factor of
 * at most exp(epsilon), except with probability delta (differential privacy; neighbours differ by one document).
 * A document counts with at most A concepts and W words (`limitEvidence`), so it changes by 1 each at most
 *   anchors: 1 + A + A(A-1)/2 + ... numbers (the documents, and sets of at most `maxOrder` concepts)
 *   words:   W (1 + A + ...) numbers (a word with sets of at most `maxOrder` - 1 concepts)
 *   labels:  as many as there are concepts, when labels are counted.
 * The budget is divided equally among these parts, so that the few numbers of anchors, which matter most, get little noise.
 * Within a part c numbers change by 1, so its L1 sensitivity is c and its L2 sensitivity sqrt(c):
 *   Laplace:  scale c / epsilon_part; the epsilons of the parts add up.
 *   Gaussian: variance c / (2 rho_part), where rho = (sqrt(L + epsilon) - sqrt(L))^2 with L = log(1 / delta); the rhos add up
 *             (zero-concentrated differential privacy: Bun and Steinke 2016; for the discrete one Canonne et al. 2020).
 * Scales and variances are rounded up to whole numbers, which only increases protection.
 */
export type PrivacyRules = Omit<NoiseStatement, 'parts' | 'isRehearsal'>

export const privacyDefaults = {delta: 1e-6, mostAnchors: 4, mostWords: 20} as const

interface TableSizes {
  readonly maxOrder: number
  readonly concepts: number
  readonly words: number
  readonly hasLabels: boolean
}

/** The noise of every part of a release. */
export function privacyBudget(rules: PrivacyRules, sizes: TableSizes): readonly NoisePart[] {
  const {mechanism, epsilon, delta} = checkPrivacyRules(rules)
  const changes = contributions(rules, sizes)
  const budget = mechanism === 'laplace' ? epsilon : 2 * concentration(epsilon, delta)
  return changes.map(part => ({...part, scale: Math.ceil((part.changes * changes.length) / budget)}))
}

/** The rho of zero-concentrated privacy that implies (epsilon, delta). */
export function concentration(epsilon: number, delta: number): number {
  const logInverse = -log(delta)
  // Equals (sqrt(L + e) - sqrt(L))^2, without subtracting nearly equal numbers.
  const root = epsilon / (Math.sqrt(logInverse + epsilon) + Math.sqrt(logInverse))
  return root * root
}

function contributions(
  {mostAnchors, mostWords}: PrivacyRules,
  {maxOrder, concepts, words, hasLabels}: TableSizes
): Omit<NoisePart, 'scale'>[] {
  const fired = Math.min(mostAnchors, concepts)
  const parts: Omit<NoisePart, 'scale'>[] = [
    {name: 'anchors', changes: conceptSetCount(fired, maxOrder)},
    {name: 'words', changes: Math.min(mostWords, words) * conceptSetCount(fired, maxOrder - 1)}
  ]
  if (hasLabels) parts.push({name: 'labels', changes: concepts})
  return parts.filter(({changes}) => changes > 0)
}

/** Refuse rules that are invalid or guarantee nothing. */
export function checkPrivacyRules(rules: PrivacyRules): PrivacyRules {
  const isLaplace = rules.mechanism === 'laplace'
  return checkOptions<PrivacyRules>(
    'privacy',
    rules,
    {
      mechanism: oneOf('laplace', 'gaussian'),
      epsilon: positive(100, 'a number above 0, at most 100 (1 protects well, 10 hardly)'),
      delta: isLaplace
        ? [value => value === 0, '0 with laplace noise; leave it out']
        : positive(0.01, 'above 0 and at most 0.01 with gaussian noise, ideally far below 1 / documents'),
      mostAnchors: whole(1, 10_000),
      mostWords: whole(1, 10_000)
    },
    {}
  )
}

function positive(most: number, rule: string): Rule {
  return [value => typeof value === 'number' && value > 0 && value <= most, rule]
}

export interface NoiseRandomness {
  readonly words: RandomWords
  /** Whether the noise can be reproduced from a seed; the release then states that it protects nobody. */
  readonly isRehearsal: boolean
}

/**
 * The noise that the tables of `counts` need for the guarantee of `rules`. It is added to every number, zeros included.
 * Negative numbers are released as they are, so that the noise of several sites cancels out in their sum.
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
      if (scale === undefined) throw new Error(`internal error: no noise is defined for the ${part}`)
      return mechanism === 'laplace' ? source.laplace(scale) : source.gaussian(scale)
    }
  }
}

/** Refuse counts in which documents have more concepts or words than the rules allow, as far as counts show. */
function requireLimited(counts: Counts, {mostAnchors, mostWords}: PrivacyRules): void {
  const {patternCount, conceptStarts, patternDocuments, wordStarts, wordCounts} = counts
  for (let p = 0; p < patternCount; p++) {
    let words = 0
    for (let at = wordStarts[p]; at < wordStarts[p + 1]; at++) words += wordCounts[at]
    if (conceptStarts[p + 1] - conceptStarts[p] > mostAnchors || words > mostWords * patternDocuments[p])
      throw new AdfaError(
        'bad-counts',
        `documents count with more than ${mostAnchors} concepts or ${mostWords} words, so the noise would protect less ` +
          'than stated; limits apply while documents are counted: count them again with adfa count --privacy'
      )
  }
}
