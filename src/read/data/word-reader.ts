import type {TextOptions} from './lexicon.ts'
import {createNegationMarker, NEGATED} from './negation.ts'
import {mergePhrases, type PhraseIndex} from './phrases.ts'
import type {Row} from './row.ts'
import {type PlacedToken, straightQuotes, tokenizePlaced} from './tokenize.ts'

/** Sees a word or phrase; `follows` when nothing but a blank parts it from the one before. */
export type VisitWord = (token: string, follows: boolean) => void

/**
 * Reads the text of rows word by word, phrases as one. A word follows another when blanks alone are between them, no
 * punctuation and no empty line, and, where negation is read, when both or neither are negated and no negating word
 * is one of them.
 */
export function createWordReader(phrases: PhraseIndex, text: TextOptions): (row: Row, visit: VisitWord) => void {
  const markNegation = text.negation ? createNegationMarker() : undefined
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
