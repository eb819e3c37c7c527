import {indexAnchors, type PatternRole, type Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import type {TextOptions} from './lexicon.ts'
import {mergePhrases} from './phrases.ts'
import type {Row} from './row.ts'
import {type Span, straightQuotes, tokenize, tokenizeOutside} from './tokenize.ts'

/** What a row says: the tokens of each text field and, last, its `features`; and which anchor features fired. */
export interface Reading {
  readonly tokens: readonly (readonly string[])[]
  /** Anchor features that fired, numbered through all concepts in order; ascending, each once. */
  readonly members: readonly number[]
}

/** Reads rows as features, by fixed anchors, phrases and text options. */
export interface FeatureReader {
  read(row: Row): Reading
  /** Whether this token of this field (`fields.length` for `features`) is an anchor. */
  isAnchor(field: number, token: string): boolean
  /** The concept of each anchor feature. */
  readonly memberConcepts: readonly number[]
}

/** Prepare the reading of rows. A regular expression of an anchor takes the words it touches out of the text. */
export function createFeatureReader(anchors: Anchors, phrases: readonly string[], text: TextOptions): FeatureReader {
  const {fields, lowerCase} = text
  const {phrases: phraseIndex, roles, patterns, memberConcepts} = indexAnchors(anchors, phrases, text)

  const read = (row: Row): Reading => {
    const members = new Set<number>()
    const vetoed = new Set<number>()
    const fire = (role: Role) => {
      for (const member of role.members) members.add(member)
      for (const concept of role.vetoes) vetoed.add(concept)
    }
    const tokens = fields.map((name, field) => {
      const content = row.text.get(name) ?? ''
      const cased = lowerCase ? content.toLowerCase() : content
      if (patterns.length === 0) return mergePhrases(tokenize(cased), phraseIndex)
      const spans = matchedSpans(straightQuotes(cased), field, patterns, fire)
      return mergePhrases(tokenizeOutside(cased, spans), phraseIndex).filter(token => token !== '')
    })
    tokens.push(patterns.length === 0 ? row.features : row.features.filter(name => !matchFeature(name, patterns, fire)))
    tokens.forEach((list, field) => {
      if (roles[field].size === 0) return
      for (const token of list) {
        const role = roles[field].get(token)
        if (role !== undefined) fire(role)
      }
    })
    const fired = [...members].filter(member => !vetoed.has(memberConcepts[member]))
    return {tokens, members: fired.sort((a, b) => a - b)}
  }
  return {read, memberConcepts, isAnchor: (field, token) => (roles[field].get(token)?.members.length ?? 0) > 0}
}

/** Fire the patterns that match, and return what the anchors among them cover: ascending, touching spans joined. */
function matchedSpans(
  text: string,
  field: number,
  patterns: readonly PatternRole[],
  fire: (role: Role) => void
): Span[] {
  const spans: Span[] = []
  for (const role of patterns) {
    if (role.field !== undefined && role.field !== field) continue
    const found = joined(nonEmptyMatches(text, role.pattern))
    if (found.length > 0) fire(role)
    if (role.members.length > 0) spans.push(...found)
  }
  return joined(spans.sort((a, b) => a.start - b.start))
}

function* nonEmptyMatches(text: string, pattern: RegExp): Generator<Span> {
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

/** Fire the patterns that match a ready-made feature; true when it is thereby an anchor. */
function matchFeature(feature: string, patterns: readonly PatternRole[], fire: (role: Role) => void): boolean {
  let isAnchor = false
  for (const role of patterns) {
    if (role.field !== undefined || nonEmptyMatches(feature, role.pattern).next().done) continue
    fire(role)
    if (role.members.length > 0) isAnchor = true
  }
  return isAnchor
}
