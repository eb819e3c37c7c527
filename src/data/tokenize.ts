/** A stretch of text, from `start` up to but not including `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Cut text into words by one regular expression: a run of letters, digits, marks and underscores, joined by inner dots,
 * hyphens and apostrophes (`asp.net-mvc-3`, `i'm`), with the plus and sharp signs that end a name (`c++`, `c#`) and the
 * dot that begins one (`.net`). A pictograph or flag is a word of its own.
 */
export function tokenize(text: string): string[] {
  return straightQuotes(text).match(TOKEN) ?? []
}

/** The same, with an empty token in place of each word that touches one of `spans`, which are ascending and apart. */
export function tokenizeOutside(text: string, spans: readonly Span[]): string[] {
  const tokens: string[] = []
  let next = 0
  for (const {0: token, index} of straightQuotes(text).matchAll(TOKEN)) {
    while (next < spans.length && spans[next].end <= index) next++
    tokens.push(next < spans.length && spans[next].start < index + token.length ? '' : token)
  }
  return tokens
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

/** The words that a name of several words is made of: hyphens and underscores inside it read as spaces. */
export function nameParts(name: string): string[] {
  return tokenize(name).flatMap(token => token.split(/(?<=[^-_])[-_]+(?=[^-_])/))
}
