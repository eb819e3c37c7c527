import {isFunctionWord} from '../../read/data/index.ts'

/** Words in fewer documents than this share are not shown, with these bounds. */
const LEAST_SHARE = 1 / 100
const [FEWEST, MOST] = [3, 20]

/**
 * The words that people are not shown, by number: function words, and words in fewer than 20 documents, in a small corpus
 * in fewer than 1% of them or 3. Found when a model is learned, so that reading one needs neither counts nor a list.
 */
export function unshownWords(words: readonly string[], totals: ArrayLike<number>, documents: number): number[] {
  const least = Math.min(MOST, Math.max(FEWEST, Math.ceil(LEAST_SHARE * documents)))
  const isUnshown = (word: string, j: number) =>
    totals[j] < least || isFunctionWord(word.slice(word.lastIndexOf(':') + 1))
  return words.flatMap((word, j) => (isUnshown(word, j) ? [j] : []))
}
