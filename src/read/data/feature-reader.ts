import {indexAnchors, type PatternRole, type Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {NEGATED_PREFIX} from './feature-name.ts'
import type {TextOptions} from './lexicon.ts'
import {createNegationMarker, isNegated} from './negation.ts'
import {mergePhrases, type NameToken, type PhraseIndex} from './phrases.ts'
import type {Row} from './row.ts'
import {fieldNames} from './row-fields.ts'
import {type PlacedToken, type Span, straightQuotes, tokenize, tokenizePlaced, tokensOutside} from './tokenize.ts'

/** What a row says: the tokens of each text field and, last, its `features`; and which anchor features fired. */
interface Reading {
  readonly tokens: readonly (readonly string[])[]
  /** Anchor features that fired, numbered through all concepts in order; ascending, each once. */
  readonly members: readonly number[]
}

/** Reads rows as features, by fixed anchors, phrases and text options. */
export interface FeatureReader {
  read(row: Row): Reading
  /** Whether this token of this field (`fields.length` for `features`) is an anchor. */
  isAnchor(field: number, token: string): boolean
  /** What a ready-made feature does wherever it occurs; undefined when it is a word and no more. */
  featureRole(name: string): FeatureRole | undefined
  /** The names of all ready-made features with a role, but for those that only a regular expression finds. */
  readonly roleNames: readonly string[]
  /** Whether regular expressions look at features, so that any name may have a role. */
  readonly hasPatterns: boolean
  /** The anchor features that fire in a document with features of these roles. */
  firedMembers(roles: Iterable<Role>): number[]
  /** The concept of each anchor feature. */
  readonly memberConcepts: readonly number[]
}

/** The role of a ready-made feature. */
export interface FeatureRole extends Role {
  /** Whether a regular expression of an anchor takes it, so that it is not counted as a word. */
  readonly isTaken: boolean
}

/** Prepare the reading of rows. */
export function createFeatureReader(anchors: Anchors, phrases: readonly string[], text: TextOptions): FeatureReader {
  const {fields, lowerCase} = text
  const {phrases: phraseIndex, roles, patterns, memberConcepts} = indexAnchors(anchors, phrases, text)
  const prefixes = fieldNames(text).map((name, at) => (at < fields.length ? undefined : `${name}:`))
  const readField = createFieldReader(patterns, phraseIndex, text.negation)

  const firedMembers = (present: Iterable<Role>): number[] => {
    const members = new Set<number>()
    const vetoed = new Set<number>()
    for (const role of present) {
      for (const member of role.members) members.add(member)
      for (const concept of role.vetoes) vetoed.add(concept)
    }
    return [...members].filter(member => !vetoed.has(memberConcepts[member])).sort((a, b) => a - b)
  }

  const read = (row: Row): Reading => {
    const present: Role[] = []
    const fire = (role: Role) => present.push(role)
    const tokens = fields.map((name, field) => {
      const content = row.text.get(name) ?? ''
      return readField(lowerCase ? content.toLowerCase() : content, field, fire)
    })
    tokens.push(
      patterns.length === 0
        ? row.features
        : row.features.filter(name => !matchFeature(name, {patterns, prefixes, fire}))
    )
    tokens.forEach((list, field) => {
      if (roles[field].size === 0) return
      for (const token of list) {
        const role = roles[field].get(token)
        if (role !== undefined) fire(role)
      }
    })
    return {tokens, members: firedMembers(present)}
  }

  const featureRole = (name: string): FeatureRole | undefined => {
    const found: Role[] = []
    const isTaken = matchFeature(name, {patterns, prefixes, fire: role => found.push(role)})
    const named = isTaken ? undefined : roles[fields.length].get(name)
    if (named !== undefined) found.push(named)
    if (found.length === 0) return undefined
    return {members: found.flatMap(role => role.members), vetoes: found.flatMap(role => role.vetoes), isTaken}
  }
  const isAnchor = (field: number, token: string) => (roles[field].get(token)?.members.length ?? 0) > 0
  const roleNames = [...roles[fields.length].keys()]
  return {read, featureRole, roleNames, hasPatterns: patterns.length > 0, firedMembers, memberConcepts, isAnchor}
}

/** How the regular expressions of anchors look at features. */
interface FeatureSearch {
  readonly patterns: readonly PatternRole[]
  /** What the features of each field begin with; undefined for a text field, whose expressions look at text. */
  readonly prefixes: readonly (string | undefined)[]
  readonly fire: (role: Role) => void
}

/** Fire the patterns that match a ready-made feature; true when it is thereby an anchor. */
function matchFeature(feature: string, {patterns, prefixes, fire}: FeatureSearch): boolean {
  let isAnchor = false
  for (const role of patterns) {
    const prefix = role.field === undefined ? '' : prefixes[role.field]
    if (prefix === undefined || !feature.startsWith(prefix)) continue
    if (nonEmptyMatches(feature.slice(prefix.length), role.pattern).next().done) continue
    fire(role)
    if (role.members.length > 0) isAnchor = true
  }
  return isAnchor
}

/** Cuts the text of a field into tokens, and calls `fire` for each regular expression that matches. */
type ReadField = (text: string, field: number, fire: (role: Role) => void) => readonly string[]

/**
 * Prepare the reading of text. A regular expression of an anchor takes the words it touches out of the text. Where
 * negation is read, a negated word or phrase is called `neg:...`, and a regular expression does not see what is negated.
 */
function createFieldReader(patterns: readonly PatternRole[], phrases: PhraseIndex, readsNegation: boolean): ReadField {
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
