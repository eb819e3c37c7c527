import {clamp, log} from '../../base/numeric/index.ts'
import {fieldsOf, isFunctionWord, type Lexicon, type RowFields, VOTES} from '../../read/data/index.ts'
import {MIN_SHOWN_WEIGHT, weightRange} from '../robust/index.ts'
import type {Model} from './model.ts'

/** Words in fewer than this share of the documents are not shown; this bound is at least 3 and at most 20 documents. */
const MIN_SHARE = 0.01
const MIN_DOCUMENTS_RANGE = [3, 20] as const

/** A word that a concept makes more likely. */
export interface TopWord {
  readonly word: string
  readonly failure: number
  /** P(X_j = 1), if the concepts were independent. */
  readonly frequency: number
  /** log P(X_j = 1 | Y_i = 1) / P(X_j = 1), in nats. */
  readonly weight: number
}

export interface WeightedWord {
  readonly word: string
  /** The log-odds that the word adds. */
  readonly logOdds: number
  /** The 90% interval of the log-odds; undefined if not known. */
  readonly range?: readonly [number, number] | undefined
}

/**
 * Returns the most typical words of concept i, for people to read. They are ranked by weight x sqrt(P(word | concept)), which favours
 * words that are both informative and common; function words and rare words are left out ({@link unshownWords}). The frequency
 * ignores dependences between concepts: in the emergency model this changes it by at most 4%. Cost: O(m n).
 */
export function topWords(model: Model, i: number, count: number): TopWord[] {
  const {failure, wordCount: n} = model.loadings
  const own = failure.subarray(i * n, (i + 1) * n)
  const words = rankedWords(model, i, count, (j, weight) => (own[j] < 1 ? weight : 0))
  return words.map(({j, weight, frequency}) => ({word: model.lexicon.words[j], failure: own[j], frequency, weight}))
}

/**
 * Returns the words that raise (`sign` 1) or lower (-1) the predicted odds of concept i most, ranked as in {@link topWords}. A
 * model without word weights has none.
 */
export function topWeights(model: Model, i: number, count: number, sign: 1 | -1): WeightedWord[] {
  const {wordModel, lexicon} = model
  if (wordModel.kind !== 'weights') return []
  const own = wordModel.weights[i]
  const words = rankedWords(model, i, count, j => (sign * own[j] >= MIN_SHOWN_WEIGHT ? sign * own[j] : 0))
  return words.map(({j}) => ({word: lexicon.words[j], logOdds: own[j], range: weightRange(wordModel, i, j)}))
}

/**
 * Ranks the words that people are shown and whose weight is above 0. `weightOf` gets word j and its weight by the noisy-or links,
 * log P(X_j = 1 | Y_i = 1) / P(X_j = 1).
 */
function rankedWords(
  {loadings, concepts, unshownWords}: Model,
  i: number,
  count: number,
  weightOf: (j: number, byLinks: number) => number
): {readonly j: number; readonly weight: number; readonly frequency: number}[] {
  const {failure, leak, wordCount: n} = loadings
  const unshown = new Set(unshownWords)
  const {prevalence: own} = concepts[i]
  return Array.from(leak, (l, j) => {
    const absence = concepts.reduce((product, {prevalence: p}, k) => product * (1 - p + p * failure[k * n + j]), 1 - l)
    const f = failure[i * n + j]
    // P(X_j = 1 | Y_i = 1).
    const given = 1 - (absence * f) / (1 - own + own * f)
    const frequency = 1 - absence
    const weight = weightOf(j, log(given / frequency))
    return {j, weight, frequency, score: weight * Math.sqrt(given)}
  })
    .filter(({j, weight, frequency}) => weight > 0 && frequency > 0 && !unshown.has(j))
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
}

/**
 * Returns a function that shortens words for people: if only one text field has words, its name is left out, so that
 * `triage_note:fever` becomes "fever". Categories, numbers and lists keep the name of their field, which is part of the meaning.
 */
export function wordNamer({words, reading}: Lexicon): (word: string) => string {
  const used = reading.text.filter(field => words.some(word => word.startsWith(`${field}:`)))
  const prefix = used.length === 1 ? `${used[0]}:` : undefined
  return word => (prefix !== undefined && word.startsWith(prefix) ? word.slice(prefix.length) : word)
}

/**
 * Returns the indices of the words that people are not shown: function words, single letters and digits, and rare words, which are
 * in fewer than 20 documents or, in a small corpus, in fewer than 1% of them or 3. Values of categories, numbers, lists and
 * votes (`group:a`, `smoker:no`) are left out only if they are rare. The model keeps the list, since it has no counts.
 */
export function unshownWords(
  {words, reading}: {readonly words: readonly string[]; readonly reading: RowFields},
  totals: ArrayLike<number>,
  documents: number
): number[] {
  const minDocuments = clamp(Math.ceil(MIN_SHARE * documents), ...MIN_DOCUMENTS_RANGE)
  const values = new Set([...fieldsOf(reading).valueNames, VOTES])
  const tokens = words.map(word => {
    const isValue = word.includes(':') && values.has(word.slice(0, word.indexOf(':')))
    return isValue ? undefined : word.slice(word.lastIndexOf(':') + 1)
  })
  const isUninformative = (token: string) => token.length === 1 || isFunctionWord(token)
  return tokens.flatMap((token, j) =>
    totals[j] < minDocuments || (token !== undefined && isUninformative(token)) ? [j] : []
  )
}
