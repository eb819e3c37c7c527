import type {PlacedToken} from './tokenize.ts'

/** What separates two tokens. */
export const JOINED = 0
export const COMMA = 1
export const COLON = 2
export const SENTENCE_END = 3

/** The clauses of a text. */
export interface Clauses {
  /** The break before each token, and after the last. */
  readonly breaks: Uint8Array
  /** How many brackets are open at each token. */
  readonly depths: Uint16Array
}

/** A line of at least this many characters was broken to fit the page, not to end a sentence. */
const WRAPPED_LINE = 50

/**
 * Finds the ends of sentences, commas and colons between tokens. A full stop ends a sentence unless it belongs to an
 * abbreviation or a number; so do other stops, dashes with blanks, blank lines, bullets and the ends of short lines. A
 * token with a full stop inside (`apex.there`) counts as two sentences run together. Cost: linear.
 */
export function findClauses(text: string, tokens: readonly PlacedToken[], abbreviations: ReadonlySet<string>): Clauses {
  const breaks = new Uint8Array(tokens.length + 1)
  const depths = new Uint16Array(tokens.length)
  let depth = 0
  let lineStart = 0
  breaks[0] = SENTENCE_END
  for (let at = 0; at < tokens.length; at++) {
    depths[at] = depth
    const {token, start} = tokens[at]
    const end = start + token.length
    const gap = text.slice(end, at + 1 < tokens.length ? tokens[at + 1].start : text.length)
    if (gap === ' ') {
      if (GLUED.test(token)) breaks[at + 1] = SENTENCE_END
      continue
    }
    const newline = gap.indexOf('\n')
    const isShortLine = newline >= 0 && end - lineStart < WRAPPED_LINE
    if (newline >= 0) lineStart = end + gap.lastIndexOf('\n') + 1
    for (const sign of gap) {
      if (sign === '(' || sign === '[') depth++
      if ((sign === ')' || sign === ']') && depth > 0) depth--
    }
    if (isShortLine || endsSentence(gap, token, abbreviations)) {
      breaks[at + 1] = SENTENCE_END
      depth = 0
    } else if (gap.includes(',')) breaks[at + 1] = COMMA
    else if (gap.includes(':')) breaks[at + 1] = COLON
  }
  breaks[tokens.length] = SENTENCE_END
  return {breaks, depths}
}

const GLUED = /\p{L}{3}\.\p{L}{2}/u
const STOPS = /[!?;。！？；•—]|\s[-–]+\s|--|\n\s*(?:\n|[-*])/u

function endsSentence(gap: string, token: string, abbreviations: ReadonlySet<string>): boolean {
  if (STOPS.test(gap) || GLUED.test(token)) return true
  if (!gap.includes('.')) return false
  // " .5" begins a number.
  if (!gap.startsWith('.')) return /\.(?!$)/.test(gap)
  return !(abbreviations.has(token.toLowerCase()) || /^\p{L}(?:\.\p{L})+$/u.test(token))
}
