import {AdfaError, checkOptions, nearestName, whole} from '../../base/checks/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import type {EstimatedRates, RateInterval} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {Row} from '../../read/data/index.ts'
import {type ConceptForms, findForms} from './anchor-forms.ts'
import {type AnchorStatistics, anchorStatistics, knownRates, shareInterval} from './anchor-statistics.ts'
import {barredWords} from './barred-words.ts'
import {isMoreAlike, otherNamed, type Similarity, type WordNames, wordNames} from './name-similarity.ts'
export interface SuggestOptions {
  /** The rates of anchors, by concept; some or none. */
  readonly rates: readonly EstimatedRates[]
  /** The largest number of words per concept. */
  readonly perConcept: number
  /** The concepts to suggest for; empty for all. */
  readonly concepts: readonly string[]
  /** Whether a word similar to a name of the concept has an advantage. */
  readonly useNames: boolean
}

export const suggestDefaults: SuggestOptions = {
  rates: [],
  perConcept: 10,
  concepts: [],
  useNames: true
}

export interface ConceptSuggestions {
  readonly concept: string
  /** The members of its anchor. */
  readonly anchor: readonly string[]
  /** The rates of the anchor; without them precision and coverage are upper bounds. */
  readonly rates: EstimatedRates | undefined
  /** Best first; empty where no word is good enough. */
  readonly words: readonly Suggestion[]
}

/** A word that may be added to an anchor. */
export interface Suggestion extends WordClaim {
  readonly word: string
  /** Words are ranked by it, highest first. */
  readonly score: number
  /** Whether documents support it, or only its name. */
  readonly basis: 'documents' | 'name'
  readonly similarity: Similarity
  /** Another concept that it may indicate as well. */
  readonly rival: Rival | undefined
  /** Another concept whose names are as similar. */
  readonly namesake: string | undefined
}

/**
 * Words that may be added to the anchor of each concept, best first. Score: P(Y|x) sqrt(P(x|Y)), each at the lower end
 * of its 90% interval so that rare words do not win by chance, divided by 1 + the strength of another concept that the
 * word indicates (`strongestRival`), plus a bonus for a word similar to the concept's name or a member of its anchor. A
 * word used instead of the anchor, not beside it ("effusions" for "effusion"), is found by its name alone and marked so.
 * Members of anchors, words in the concept's "not", function words, single letters, negated mentions and weak words are
 * never suggested.
 * Cost: one pass over the counts, O(m n), and O(m) per candidate.
 */
export function suggestAnchors(counts: Counts, options?: Partial<SuggestOptions>): ConceptSuggestions[] {
  const rules = {perConcept: whole(1)}
  const {rates, perConcept, concepts, useNames} = checkOptions('suggestAnchors', suggestDefaults, rules, options)
  const {anchors} = counts.lexicon
  checkConcepts(
    concepts,
    anchors.map(({concept}) => concept)
  )
  const evidence = wordEvidence(counts, rates)
  const {member, veto, isEmpty} = barredWords(counts.lexicon)
  const names = useNames ? wordNames(counts.lexicon) : undefined
  return anchors.flatMap(({concept, any}, i) => {
    if (concepts.length > 0 && !concepts.includes(concept)) return []
    const found: Suggestion[] = []
    for (let j = 0; j < evidence.n; j++) {
      if (member[j] === 1 || veto[i][j] === 1 || isEmpty[j] === 1) continue
      const judged = judge(evidence, names, i, j)
      if (judged !== undefined) found.push(judged)
    }
    // Words are in ascending order, and sorting keeps it between equals.
    const words = found.sort((a, b) => b.score - a.score).slice(0, perConcept)
    return [{concept, anchor: any, rates: evidence.rates[i], words}]
  })
}

