import {isOneEdit} from '../../base/checks/index.ts'
import {log} from '../../base/numeric/index.ts'
import {isFunctionWord, type Lexicon, type RowFields, VOTES, valueFieldNames} from '../../read/data/index.ts'
import type {Loadings} from '../loadings/index.ts'
import {weightRange} from '../words/index.ts'
import type {Model} from './model.ts'

/** A word that a concept switches on. */
export interface TopWord {
  readonly word: string
  readonly failure: number
  /** P(X_j = 1), with concepts taken as independent. */
  readonly frequency: number
  /** log P(X_j = 1 | Y_i = 1) / P(X_j = 1), in nats. */
  readonly weight: number
}

/** What a word adds to the log-odds of a concept in predictions. */
export interface WeightedWord {
  readonly word: string
  readonly logOdds: number
  /** Its 90% interval, in log-odds; undefined if not known. */
  readonly range?: readonly [number, number] | undefined
}

/**
 * The most typical words of concept i, for people to read: ranked by weight x sqrt(P(word | concept)), so that a word is
 * both telling and common. Function words, words of few documents and misspellings are left out (`unshownWords`). The
 * frequency ignores dependences between concepts: in the emergency model this changes it by at most 4%. Cost: O(m n).
 */
export function topWords(model: Model, i: number, count: number): TopWord[] {
  const {failure, wordCount: n} = model.loadings
  const {frequency, shown} = shownWords(model)
  const weightOf = (j: number) => log(givenConcept(model, i, j, frequency[j]) / frequency[j])
  const linked = shown.filter(j => failure[i * n + j] < 1)
  return ranked(model, i, {linked, frequency, count, weightOf}).map(j => ({
    word: model.lexicon.words[j],
    failure: failure[i * n + j],
    frequency: frequency[j],
    weight: weightOf(j)
  }))
}

/**
 * The words that raise (`sign` 1) or lower (-1) the odds of concept i most when predicting, chosen as in {@link topWords}.
 * None for a model without word weights.
 */
export function topWeights(model: Model, i: number, count: number, sign: 1 | -1): WeightedWord[] {
  const {wordModel, lexicon} = model
  if (wordModel.kind !== 'weights') return []
  const {frequency, shown} = shownWords(model)
  const weights = wordModel.weights[i]
  const linked = shown.filter(j => sign * weights[j] >= LEAST_WEIGHT)
  const order = ranked(model, i, {linked, frequency, count, weightOf: j => sign * weights[j]})
  return order.map(j => ({word: lexicon.words[j], logOdds: weights[j], range: weightRange(wordModel, i, j)}))
}

/** Weaker words move a probability by less than a fiftieth. */
const LEAST_WEIGHT = 0.1

interface Ranking {
  readonly linked: readonly number[]
  readonly frequency: Float64Array
  readonly count: number
  readonly weightOf: (j: number) => number
}

function ranked(model: Model, i: number, {linked, frequency, count, weightOf}: Ranking): number[] {
  const score = new Map(linked.map(j => [j, weightOf(j) * Math.sqrt(givenConcept(model, i, j, frequency[j]))] as const))
  return linked.toSorted((a, b) => (score.get(b) ?? 0) - (score.get(a) ?? 0) || a - b).slice(0, count)
}

/** P(X_j = 1 | Y_i = 1). */
function givenConcept({concepts, loadings}: Model, i: number, j: number, frequency: number): number {
  const f = loadings.failure[i * loadings.wordCount + j]
  const p = concepts[i].prevalence
  return 1 - ((1 - frequency) * f) / (1 - p + p * f)
}

/** P(X_j = 1) of all words, and the numbers of those that occur and are for people to read. */
function shownWords({loadings, concepts, unshownWords}: Model) {
  const {failure, leak, wordCount: n} = loadings
  const unshown = new Set(unshownWords)
  const frequency = leak.map(
    (share, j) =>
      1 - concepts.reduce((absence, {prevalence: p}, k) => absence * (1 - p + p * failure[k * n + j]), 1 - share)
  )
  return {frequency, shown: [...frequency.keys()].filter(j => frequency[j] > 0 && !unshown.has(j))}
}

/**
 * How people read the words of a lexicon: without the name of the text field where only one text field has words, so that
 * `triage_note:fever` is "fever". Categories, numbers and lists keep theirs, which is part of their meaning.
 */
export function wordNamer({words, text}: Lexicon): (word: string) => string {
  const used = text.fields.filter(field => words.some(word => word.startsWith(`${field}:`)))
  const prefix = used.length === 1 ? `${used[0]}:` : undefined
  return word => (prefix !== undefined && word.startsWith(prefix) ? word.slice(prefix.length) : word)
}

/** Words in fewer documents than this share are not shown, with these bounds. */
const LEAST_SHARE = 1 / 100
const [FEWEST, MOST] = [3, 20]

/** A word that is so much rarer than one with nearly the same spelling is taken for a mistyped one. */
const TYPO_SHARE = 0.1

/**
 * The words that people are not shown, by number: function words, single letters and digits; words in fewer than 20 documents, in a
 * small corpus in fewer than 1% of them or 3; misspellings of a common word that is linked to the same concept. Values of
 * categories, numbers, lists and votes (`group:a`, `smoker:no`) are left out for being rare only. Found when a model is learned, so
 * that reading one needs neither counts nor a list.
 */
export function unshownWords(
  {words, text}: {readonly words: readonly string[]; readonly text: RowFields},
  totals: ArrayLike<number>,
  documents: number,
  {failure, conceptCount, wordCount: n}: Loadings
): number[] {
  const least = Math.min(MOST, Math.max(FEWEST, Math.ceil(LEAST_SHARE * documents)))
  const values = new Set([...valueFieldNames(text), VOTES])
  const tokens = words.map(word => {
    const isValue = word.includes(':') && values.has(word.slice(0, word.indexOf(':')))
    return isValue ? undefined : word.slice(word.lastIndexOf(':') + 1)
  })
  // Words that differ by one edit have a spelling with one letter less in common, or are one for the other.
  const alike = new Map<string, number[]>()
  tokens.forEach((token, k) => {
    if (token === undefined || least >= TYPO_SHARE * totals[k]) return
    for (const key of oneLess(token)) {
      const list = alike.get(key)
      if (list === undefined) alike.set(key, [k])
      else list.push(k)
    }
  })
  const shareConcept = (j: number, k: number) => {
    for (let i = 0; i < conceptCount; i++) if (failure[i * n + j] < 1 && failure[i * n + k] < 1) return true
    return false
  }
  const isTypoOf = (token: string, j: number, k: number) =>
    totals[j] < TYPO_SHARE * totals[k] &&
    token !== `${tokens[k]}s` &&
    isOneEdit(token, tokens[k] ?? '') &&
    shareConcept(j, k)
  const isTypo = (token: string, j: number) =>
    oneLess(token).some(key => alike.get(key)?.some(k => isTypoOf(token, j, k)))
  const isPoor = (token: string, j: number) => token.length === 1 || isFunctionWord(token) || isTypo(token, j)
  return tokens.flatMap((token, j) => (totals[j] < least || (token !== undefined && isPoor(token, j)) ? [j] : []))
}

/** The word, and the word without each of its letters. */
function oneLess(token: string): string[] {
  return [token, ...Array.from({length: token.length}, (_, at) => token.slice(0, at) + token.slice(at + 1))]
}
