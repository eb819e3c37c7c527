import {AdfaError, badOption, unreachable} from '../../base/checks/index.ts'
import {exp, log} from '../../base/numeric/index.ts'
import {anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'
import {type RateInterval, TRUE_POSITIVE_LIMIT} from './rates.ts'

/** The evidence about an anchor without labels. */
export type GuessEvidence =
  /** One anchor: `wordShares` holds P(A|word) of the five words that predict it best. */
  | {readonly kind: 'one-anchor'; readonly firing: number; readonly wordShares: readonly number[]}
  /** Two members A and B of one anchor: P(A|B), and P(A=1|Y=1) of a latent class model of both. */
  | {readonly kind: 'two-views'; readonly firing: number; readonly agreement: number; readonly latentClass: number}

export interface GuessedRates {
  readonly kind: 'guess'
  /** P(A) / P(Y) of each concept; the interval is a factor of 2.5 either way, as far as 1. */
  readonly effectiveTruePositive: readonly RateInterval[]
  /** The matching P(Y). */
  readonly prevalence: readonly number[]
  /** Concepts whose guess was limited: to 0.98, or so that the prevalence is at most 1. */
  readonly clipped: readonly number[]
}

/** Regression of log t on log w (median P(A|word)) and log a (P(A)) over the concepts of eight corpora. */
const INTERCEPT = 0.42
const WORD_SLOPE = 0.24
const FIRING_SLOPE = 0.15
/** Fitted likewise. */
const TWO_VIEW_FACTOR = 1.1
/** Errors that differ between concepts hurt more than a common one, so differences are halved. */
const SHRINKAGE = 0.5
/** 0.92 in the log, where the root mean square error was 0.27-0.63 by corpus. */
const INTERVAL_FACTOR = 2.5

/**
 * A guess at P(A) / P(Y) without labels. Not an estimate: no assumption makes it consistent, and its constants were fitted
 * to a few corpora. One anchor: log t = 0.42 + 0.24 log w + 0.15 log a; two members: t = 1.1 sqrt(P(A|B) t_class); then
 * each log moves halfway to the mean. A known number of concepts per document scales all so that sum a / t equals it.
 */
export function guessRates(evidence: readonly GuessEvidence[], conceptsPerDocument?: number): GuessedRates {
  if (conceptsPerDocument !== undefined && !(conceptsPerDocument > 0 && conceptsPerDocument < evidence.length))
    throw badOption('guessRates', 'conceptsPerDocument', `above 0 and below ${evidence.length}`, conceptsPerDocument)
  const logs = evidence.map(logGuess)
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const shrunk = logs.map(value => exp(mean + SHRINKAGE * (value - mean)))
  const implied = shrunk.reduce((sum, t, i) => sum + evidence[i].firing / t, 0)
  const scale = conceptsPerDocument === undefined ? 1 : implied / conceptsPerDocument
  const wanted = shrunk.map(t => t * scale)
  const held = wanted.map((t, i) => Math.max(Math.min(t, TRUE_POSITIVE_LIMIT), evidence[i].firing))
  return {
    kind: 'guess',
    effectiveTruePositive: held.map(value => ({
      value,
      low: value / INTERVAL_FACTOR,
      high: Math.min(value * INTERVAL_FACTOR, 1)
    })),
    prevalence: held.map((t, i) => evidence[i].firing / t),
    clipped: held.flatMap((t, i) => (t === wanted[i] ? [] : [i]))
  }
}

function logGuess(evidence: GuessEvidence, i: number): number {
  switch (evidence.kind) {
    case 'one-anchor':
      checkShares([evidence.firing, ...evidence.wordShares], i)
      return INTERCEPT + WORD_SLOPE * log(median(evidence.wordShares, i)) + FIRING_SLOPE * log(evidence.firing)
    case 'two-views':
      checkShares([evidence.firing, evidence.agreement, evidence.latentClass], i)
      return log(TWO_VIEW_FACTOR * Math.sqrt(evidence.agreement * evidence.latentClass))
    default:
      return unreachable(evidence)
  }
}

function checkShares(shares: readonly number[], i: number): void {
  const bad = shares.find(share => !(share > 0 && share <= 1))
  if (bad !== undefined)
    throw new AdfaError(
      'bad-rates',
      `concept number ${i}: probability ${bad}; a guess needs all above 0 and at most 1; choose another anchor`
    )
}

function median(values: readonly number[], i: number): number {
  if (values.length === 0)
    throw new AdfaError('bad-rates', `concept number ${i}: no word to guess from; give P(A|word) of at least one word`)
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}

const WORDS = 5
/** Words are ranked by the lower end of the 90% interval of their share, so that rare ones do not lead by chance. */
const LIMIT_ERRORS = 1.645

/** For each concept, P(A|word) of the five words that predict its anchor best. */
export function bestWordShares(counts: Counts): number[][] {
  const totals = wordTotals(counts)
  const together = anchorWordCounts(counts)
  const n = totals.length
  return counts.lexicon.anchors.map((_, i) => {
    const found: {limit: number; share: number}[] = []
    for (let j = 0; j < n; j++) {
      const count = together[i * n + j]
      if (count > 0)
        found.push({limit: (count - LIMIT_ERRORS * Math.sqrt(count)) / totals[j], share: count / totals[j]})
    }
    return found
      .sort((a, b) => b.limit - a.limit)
      .slice(0, WORDS)
      .map(({share}) => share)
  })
}
