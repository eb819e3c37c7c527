import {log} from '../../base/numeric/index.ts'
import {type Evidence, fieldsOf, type Lexicon} from '../../read/data/index.ts'
import {isEmptyName} from './name-similarity.ts'

/** Similar documents in which no anchor fires. */
export interface UncoveredGroup {
  /** The word that all of them have, and words that are typical of them. */
  readonly words: readonly string[]
  readonly documents: number
  /** Documents that have the first word, with or without an anchor. */
  readonly ofDocuments: number
}

const MOST_GROUPS = 3
const LEAST_DOCUMENTS = 30
/** Standard errors: of some thousand words, one exceeds this by chance in one of a thousand corpora. */
const LEAST_ERRORS = 5
/** Anchors fire in the documents of the word at most this many times as often as in all. */
const MOST_COVERED = 0.7
/** Typical words are in this share of the group, and this many times as often as in all documents. */
const TYPICAL_SHARE = 0.1
const TYPICAL_LIFT = 3
const TYPICAL_WORDS = 5

/**
 * Finds words in whose documents anchors hardly fire. Of the n_j documents with word j, s_j have no anchor; with a share S of all
 * documents, z_j = (s_j - n_j S) / sqrt(n_j S (1 - S)). The silent documents of the word with the largest z are a group, and the
 * next is looked for without its documents. Cost: O(words of all documents) for each group.
 */
export function uncoveredGroups({words, reading}: Lexicon, documents: readonly Evidence[]): UncoveredGroup[] {
  const fields = fieldsOf(reading).fieldNames
  const isTelling = words.map(word => !isEmptyName(word, fields) && !/^(.*:)?\d+$/.test(word))
  const groups: UncoveredGroup[] = []
  for (let left = documents; groups.length < MOST_GROUPS; ) {
    const silent = left.filter(({anchors}) => anchors.length === 0)
    const [all, alone] = [left, silent].map(some => wordCounts(some, words.length))
    const share = silent.length / left.length
    const errors = (j: number) => (alone[j] - all[j] * share) / Math.sqrt(all[j] * share * (1 - share))
    const striking = words.flatMap((_, j) => {
      const isLarge = isTelling[j] && alone[j] >= LEAST_DOCUMENTS && errors(j) >= LEAST_ERRORS
      return isLarge && 1 - alone[j] / all[j] <= MOST_COVERED * (1 - share) ? [j] : []
    })
    if (striking.length === 0) break
    const seed = striking.reduce((best, j) => (errors(j) > errors(best) ? j : best))
    const group = silent.filter(document => document.words.includes(seed))
    const own = wordCounts(group, words.length)
    const lift = (j: number) => (own[j] * left.length) / (group.length * all[j])
    const typical = words
      .flatMap((_, j) => (j !== seed && isTelling[j] && own[j] >= TYPICAL_SHARE * group.length ? [j] : []))
      .filter(j => lift(j) >= TYPICAL_LIFT)
      .sort((a, b) => own[b] * log(lift(b)) - own[a] * log(lift(a)))
    const shown = [seed, ...typical].slice(0, TYPICAL_WORDS).map(j => words[j])
    groups.push({words: shown, documents: group.length, ofDocuments: all[seed]})
    left = left.filter(document => !document.words.includes(seed))
  }
  return groups
}

function wordCounts(documents: readonly Evidence[], words: number): Float64Array {
  const counts = new Float64Array(words)
  for (const document of documents) for (const j of document.words) counts[j]++
  return counts
}
