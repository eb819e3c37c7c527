import {indexAnchors, type PatternRole, type Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {NEGATED_PREFIX} from './feature-name.ts'
import type {TextOptions} from './lexicon.ts'
import {createNegationMarker, isNegated} from './negation.ts'
import {mergePhrases, type NameToken, type PhraseIndex} from './phrases.ts'
import {fieldNames} from './row-fields.ts'
import {type PlacedToken, type Span, straightQuotes, tokenizePlaced, tokensOutside} from './tokenize.ts'
import {readVote} from './votes.ts'

/** Anchors and phrases as reading needs them. */
export type RowRules = ReturnType<typeof createRowRules>

export function createRowRules(anchors: Anchors, phrases: readonly string[], text: TextOptions) {
  const {fields} = text
  const {phrases: phraseIndex, roles, patterns, memberConcepts} = indexAnchors(anchors, phrases, text)
  const scanField = text.negation || patterns.length > 0 ? createFieldReader(patterns, phraseIndex, text) : undefined
  /** The prefix of the features of each field; undefined for a text field, whose expressions match text. */
  const prefixes = fieldNames(text).map((name, at) => (at < fields.length ? undefined : `${name}:`))
  const patternsOf = (feature: string): Role[] =>
    patterns.filter(({field, pattern}) => {
      const prefix = field === undefined ? '' : prefixes[field]
      if (prefix === undefined || !feature.startsWith(prefix) || readVote(feature) !== undefined) return false
      return pattern.spans(feature.slice(prefix.length)).length > 0
    })

  /** The members that fire in a document with features of these roles. */
  const firedMembers = (present: Iterable<Role>): number[] => {
    const found: number[] = []
    const vetoed: number[] = []
    for (const {members, vetoes} of present) {
      for (const member of members) found.push(member)
      for (const concept of vetoes) vetoed.push(concept)
    }
    found.sort((a, b) => a - b)
    return found.filter((member, at) => member !== found[at - 1] && !vetoed.includes(memberConcepts[member]))
  }

  return {scanField, firedMembers, memberConcepts, roles, patterns, patternsOf, phrases: phraseIndex}
}

export function isMember({members}: Role): boolean {
  return members.length > 0
}

/** Tokenises the text of a field, and calls `fire` for each regular expression that matches. */
type ReadField = (text: string, field: number, fire: (role: Role) => void) => readonly string[]

/** For text where the place of a token matters: with negation or expressions. */
function createFieldReader(patterns: readonly PatternRole[], phrases: PhraseIndex, options: TextOptions): ReadField {
  const scan = createFieldScanner(patterns, options)
  return (text, field, fire) => {
    const {marks, matches, outside} = scan(text, field)
    for (const {role} of matches) fire(role)
    return mergePhrases(outside, phrases, marks && negatedName(marks)).filter(token => token !== '')
  }
}

/** A text with the places of its tokens, before phrases are joined. */
export interface FieldScan {
  readonly tokens: readonly PlacedToken[]
  /** Where words are negated, if that matters. */
  readonly marks: Uint8Array | undefined
  /** The regular expressions that match, with the stretches that they match, ascending and apart. */
  readonly matches: readonly {readonly role: PatternRole; readonly spans: readonly Span[]}[]
  /** The tokens, empty where the expression of a member takes them away. */
  readonly outside: readonly string[]
}

/**
 * Tokens that the regular expression of an anchor touches are removed from the text. With negation, a negated word or
 * phrase is named `neg:...`, and a regular expression does not match negated text.
 */
export function createFieldScanner(
  patterns: readonly PatternRole[],
  {negation, negationScope}: TextOptions
): (text: string, field: number) => FieldScan {
  const markNegation = negation ? createNegationMarker(negationScope) : undefined
  return (text, field) => {
    const plain = straightQuotes(text)
    const tokens = tokenizePlaced(plain)
    const marks = markNegation?.(plain, tokens)
    const covered: Span[] = []
    const matches: {role: PatternRole; spans: Span[]}[] = []
    for (const role of patterns) {
      if (role.field !== undefined && role.field !== field) continue
      const isSeen = (span: Span) => marks === undefined || touchesNegated(span, tokens, marks) === role.negated
      const spans = joined(role.pattern.spans(plain).filter(isSeen))
      if (spans.length > 0) matches.push({role, spans})
      if (isMember(role)) for (const span of spans) covered.push(span)
    }
    return {tokens, marks, matches, outside: tokensOutside(tokens, joined(covered.sort((a, b) => a.start - b.start)))}
  }
}

export function negatedName(marks: Uint8Array): NameToken {
  return (token, from, to) => (token !== '' && isNegated(marks, from, to) ? `${NEGATED_PREFIX}${token}` : token)
}

/** Whether the tokens that a span touches are a negated mention. */
function touchesNegated(span: Span, tokens: readonly PlacedToken[], marks: Uint8Array): boolean {
  const {from, to} = touchedTokens(span, tokens)
  return isNegated(marks, from, to)
}

/** The tokens that a span touches, from `from` up to `to`. */
export function touchedTokens(span: Span, tokens: readonly PlacedToken[]): {from: number; to: number} {
  const isBefore = ({token, start}: PlacedToken) => start + token.length <= span.start
  let from = 0
  for (let high = tokens.length; from < high; ) {
    const middle = (from + high) >>> 1
    if (isBefore(tokens[middle])) from = middle + 1
    else high = middle
  }
  let to = from
  while (to < tokens.length && tokens[to].start < span.end) to++
  return {from, to}
}

/** Ascending spans, with those that touch or overlap joined. */
export function joined(spans: readonly Span[]): Span[] {
  const apart: Span[] = []
  for (const {start, end} of spans) {
    const last = apart.at(-1)
    if (last !== undefined && start <= last.end)
      apart[apart.length - 1] = {start: last.start, end: Math.max(last.end, end)}
    else apart.push({start, end})
  }
  return apart
}
