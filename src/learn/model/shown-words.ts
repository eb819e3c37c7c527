import {log} from '../../base/numeric/index.ts'
import {isFunctionWord, type Lexicon, type RowFields, VOTES, valueFieldNames} from '../../read/data/index.ts'
import {weightRange} from '../robust/index.ts'
import type {Model} from './model.ts'

/** Weaker words move a probability by less than a fiftieth. */
const MIN_WEIGHT = 0.1
/** Words in fewer documents than this share are not shown, with these bounds. */
const MIN_SHARE = 1 / 100
const [FEWEST, MOST] = [3, 20]

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
 * Returns the most typical words of concept i, for people to read: ranked by weight x sqrt(P(word | concept)), so that a word is
 * both telling and common. Function words and words of few documents are left out (`unshownWords`). The
 * frequency ignores dependences between concepts: in the emergency model this changes it by at most 4%. Cost: O(m n).
 */
export function topWords(model: Model, i: number, count: number): TopWord[] {
  const {failure, wordCount: n} = model.loadings
  const own = failure.subarray(i * n, (i + 1) * n)
  const words = rankedWords(model, i, count, (j, weight) => (own[j] < 1 ? weight : 0))
  return words.map(({j, weight, frequency}) => ({word: model.lexicon.words[j], failure: own[j], frequency, weight}))
}

/**
 * Returns the words that raise (`sign` 1) or lower (-1) the odds of concept i most when predicting, chosen as in {@link topWords}.
 * None for a model without word weights.
 */
export function topWeights(model: Model, i: number, count: number, sign: 1 | -1): WeightedWord[] {
  const {wordModel, lexicon} = model
  if (wordModel.kind !== 'weights') return []
  const own = wordModel.weights[i]
  const words = rankedWords(model, i, count, j => (sign * own[j] >= MIN_WEIGHT ? sign * own[j] : 0))
  return words.map(({j}) => ({word: lexicon.words[j], logOdds: own[j], range: weightRange(wordModel, i, j)}))
}

/** Ranks the words that occur, are for people to read and have a weight above 0; `weightOf` gets the weight by the links. */
function rankedWords(
  {loadings, concepts, unshownWords}: Model,
  i: number,
  count: number,
  weightOf: (j: number, byLinks: number) => number
): {readonly j: number; readonly weight: number; readonly frequency: number}[] {
  const {failure, leak, wordCount: n} = loadings
  const unshown = new Set(unshownWords)
  const {prevalence: own} = concepts[i]
  return Array.from(leak, (share, j) => {
    const absence = concepts.reduce(
      (product, {prevalence: p}, k) => product * (1 - p + p * failure[k * n + j]),
      1 - share
    )
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
 * Returns a function that shortens words for people: without the name of the text field where only one text field has words, so that
 * `triage_note:fever` is "fever". Categories, numbers and lists keep theirs, which is part of their meaning.
 */
export function wordNamer({words, text}: Lexicon): (word: string) => string {
  const used = text.fields.filter(field => words.some(word => word.startsWith(`${field}:`)))
  const prefix = used.length === 1 ? `${used[0]}:` : undefined
  return word => (prefix !== undefined && word.startsWith(prefix) ? word.slice(prefix.length) : word)
}

/**
 * Lists the words that people are not shown, by number: function words, single letters and digits, and words in fewer than 20
 * documents, in a small corpus in fewer than 1% of them or 3. Values of categories, numbers, lists and votes (`group:a`,
 * `smoker:no`) are left out for being rare only. The list is made when a model is learned, since a model has no counts.
 */
export function unshownWords(
  {words, text}: {readonly words: readonly string[]; readonly text: RowFields},
  totals: ArrayLike<number>,
  documents: number
): number[] {
  const least = Math.min(MOST, Math.max(FEWEST, Math.ceil(MIN_SHARE * documents)))
  const values = new Set([...valueFieldNames(text), VOTES])
  const tokens = words.map(word => {
    const isValue = word.includes(':') && values.has(word.slice(0, word.indexOf(':')))
    return isValue ? undefined : word.slice(word.lastIndexOf(':') + 1)
  })
  const isPoor = (token: string) => token.length === 1 || isFunctionWord(token)
  return tokens.flatMap((token, j) => (totals[j] < least || (token !== undefined && isPoor(token)) ? [j] : []))
}
