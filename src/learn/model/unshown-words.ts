import {isOneEdit} from '../../base/checks/index.ts'
import {isFunctionWord, type RowFields, VOTES, valueFieldNames} from '../../read/data/index.ts'
import type {Loadings} from '../loadings/index.ts'

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
