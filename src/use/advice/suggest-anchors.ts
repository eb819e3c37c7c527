import {AdfaError, nearestName, withDefaults} from '../../base/checks/index.ts'
import type {EstimatedRates} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {barredWords} from './barred-words.ts'
import {type Candidate, rankWords} from './rank-words.ts'
import type {Suggestion} from './suggestion.ts'
import {suggestionReason, suggestionWarnings} from './suggestion-text.ts'
import {wordCompany} from './word-company.ts'
import {wordNames} from './word-names.ts'

export interface SuggestOptions {
  /** What is known of the anchors, by concept; those not listed are judged without. */
  readonly rates: readonly EstimatedRates[]
  /** The most words for one concept. */
  readonly perConcept: number
  /** The concepts asked for; none means all. */
  readonly concepts: readonly string[]
  /** Whether a word that is like a name of the concept has an advantage. */
  readonly useNames: boolean
}

export const suggestDefaults: SuggestOptions = {rates: [], perConcept: 10, concepts: [], useNames: true}

export interface ConceptSuggestions {
  readonly concept: string
  /** The features that are its anchor already. */
  readonly anchor: readonly string[]
  /** Whether precision and coverage rest on rates of the anchor; if not they are relative, as high as they can be. */
  readonly hasRates: boolean
  /** Best first; empty where no word is good enough. */
  readonly words: readonly Suggestion[]
}

/**
 * Words that may be added to the anchor of each concept, best first. Score: P(Y|x) sqrt(P(x|Y)), each at the lower end
 * of its 90% interval, so that rare words do not win by luck, over 1 + the strength of another concept that the word
 * speaks for (`strongestRival`), and more for a word that is like the concept's name or a feature of its anchor. A word
 * that stands in place of the anchor and not beside it ("effusions" for "effusion") is found by its name alone, and
 * that is said. Words that are part of an anchor, or of the concept's "not", are never suggested; nor are weak ones, as
 * none is better than a bad one. Cost: one pass over the counts, O(m n), and O(m) a candidate.
 */
export function suggestAnchors(counts: Counts, options?: Partial<SuggestOptions>): ConceptSuggestions[] {
  const {rates, perConcept, concepts, useNames} = withDefaults('suggestAnchors', suggestDefaults, options)
  checkOptions(counts, concepts, perConcept)
  const {lexicon} = counts
  const company = wordCompany(counts, rates)
  const barred = barredWords(lexicon)
  const names = useNames ? wordNames(lexicon) : undefined
  return lexicon.anchors.flatMap(({concept, any}, i) => {
    if (concepts.length > 0 && !concepts.includes(concept)) return []
    const words = rankWords(company, barred, names, i)
      .slice(0, perConcept)
      .map(candidate => describe(counts, company.rates[i], candidate))
    return [{concept, anchor: any, hasRates: company.rates[i] !== undefined, words}]
  })
}

function describe({lexicon}: Counts, rates: EstimatedRates | undefined, candidate: Candidate): Suggestion {
  const {word, claim, score, basis, likeness, rival, namesake} = candidate
  const nameOf = (concept: number) => lexicon.anchors[concept].concept
  const named = {
    word: lexicon.words[word],
    score,
    basis,
    ...claim,
    likeness,
    rival: rival === undefined ? undefined : {...rival, concept: nameOf(rival.concept)},
    namesake: namesake === undefined ? undefined : nameOf(namesake)
  }
  return {...named, reason: suggestionReason(named, rates), warnings: suggestionWarnings(named, rates)}
}

function checkOptions({lexicon}: Counts, concepts: readonly string[], perConcept: number): void {
  if (!Number.isInteger(perConcept) || perConcept < 1)
    throw new AdfaError('bad-option', `perConcept is a whole number above 0; got ${perConcept}`)
  const names = lexicon.anchors.map(({concept}) => concept)
  const unknown = concepts.find(concept => !names.includes(concept))
  if (unknown === undefined) return
  const near = nearestName(unknown, names)
  throw new AdfaError(
    'bad-option',
    `there is no concept "${unknown}" to suggest anchors for` +
      `${near === undefined ? '' : `; did you mean "${near}"?`}; a concept ` +
      'needs one anchor to begin with: its plainest word will do'
  )
}
