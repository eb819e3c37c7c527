import {AdfaError} from '../../base/checks/index.ts'
import {type Counts, requireComplete, requirePatterns} from '../counts/index.ts'
import {conceptSetCount, conceptSetNumber} from './concept-sets.ts'

/** The exact numbers of a {@link Release}, before anything is withheld, in its layout. */
export interface TableNumbers {
  readonly sets: Float64Array
  readonly words: Float64Array
  readonly labelled: Float64Array
}

/** More numbers than this are refused: 512 MB with their bounds. */
const MOST_NUMBERS = 2 ** 25

/**
 * In how many documents all anchors of each set of at most `order` concepts fired, and all of at most `order - 1` with a word.
 * Cost: for every pattern, its sets times its words.
 */
export function sumTables(counts: Counts, order: number): TableNumbers {
  requirePatterns(counts, 'releasing tables')
  requireComplete(counts)
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  checkSize(m, n, order)
  const sets = new Float64Array(conceptSetCount(m, order))
  const words = new Float64Array(conceptSetCount(m, order - 1) * n)
  for (let p = 0; p < counts.patternCount; p++) {
    const fired = counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1])
    const [from, to] = [counts.wordStarts[p], counts.wordStarts[p + 1]]
    eachSubset([...fired], order, set => {
      const at = conceptSetNumber(m, set)
      sets[at] += counts.patternDocuments[p]
      if (set.length === order) return
      for (let w = from; w < to; w++) words[at * n + counts.wordIds[w]] += counts.wordCounts[w]
    })
  }
  return {sets, words, labelled: counts.labelled.slice()}
}

function eachSubset(fired: readonly number[], order: number, visit: (set: readonly number[]) => void): void {
  const grow = (set: readonly number[], next: number): void => {
    visit(set)
    if (set.length < order) for (let at = next; at < fired.length; at++) grow([...set, fired[at]], at + 1)
  }
  grow([], 0)
}

function checkSize(m: number, n: number, order: number): void {
  const size = conceptSetCount(m, order) + conceptSetCount(m, order - 1) * n
  if (size <= MOST_NUMBERS) return
  throw new AdfaError(
    'bad-option',
    `tables of ${order} of ${m} anchors and ${n} words have ${size.toLocaleString('en')} numbers; at most ` +
      `${MOST_NUMBERS.toLocaleString('en')} are released; take a smaller --max-order, or fewer words or concepts`
  )
}
