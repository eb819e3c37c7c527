/** A stretch of text, and where it begins. */
interface Piece {
  readonly piece: string
  readonly start: number
  /** A word of an unspaced script; false for all text between such words. */
  readonly isWord: boolean
}

// Chinese, Japanese (Han, Hiragana, Katakana), Thai, Lao, Khmer and Burmese.
const LETTER = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\u30fc\uff70'
const SOME = new RegExp(`[${LETTER}]`, 'u')
const RUN = new RegExp(`[${LETTER}][${LETTER}\\p{M}\\u200c\\u200d]*`, 'gu')

/** Whether a text has letters of a script that is written without blanks between words. */
export function isUnspaced(text: string): boolean {
  return SOME.test(text)
}

/**
 * Cut text into the words of unspaced scripts and all else, in order. Only runs of such scripts go to the dictionary of the
 * runtime (ICU, `Intl.Segmenter`), at most 256 characters at a time, since it is slow on long strings; of these the last word
 * is cut again with what follows it. Another version of the runtime may have another dictionary.
 */
export function pieces(text: string): Piece[] {
  const found: Piece[] = []
  let end = 0
  for (const {0: run, index} of text.matchAll(RUN)) {
    if (index > end) found.push({piece: text.slice(end, index), start: end, isWord: false})
    end = index + run.length
    cutRun(run, index, found)
  }
  if (end < text.length) found.push({piece: text.slice(end), start: end, isWord: false})
  return found
}

const MOST = 256

function cutRun(run: string, start: number, found: Piece[]): void {
  const segmenter = wordSegmenter()
  for (let from = 0; from < run.length; ) {
    const some = wholeCharacters(run.slice(from, from + MOST))
    const isEnd = from + some.length === run.length
    const segments = [...segmenter.segment(some)]
    if (!isEnd && segments.length > 1) segments.pop()
    for (const {segment, index, isWordLike} of segments) {
      if (isWordLike !== false || /[\p{L}\p{N}]/u.test(segment))
        found.push({piece: segment, start: start + from + index, isWord: true})
    }
    from += segments.reduce((length, {segment}) => length + segment.length, 0)
  }
}

/** Without the half of a character at the end. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last < 0xdc00 && text.length > 1 ? text.slice(0, -1) : text
}

/** Made on demand: most text needs none, and it takes milliseconds. */
const made: {segmenter?: Intl.Segmenter} = {}

function wordSegmenter(): Intl.Segmenter {
  // The scripts decide which dictionary is used, not the language; "und" is none in particular, wherever this runs.
  made.segmenter ??= new Intl.Segmenter('und', {granularity: 'word'})
  return made.segmenter
}
