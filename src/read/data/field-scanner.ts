import {isMember, type PatternRole} from './anchor-index.ts'
import {NEGATED_PREFIX} from './feature-name.ts'
import type {TextOptions} from './lexicon.ts'
import {createNegationMarker, isNegated} from './negation.ts'
import type {NameToken} from './phrases.ts'
import {type PlacedToken, type Span, straightQuotes, tokenizePlaced} from './tokenize.ts'

/** A text with the places of its tokens, before phrases are joined. */
export interface FieldScan {
  readonly tokens: readonly PlacedToken[]
  /** Where words are negated, if that matters. */
  readonly marks: Uint8Array | undefined
  /** The regular expressions that match, with the stretches that they match. */
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
    const outside = tokens.map(({token}) => token)
    const matches: {role: PatternRole; spans: Span[]}[] = []
    for (const role of patterns) {
      if (role.field !== undefined && role.field !== field) continue
      // Without negation every span is seen; with it, only mentions of the kind that the name asks for.
      const isSeen = (span: Span) => {
        const {from, to} = touchedTokens(span, tokens)
        return marks === undefined || isNegated(marks, from, to) === role.negated
      }
      const spans = role.pattern.spans(plain).filter(isSeen)
      if (spans.length > 0) matches.push({role, spans})
      if (!isMember(role)) continue
      for (const span of spans) {
        const {from, to} = touchedTokens(span, tokens)
        outside.fill('', from, to)
      }
    }
    return {tokens, marks, matches, outside}
  }
}

export function negatedName(marks: Uint8Array): NameToken {
  return (token, from, to) => (token !== '' && isNegated(marks, from, to) ? `${NEGATED_PREFIX}${token}` : token)
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