/** The same with other forms of the members of each anchor, unless names count for nothing. */
export function suggestMembers(
  counts: Counts,
  rows: readonly Row[] | undefined,
  options?: Partial<SuggestOptions>
): (ConceptSuggestions & ConceptForms)[] {
  const found = options?.useNames === false ? [] : findForms(counts, rows)
  return suggestAnchors(counts, {rates: knownRates(counts), ...options}).map(suggestions => ({
    ...suggestions,
    forms: found.find(({concept}) => concept === suggestions.concept)?.forms ?? []
  }))
}

/** Whether a suggested word is one of the forms. */
export function isForm({forms}: ConceptForms, {word}: Pick<Suggestion, 'word'>): boolean {
  return forms.some(({feature}) => word === feature || word.endsWith(`:${feature}`))
}

function checkConcepts(asked: readonly string[], names: readonly string[]): void {
  const unknown = asked.find(concept => !names.includes(concept))
  if (unknown === undefined) return
  const near = nearestName(unknown, names)
  throw new AdfaError(
    'bad-option',
    `there is no concept "${unknown}" to suggest anchors for; ${near === undefined ? 'a concept needs an anchor to start from: its plainest word will do' : `did you mean "${near}"?`}`,
    {details: {option: 'concepts'}}
  )
}

/** Documents support a word only with at least this P(A|x) / P(A) and this P(Y|x). */
const LEAST_LIFT = 3
const MIN_PRECISION = 0.25
/** A rival of at least this strength is reported; at 1, as strong as the concept itself, it rules the word out. */
const NAMED_RIVAL = 0.5
/**
 * What a similar name adds to the score, of which documents contribute at most 1. In six tagged corpora, 38-69% of the
 * documents with a word of the same name have the concept, 30-54% with an inflected form, 14-39% with the same stem.
 */
const LIKENESS_WORTH: Readonly<Record<Similarity, number>> = {none: 0, stem: 0.15, inflected: 0.3, same: 0.5}
/** At this many documents a name counts half: a rare anchor is of little use, whatever its name. */
const HALF_WORTH = 3

/** Undefined for a word without support, or more similar to another concept's name. Without `names`, only documents count. */
function judge(evidence: WordEvidence, names: WordNames | undefined, i: number, j: number): Suggestion | undefined {
  const {anchors, words} = evidence.counts.lexicon
  const similarity = names?.[i].get(j) ?? 'none'
  const isNamed = similarity !== 'none'
  if (!isNamed && evidence.anchoredWords[i * evidence.n + j] < LEAST_TOGETHER) return undefined
  const other = names && otherNamed(names, i, j)
  if (other !== undefined && isMoreAlike(other.similarity, similarity)) return undefined
  const claim = wordClaim(evidence, i, j)
  const {together, lift, precision, coverage, documents} = claim
  const isShown = together >= LEAST_TOGETHER && lift.low >= LEAST_LIFT && precision.low >= MIN_PRECISION
  if (!isShown && !isNamed) return undefined
  const rival = isShown ? strongestRival(evidence, i, j, claim) : undefined
  const strength = rival?.strength ?? 0
  if (strength >= 1 && !isNamed) return undefined
  const quality = isShown ? (precision.low * Math.sqrt(coverage.low)) / (1 + strength) : 0
  return {
    word: words[j],
    score: quality + (LIKENESS_WORTH[similarity] * documents) / (documents + HALF_WORTH),
    basis: isShown ? 'documents' : 'name',
    ...claim,
    similarity,
    rival: strength >= NAMED_RIVAL ? rival : undefined,
    namesake: other?.similarity === similarity ? anchors[other.concept].concept : undefined
  }
}

/** Fewer common documents may be chance, whatever their share. */
const LEAST_TOGETHER = 3

/** How words occur with anchors. */
interface WordEvidence extends AnchorStatistics {
  /** By concept; undefined where unknown. */
  readonly rates: readonly (EstimatedRates | undefined)[]
  /** P(A=1|Y=1) of each anchor where known; else its lower bound, the highest share beside any word. */
  readonly reach: Float64Array
}

