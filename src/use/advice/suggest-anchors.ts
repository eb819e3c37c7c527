import {AdfaError, checkOptions, nearestName, whole} from '../../base/checks/index.ts'
import {counted, grouped, percent} from '../../base/text/index.ts'
import type {EstimatedRates} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {wordNames} from './name-similarity.ts'
import {barredWords, type Candidate, rankWords} from './rank-words.ts'
import {type Rival, type WordClaim, wordEvidence} from './word-claims.ts'

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
  /** Whether precision and coverage rest on rates of the anchor; if not they are upper bounds. */
  readonly hasRates: boolean
  /** Best first; empty where no word is good enough. */
  readonly words: readonly Suggestion[]
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
  checkConcepts(counts, concepts)
  const {lexicon} = counts
  const evidence = wordEvidence(counts, rates)
  const barred = barredWords(lexicon)
  const names = useNames ? wordNames(lexicon) : undefined
  return lexicon.anchors.flatMap(({concept, any}, i) => {
    if (concepts.length > 0 && !concepts.includes(concept)) return []
    const words = rankWords(evidence, barred, names, i)
      .slice(0, perConcept)
      .map(candidate => describe(counts, evidence.rates[i], candidate))
    return [{concept, anchor: any, hasRates: evidence.rates[i] !== undefined, words}]
  })
}

function describe({lexicon}: Counts, rates: EstimatedRates | undefined, candidate: Candidate): Suggestion {
  const {word, claim, score, basis, similarity, rival, namesake} = candidate
  const nameOf = (concept: number) => lexicon.anchors[concept].concept
  const named = {
    word: lexicon.words[word],
    score,
    basis,
    ...claim,
    similarity,
    rival: rival === undefined ? undefined : {...rival, concept: nameOf(rival.concept)},
    namesake: namesake === undefined ? undefined : nameOf(namesake)
  }
  return {...named, reason: suggestionReason(named, rates), warnings: suggestionWarnings(named, rates)}
}

function checkConcepts({lexicon}: Counts, concepts: readonly string[]): void {
  const names = lexicon.anchors.map(({concept}) => concept)
  const unknown = concepts.find(concept => !names.includes(concept))
  if (unknown === undefined) return
  const near = nearestName(unknown, names)
  throw new AdfaError(
    'bad-option',
    `there is no concept "${unknown}" to suggest anchors for; ${near === undefined ? 'a concept needs an anchor to start from: its plainest word will do' : `did you mean "${near}"?`}`,
    {details: {option: 'concepts'}}
  )
}

/** A word that may be added to an anchor. */
export interface Suggestion extends WordClaim, Pick<Candidate, 'score' | 'basis' | 'similarity'> {
  readonly word: string
  /** Another concept that it may indicate as well. */
  readonly rival: (Omit<Rival, 'concept'> & {readonly concept: string}) | undefined
  /** Another concept whose names are as similar. */
  readonly namesake: string | undefined
  readonly reason: string
  /** The evidence against it. */
  readonly warnings: readonly string[]
}

type Judged = Omit<Suggestion, 'reason' | 'warnings'>

const LIKENESS_WORDS = {
  stem: 'a name of the same stem',
  inflected: 'another form of its name',
  same: 'the same name'
} as const

/** A word in fewer documents may miss its anchor by chance. */
const FEW_DOCUMENTS = 10

/** "in 412 documents; where it occurs the anchor fires in 31%, 58 times its usual share; the same name". */
export function suggestionReason(
  {documents, together, share, lift, precision, coverage, similarity}: Judged,
  rates: EstimatedRates | undefined
): string {
  const parts = [`in ${counted(documents, 'document')}`]
  if (together === 0) parts.push('never together with the anchor')
  else parts.push(`where it occurs the anchor fires in ${percent(share.value)}, ${times(lift.value)} its usual share`)
  if (rates !== undefined && together > 0)
    parts.push(
      `so if the two are independent about ${percent(precision.value)} of its documents have the concept ` +
        `(${percent(precision.low)} to ${percent(precision.high)}), ` +
        `and it is in about ${percent(coverage.value)} of those that have it`
    )
  if (similarity !== 'none') parts.push(LIKENESS_WORDS[similarity])
  return parts.join('; ')
}

/** What to check before adding the word. */
export function suggestionWarnings(
  {documents, basis, rival, namesake, share}: Judged,
  rates: EstimatedRates | undefined
): string[] {
  const warnings: string[] = []
  if (basis === 'name')
    warnings.push(
      documents < FEW_DOCUMENTS
        ? 'only its name supports it: it is too rare for evidence from documents'
        : 'only its name supports it: the anchor seldom fires beside it, as when one word is used in place of ' +
            'the other; read some of its documents first'
    )
  if (namesake !== undefined)
    warnings.push(`it is as similar to a name of "${namesake}"; an anchor must indicate one concept alone`)
  if (rival !== undefined)
    warnings.push(
      `the anchor of "${rival.concept}" fires in ${percent(rival.share)} of its documents too, ` +
        `of which this concept would explain ${percent(rival.explained)} at most`
    )
  if (rates !== undefined && share.low > rates.truePositive)
    warnings.push(
      `the anchor fires beside it in more documents (${percent(share.value)}) than it does in those that have the ` +
        `concept (${percent(rates.truePositive)}): ` +
        'the two may be parts of one phrase; then it adds little'
    )
  return warnings
}

function times(lift: number): string {
  return `${lift >= 10 ? grouped(lift) : Number(lift.toPrecision(2))} times`
}
