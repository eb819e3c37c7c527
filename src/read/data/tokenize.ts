import {isUnspaced, pieces} from './unspaced.ts'

/** A stretch of text, from `start` up to but not including `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Split text into tokens by one regular expression: a run of letters, digits, marks and underscores, joined by inner
 * dots, hyphens and apostrophes (`asp.net-mvc-3`, `i'm`), with trailing plus and sharp signs (`c++`, `c#`) and a leading
 * dot (`.net`). A pictograph or flag is a token of its own. Scripts without blanks between words, such as Chinese, are cut
 * by the runtime's dictionary ({@link pieces}).
 */
export function tokenize(text: string): string[] {
  const plain = straightQuotes(text)
  if (isUnspaced(plain)) return placedUnspaced(plain).map(({token}) => token)
  return plain.match(TOKEN) ?? []
}

/** A token and where it begins. */
export interface PlacedToken {
  readonly token: string
  readonly start: number
}

/** The tokens of {@link tokenize}, with their places. */
export function tokenizePlaced(text: string): PlacedToken[] {
  const plain = straightQuotes(text)
  if (isUnspaced(plain)) return placedUnspaced(plain)
  const tokens: PlacedToken[] = []
  for (const {0: token, index} of plain.matchAll(TOKEN)) tokens.push({token, start: index})
  return tokens
}

/** Words of unspaced scripts as they are cut, and the tokens of all text between them. */
function placedUnspaced(text: string): PlacedToken[] {
  const tokens: PlacedToken[] = []
  for (const {piece, start, isWord} of pieces(text)) {
    if (isWord) tokens.push({token: piece, start})
    else for (const {0: token, index} of piece.matchAll(TOKEN)) tokens.push({token, start: start + index})
  }
  return tokens
}

/** The tokens, empty where they touch one of `spans`, which are ascending and disjoint. */
export function tokensOutside(tokens: readonly PlacedToken[], spans: readonly Span[]): string[] {
  let next = 0
  return tokens.map(({token, start}) => {
    while (next < spans.length && spans[next].end <= start) next++
    return next < spans.length && spans[next].start < start + token.length ? '' : token
  })
}

/** Typographic apostrophes as plain ones; the length stays. */
export function straightQuotes(text: string): string {
  return text.replaceAll('’', "'")
}

// Plain ASCII comes first in each class: most text never leaves it.
const LETTER = '\\w\\p{L}\\p{N}'
const WORD = `(?:(?<![\\w.])\\.(?=[a-z]))?[${LETTER}][${LETTER}\\p{M}]*(?:[+#]*[.'-][${LETTER}\\p{M}]+)*(?:(?<=\\p{L})[+#]+\\d*(?![${LETTER}+#]))?`
const EMOJI = '\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\uFE0F]*'
const TOKEN = new RegExp(`${WORD}|${EMOJI}(?:\\u200D${EMOJI})*|\\p{Regional_Indicator}{2}`, 'giu')

/** The words of a name; hyphens and underscores inside it count as spaces. */
export function nameParts(name: string): string[] {
  return tokenize(name).flatMap(token => token.split(/(?<=[^-_])[-_]+(?=[^-_])/))
}

/** A copy of its own: V8 keeps a whole text alive for a slice of 13 characters or more, and a vocabulary must not. */
export function ownCopy(token: string): string {
  return token.length < 13 ? token : token.split('').join('')
}
