import {hashShare} from '../../base/numeric/index.ts'
import {FUNCTION_WORDS} from './function-words.ts'
import {ownCopy} from './own-copy.ts'

/** What a word may be in a pair. */
const NEITHER = 0
const SECOND = 1
const EITHER = 2

/** The words of all documents, numbered as they come: how often each occurs and what it may be in a pair. */
export class WordTable {
  readonly names: string[] = []
  readonly counts: number[] = []
  readonly #hashes: number[] = []
  readonly #roles: number[] = []
  readonly #ids = new Map<string, number>()
  readonly #barred: ReadonlySet<string>

  /** Words of `barred` have no part in pairs. */
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

  /** The number of a word, or -1 when it was never seen. */
  idOf(token: string): number {
    return this.#ids.get(token) ?? -1
  }

  /** Whether two words, -1 for none, may be a pair. */
  canPair(a: number, b: number): boolean {
    return this.#roles[a] === EITHER && this.#roles[b] >= SECOND && a !== b
  }

  /** A hash of the pair, of so many bits; it depends on the words and not on their numbers. */
  pairHash(a: number, b: number, bits: number): number {
    return (Math.imul(this.#hashes[a], 0x9e3779b1) + this.#hashes[b]) >>> (32 - bits)
  }
}

/** A number counts what follows it ("2 cups") and names after a word ("type 2"). */
function pairRole(token: string, barred: ReadonlySet<string>): number {
  if (barred.has(token) || token.includes("'") || FUNCTION_WORDS.has(token.toLowerCase())) return NEITHER
  return /\p{L}/u.test(token) ? EITHER : SECOND
}
