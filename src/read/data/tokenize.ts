/** A stretch of text, from `start` up to but not including `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Split text into tokens by one regular expression: a run of letters, digits, marks and underscores, joined by inner
 * dots, hyphens and apostrophes (`asp.net-mvc-3`, `i'm`), with trailing plus and sharp signs (`c++`, `c#`) and a leading
 * dot (`.net`). A pictograph or flag is a token of its own. Scripts without blanks between words, such as Chinese, are cut
 * by the runtime's dictionary ({@link placedUnspaced}).
 */
export function tokenize(text: string): string[] {
  const plain = straightQuotes(text)
  if (isUnspaced(plain)) return placedUnspaced(plain).map(({token}) => token)
  return plain.match(TOKEN) ?? []
}

export interface PlacedToken {
  readonly token: string
  readonly start: number
}

export function tokenizePlaced(text: string): PlacedToken[] {
  const plain = straightQuotes(text)
  if (isUnspaced(plain)) return placedUnspaced(plain)
  const tokens: PlacedToken[] = []
  for (const {0: token, index} of plain.matchAll(TOKEN)) tokens.push({token, start: index})
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

/** The words of a name; hyphens and underscores inside it count as spaces. */
export function nameParts(name: string): string[] {
  return tokenize(name).flatMap(token => token.split(/(?<=[^-_])[-_]+(?=[^-_])/))
}

/** A copy of its own: V8 keeps a whole text alive for a slice of 13 characters or more, and a vocabulary must not. */
export function ownCopy(token: string): string {
  return token.length < 13 ? token : token.split('').join('')
}

// Chinese, Japanese (Han, Hiragana, Katakana), Thai, Lao, Khmer and Burmese.
const UNSPACED = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\u30fc\uff70'
const SOME = new RegExp(`[${UNSPACED}]`, 'u')
const RUN = new RegExp(`[${UNSPACED}][${UNSPACED}\\p{M}\\u200c\\u200d]*`, 'gu')

/** Whether a text has letters of a script that is written without blanks between words. */
export function isUnspaced(text: string): boolean {
  return SOME.test(text)
}

/**
 * The words of unspaced scripts, and the tokens of all text between them, in order. Only runs of such scripts go to the dictionary of the
 * runtime (ICU, `Intl.Segmenter`), at most 256 characters at a time, since it is slow on long strings; of these the last word
 * is cut again with what follows it. Another version of the runtime may have another dictionary.
 */
function placedUnspaced(text: string): PlacedToken[] {
  const found: PlacedToken[] = []
  let end = 0
  const addSpaced = (to: number) => {
    for (const {0: token, index} of text.slice(end, to).matchAll(TOKEN)) found.push({token, start: end + index})
  }
  for (const {0: run, index} of text.matchAll(RUN)) {
    addSpaced(index)
    end = index + run.length
    cutRun(run, index, found)
  }
  addSpaced(text.length)
  return found
}

const MOST = 256

/** Made on demand: most text needs none, and it takes milliseconds. */
const made: {segmenter?: Intl.Segmenter} = {}

function cutRun(run: string, start: number, found: PlacedToken[]): void {
  // The scripts decide which dictionary is used, not the language; "und" is none in particular, wherever this runs.
  made.segmenter ??= new Intl.Segmenter('und', {granularity: 'word'})
  for (let from = 0; from < run.length; ) {
    const some = wholeCharacters(run.slice(from, from + MOST))
    const isEnd = from + some.length === run.length
    const segments = [...made.segmenter.segment(some)]
    if (!isEnd && segments.length > 1) segments.pop()
    for (const {segment, index, isWordLike} of segments) {
      if (isWordLike !== false || /[\p{L}\p{N}]/u.test(segment))
        found.push({token: segment, start: start + from + index})
    }
    from += segments.reduce((length, {segment}) => length + segment.length, 0)
  }
}

/** Without the half of a character at the end. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last < 0xdc00 && text.length > 1 ? text.slice(0, -1) : text
}
