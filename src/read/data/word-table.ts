import {hashShare} from '../../base/numeric/index.ts'
import type {TextOptions} from './lexicon.ts'
import {createNegationMarker, NEGATED} from './negation.ts'
import {mergePhrases, type PhraseIndex} from './phrases.ts'
import type {Row} from './row.ts'
import {ownCopy, type PlacedToken, straightQuotes, tokenizePlaced} from './tokenize.ts'

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
  if (barred.has(token) || token.includes("'") || FUNCTION_WORDS.has(token.toLowerCase())) return NEITHER
  return /\p{L}/u.test(token) ? EITHER : SECOND
}

/**
 * English function words: articles, pronouns, prepositions, conjunctions, auxiliary verbs, question words and the like.
 * They never form bigrams ("of the", "I have"), however often they are neighbours.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about above across after again against all almost already also although always am among an and another any anybody
  anyone anything anyway are around as at away back be became because become becomes been before behind being below
  between both but by can cannot could did do does doing done down due during each either else enough etc even ever every
  everyone everything few for from further get gets getting got had has have having he hence her here hers herself him
  himself his how however i if in indeed instead into is it its itself just least less let like many may maybe me
  meanwhile might mine more moreover most much must my myself neither never no nobody none nor not nothing now of off
  often on once one only onto or other others otherwise ought our ours ourselves out over own per perhaps quite rather
  really same shall she should since so some somebody someone something sometimes somewhere still such than that the their
  theirs them themselves then there therefore these they this those though through thus to together too toward towards
  under unless until up upon us very via was we well were what whatever when whenever where whereas wherever whether which
  while who whoever whole whom whose why will with within without would yes yet you your yours yourself`.split(/\s+/)
)

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
  return gap === ' ' || (gap !== '' && /^\s+$/.test(gap) && !/\n\s*\n/.test(gap))
}
