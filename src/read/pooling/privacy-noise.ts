import {AdfaError} from '../../base/checks/index.ts'
import {log} from '../../base/numeric/index.ts'
import type {Counts, NoisePart, NoiseStatement} from '../counts/index.ts'
import {NoiseSource, type RandomWords} from './discrete-noise.ts'
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

/**
 * How much noise a privacy budget asks for.
 *
 * Promise: whether any one document was counted or not changes the probability of every possible release by a factor of
 * at most exp(epsilon), but for a chance of delta (differential privacy; neighbours differ in one document more or less).
 * A document counts with at most A concepts and W words (`limitEvidence`), so it changes by 1 each at most
 *   anchors: 1 + A + A(A-1)/2 + ... numbers (the documents, and sets of at most `maxOrder` concepts)
 *   words:   W (1 + A + ...) numbers (a word with sets of at most `maxOrder` - 1 concepts)
 *   labels:  as many as there are concepts, when labels are counted.
 * The budget is divided equally between these parts: the anchors' few numbers, on which all else rests, get little noise.
 * Within a part c numbers change by 1, so its L1 sensitivity is c and its L2 sensitivity sqrt(c):
 *   Laplace:  scale c / epsilon_part; the epsilons of the parts add up.
 *   Gaussian: variance c / (2 rho_part), where rho = (sqrt(L + epsilon) - sqrt(L))^2 with L = log(1 / delta); the rhos add up
 *             (zero-concentrated differential privacy: Bun and Steinke 2016; for the discrete one Canonne et al. 2020).
 * Scales and variances are rounded up to whole numbers, which only protects more.
 */
export type PrivacyRules = Omit<NoiseStatement, 'parts' | 'isRehearsal'>

export const privacyDefaults = {delta: 1e-6, mostAnchors: 4, mostWords: 20} as const

/** What the size of the tables depends on. */
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

/** The rho of zero-concentrated privacy that gives (epsilon, delta). */
export function concentration(epsilon: number, delta: number): number {
  const logInverse = -log(delta)
  // The same as (sqrt(L + e) - sqrt(L))^2, without the difference of nearly equal numbers.
  const root = epsilon / (Math.sqrt(logInverse + epsilon) + Math.sqrt(logInverse))
  return root * root
}

function contributions(
  {mostAnchors, mostWords}: PrivacyRules,
  {maxOrder, concepts, words, hasLabels}: TableSizes
): Omit<NoisePart, 'scale'>[] {
  const fired = Math.min(mostAnchors, concepts)
  const parts: Omit<NoisePart, 'scale'>[] = [
    {name: 'anchors', changes: subsetsUpTo(fired, maxOrder)},
    {name: 'words', changes: Math.min(mostWords, words) * subsetsUpTo(fired, maxOrder - 1)}
  ]
  if (hasLabels) parts.push({name: 'labels', changes: concepts})
  return parts.filter(({changes}) => changes > 0)
}

/** How many subsets of at most `order` elements a set of `size` has, the empty one too. */
function subsetsUpTo(size: number, order: number): number {
  let total = 0
  let choices = 1
  for (let k = 0; k <= order && k <= size; k++) {
    total += choices
    choices = (choices * (size - k)) / (k + 1)
  }
  return total
}

/** Refuse rules that promise nothing or make no sense. */
export function checkPrivacyRules(rules: PrivacyRules): PrivacyRules {
  const {mechanism, epsilon, delta, mostAnchors, mostWords} = rules
  const refuse = (what: string, rule: string, got: unknown) =>
    new AdfaError('bad-option', `${what} ${rule}; got ${got}`)
  if (mechanism !== 'laplace' && mechanism !== 'gaussian')
    throw refuse('privacy', 'is laplace or gaussian', JSON.stringify(mechanism))
  if (!(epsilon > 0 && epsilon <= 100))
    throw refuse('epsilon', 'is a number above 0, at most 100 (1 protects well, 10 hardly)', epsilon)
  if (mechanism === 'gaussian' && !(delta > 0 && delta <= 0.01))
    throw refuse('delta', 'of gaussian noise is above 0 and at most 0.01, best far below 1 / documents', delta)
  if (mechanism === 'laplace' && delta !== 0) throw refuse('delta', 'is 0 with laplace noise; leave it out', delta)
  for (const [name, value] of Object.entries({'most-anchors': mostAnchors, 'most-words': mostWords}))
    if (!Number.isInteger(value) || value < 1 || value > 10_000)
      throw refuse(name, 'is a whole number from 1 to 10,000', value)
  return rules
}
