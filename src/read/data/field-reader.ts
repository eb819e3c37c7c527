import type {PatternRole, Role} from './anchor-index.ts'
import {NEGATED_PREFIX} from './feature-name.ts'
import {createNegationMarker, isNegated} from './negation.ts'
import {mergePhrases, type NameToken, type PhraseIndex} from './phrases.ts'
import {type PlacedToken, type Span, straightQuotes, tokenize, tokenizePlaced, tokensOutside} from './tokenize.ts'

/** Cuts the text of a field into tokens, and calls `fire` for each regular expression that matches. */
export type ReadField = (text: string, field: number, fire: (role: Role) => void) => readonly string[]

/**
 * Prepare the reading of text. A regular expression of an anchor takes the words it touches out of the text. Where
 * negation is read, a negated word or phrase is called `neg:...`, and a regular expression does not see what is negated.
 */
export function createFieldReader(
  patterns: readonly PatternRole[],
  phrases: PhraseIndex,
  readsNegation: boolean
): ReadField {
  if (!readsNegation && patterns.length === 0) return text => mergePhrases(tokenize(text), phrases)
  const markNegation = readsNegation ? createNegationMarker() : undefined
  return (text, field, fire) => {
    const plain = straightQuotes(text)
    const tokens = tokenizePlaced(plain)
    const marks = markNegation?.(plain, tokens)
    const isSeen = marks && ((span: Span, {negated}: PatternRole) => touchesNegated(span, tokens, marks) === negated)
    const outside = tokensOutside(tokens, matchedSpans(plain, {field, patterns, isSeen, fire}))
    return mergePhrases(outside, phrases, marks && negatedName(marks)).filter(token => token !== '')
  }
}

function negatedName(marks: Uint8Array): NameToken {
  return (token, from, to) => (token !== '' && isNegated(marks, from, to) ? `${NEGATED_PREFIX}${token}` : token)
}

/** How the regular expressions of anchors look at a field. */
interface PatternSearch {
  readonly field: number
  readonly patterns: readonly PatternRole[]
  /** Whether a pattern sees what it matched; undefined when it sees everything. */
  readonly isSeen: ((span: Span, role: PatternRole) => boolean) | undefined
  readonly fire: (role: Role) => void
}

/** Fire the patterns that match, and return what the anchors among them cover: ascending, touching spans joined. */
function matchedSpans(text: string, {field, patterns, isSeen, fire}: PatternSearch): Span[] {
  const spans: Span[] = []
  for (const role of patterns) {
    if (role.field !== undefined && role.field !== field) continue
    const matches = nonEmptyMatches(text, role.pattern)
    const found = joined(isSeen === undefined ? matches : [...matches].filter(span => isSeen(span, role)))
    if (found.length > 0) fire(role)
    if (role.members.length > 0) spans.push(...found)
  }
  return joined(spans.sort((a, b) => a.start - b.start))
}

/** Whether the tokens that a span touches are a negated mention. */
function touchesNegated(span: Span, tokens: readonly PlacedToken[], marks: Uint8Array): boolean {
  const isBefore = ({token, start}: PlacedToken) => start + token.length <= span.start
  let from = 0
  for (let high = tokens.length; from < high; ) {
    const middle = (from + high) >>> 1
    if (isBefore(tokens[middle])) from = middle + 1
    else high = middle
  }
  let to = from
  while (to < tokens.length && tokens[to].start < span.end) to++
  return isNegated(marks, from, to)
}

/** The matches of a pattern that are not empty. */
export function* nonEmptyMatches(text: string, pattern: RegExp): Generator<Span> {
  for (const {0: match, index} of text.matchAll(pattern))
    if (match !== '') yield {start: index, end: index + match.length}
}

/** Ascending spans with those that touch or overlap made one. */
function joined(spans: Iterable<Span>): Span[] {
  const apart: Span[] = []
  for (const {start, end} of spans) {
    const last = apart.at(-1)
    if (last !== undefined && start <= last.end)
      apart[apart.length - 1] = {start: last.start, end: Math.max(last.end, end)}
    else apart.push({start, end})
  }
  return apart
}