/** Rates are matched by the concept's name. Cost: one pass over the counts and O(m n). */
export function wordEvidence(counts: Counts, given: readonly EstimatedRates[]): WordEvidence {
  const statistics = anchorStatistics(counts)
  const {n, words, anchoredWords} = statistics
  const rates = counts.lexicon.anchors.map(({concept}) => given.find(rate => rate.concept === concept))
  const reach = Float64Array.from(rates, (rate, i) => {
    if (rate !== undefined) return rate.truePositive
    let highest = 0
    for (let j = 0; j < n; j++)
      if (anchoredWords[i * n + j] >= LEAST_TOGETHER)
        highest = Math.max(highest, shareInterval(anchoredWords[i * n + j], words[j]).low)
    return highest
  })
  return {...statistics, rates, reach}
}

/** The evidence from counts for word j as an anchor of concept i. */
export interface WordClaim {
  /** Documents with the word, and how many of these the anchor fires in. */
  readonly documents: number
  readonly together: number
  /** P(A|x): the share of the word's documents where the anchor fires. */
  readonly share: RateInterval
  /** That share over P(A). */
  readonly lift: RateInterval
  /** P(Y|x), from P(A|x) = e + (t - e) P(Y|x); without rates an upper bound, for e = 0 and the least t. */
  readonly precision: RateInterval
  /** P(x|Y) by Bayes' rule from the precision; without rates P(x|A), the same for a perfect anchor. */
  readonly coverage: RateInterval
}

export function wordClaim(evidence: WordEvidence, i: number, j: number): WordClaim {
  const {n, N, words, anchoredWords, reach} = evidence
  const documents = words[j]
  const together = anchoredWords[i * n + j]
  const fired = evidence.fired[i]
  const share = shareInterval(together, documents)
  const rates = evidence.rates[i]
  const e = rates?.falsePositive ?? 0
  const precision = mapInterval(share, value => clamp(reach[i] > e ? (value - e) / (reach[i] - e) : 0, 0, 1))
  return {
    documents,
    together,
    share,
    lift: mapInterval(share, value => (value * N) / fired),
    precision,
    coverage:
      rates === undefined
        ? shareInterval(together, fired)
        : mapInterval(precision, value => clamp((value * documents) / N / rates.prevalence.value, 0, 1))
  }
}

function mapInterval({value, low, high}: RateInterval, change: (value: number) => number): RateInterval {
  return {value: change(value), low: change(low), high: change(high)}
}

/** Another concept that a word indicates. */
export interface Rival {
  readonly concept: string
  /** P(A_k|x): how often its anchor fires beside the word. */
  readonly share: number
  /** How often it would if every document with the word had concept i. */
  readonly explained: number
  /** The unexplained part of P(Y_k|x) relative to P(Y_i|x). */
  readonly strength: number
}

/**
 * The concept k whose anchor occurs with word j most beyond what concept i explains. If the word were an anchor of i,
 * Cov(x, A_k) / Cov(A_i, A_k) would be one ratio for all k. With a precise anchor of i that ratio is at most the one of
 * a word in documents of i alone, so that P(A_k|x) cannot exceed P(A_k|A_i), nor P(A_k) where the two avoid each other.
 * Confidence limits favour the word. Cost: O(m).
 */
export function strongestRival(evidence: WordEvidence, i: number, j: number, own: WordClaim): Rival | undefined {
  const {counts, m, n, N, fired, pairs, words, anchoredWords, reach} = evidence
  let strongest: Rival | undefined
  for (let k = 0; k < m; k++) {
    const together = anchoredWords[k * n + j]
    if (k === i || together < LEAST_TOGETHER || own.precision.low === 0) continue
    const share = shareInterval(together, words[j])
    const explained = Math.max(fired[k] / N, shareInterval(pairs[i * m + k], fired[i]).high)
    const strength = Math.min(1, (share.low - explained) / reach[k]) / own.precision.low
    if (strength > (strongest?.strength ?? 0)) {
      const {concept} = counts.lexicon.anchors[k]
      strongest = {concept, share: share.value, explained, strength}
    }
  }
  return strongest
}
