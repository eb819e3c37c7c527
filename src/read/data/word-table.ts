import {hashShare} from '../../base/numeric/index.ts'
import {isFunctionWord} from './function-words.ts'
import type {TextOptions} from './lexicon.ts'
import {createNegationMarker, NEGATED} from './negation.ts'
import {mergePhrases, type PhraseIndex} from './phrases.ts'
import type {Row} from './row.ts'
import {ownCopy, type PlacedToken, straightQuotes, tokenizePlaced} from './tokenize.ts'
import {isUnspaced} from './unspaced.ts'

/** Which place a word may take in a pair. */
const NEITHER = 0
const SECOND = 1
const EITHER = 2

/** The words of all documents, numbered by first occurrence: their counts, and the places they may take in a pair. */
export class WordTable {
  readonly names: string[] = []
  readonly counts: number[] = []
  readonly #hashes: number[] = []
  readonly #roles: number[] = []
  readonly #ids = new Map<string, number>()
  readonly #barred: ReadonlySet<string>

  /** Words of `barred` are excluded from pairs. */
  constructor(barred: ReadonlySet<string>) {
    this.#barred = barred
  }

  see(token: string): number {
    let id = this.#ids.get(token)
    if (id === undefined) {
      const name = ownCopy(token)
      id = this.names.push(name) - 1
      this.#ids.set(name, id)
      this.counts.push(0)
      this.#hashes.push((hashShare(name) * 2 ** 32) | 0)
      this.#roles.push(pairRole(name, this.#barred))
    }
    this.counts[id]++
    return id
  }

  /** The id of a word, or -1 when it was never seen. */
  idOf(token: string): number {
    return this.#ids.get(token) ?? -1
  }

  /** Whether two words, -1 for none, may form a pair. */
  canPair(a: number, b: number): boolean {
    return this.#roles[a] === EITHER && this.#roles[b] >= SECOND && a !== b
  }

  /** A hash of the pair with this many bits; it depends on the words, not on their ids. */
  pairHash(a: number, b: number, bits: number): number {
    return (Math.imul(this.#hashes[a], 0x9e3779b1) + this.#hashes[b]) >>> (32 - bits)
  }
}

/** A number may come second ("type 2"), but not first, where it is a quantity ("2 cups"). */
function pairRole(token: string, barred: ReadonlySet<string>): number {
  if (barred.has(token) || token.includes("'") || isFunctionWord(token)) return NEITHER
  return /\p{L}/u.test(token) ? EITHER : SECOND
}

/** Sees a word or phrase; `follows` when only blanks separate it from the one before. */
export type VisitWord = (token: string, follows: boolean) => void

/**
 * Reads the text of rows word by word, phrases as one. A word follows another when only blanks are between them, without
 * punctuation or an empty line. With negation, both or neither must be negated, and neither may be a negating word.
 */
export function createWordReader(phrases: PhraseIndex, text: TextOptions): (row: Row, visit: VisitWord) => void {
  const markNegation = text.negation ? createNegationMarker(text.negationScope) : undefined
  return (row, visit) => {
    for (const field of text.fields) {
      const content = row.text.get(field) ?? ''
      const plain = straightQuotes(text.lowerCase ? content.toLowerCase() : content)
      const placed = tokenizePlaced(plain)
      const marks = markNegation?.(plain, placed)
      const tokens = placed.map(({token}) => token)
      mergePhrases(tokens, phrases, (token, from) => {
        const isAlike = marks === undefined || (marks[from] <= NEGATED && marks[from] === marks[from - 1])
        visit(token, from > 0 && isAlike && isBlank(plain, placed[from - 1], placed[from]))
        return token
      })
    }
  }
}

function isBlank(text: string, {token, start}: PlacedToken, next: PlacedToken): boolean {
  const gap = text.slice(start + token.length, next.start)
  if (gap === '') return isUnspaced(token) && isUnspaced(next.token)
  return gap === ' ' || (/^\s+$/.test(gap) && !/\n\s*\n/.test(gap))
}
