import type {Anchors} from './anchors.ts'
import {type FeatureName, readFeatureName} from './feature-name.ts'
import type {TextOptions} from './lexicon.ts'
import {indexPhrases, mergePhrases} from './phrases.ts'
import type {Row} from './row.ts'
import {nameParts, tokenize} from './tokenize.ts'

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
  /** Groups of anchor features that are one and the same feature, yet belong to different concepts. */
  sharedMembers(): readonly (readonly number[])[]
  /** The concept of each anchor feature. */
  readonly memberConcepts: readonly number[]
}

interface Role {
  readonly members: number[]
  /** Concepts whose anchor this feature vetoes. */
  readonly vetoes: number[]
}

interface Pattern extends Role {
  readonly pattern: RegExp
  readonly field: number | undefined
}

/** Prepare the reading of rows. A regular expression of an anchor takes the words it touches out of the text. */
export function createFeatureReader(anchors: Anchors, phrases: readonly string[], text: TextOptions): FeatureReader {
  const {fields, lowerCase} = text
  const understand = (name: string) => readFeatureName(name, fields, lowerCase)
  const names = anchors.flatMap(({any, not}) => [...any, ...not].map(understand))
  const phraseIndex = indexPhrases([
    ...names.map(({parts, name, field}) => ({parts, token: fieldless(name, field, fields, lowerCase)})),
    ...phrases.map(token => ({token, parts: nameParts(lowerCase ? token.toLowerCase() : token)}))
  ])
  const roles = Array.from({length: fields.length + 1}, () => new Map<string, Role>())
  const patterns: Pattern[] = []
  const memberConcepts: number[] = []
  const assign = (feature: FeatureName, member: number | undefined, veto: number | undefined) => {
    if (feature.pattern !== undefined) {
      const {pattern, field} = feature
      patterns.push({pattern, field, members: listOf(member), vetoes: listOf(veto)})
      return
    }
    const key = feature.parts.join(' ')
    const token = phraseIndex.tokens.get(key) ?? key
    fields.forEach((_, field) => {
      if (feature.field === undefined || feature.field === field) addRole(roles[field], token, member, veto)
    })
    addRole(roles[fields.length], feature.name, member, veto)
  }
  anchors.forEach(({any, not}, concept) => {
    for (const name of any) assign(understand(name), memberConcepts.push(concept) - 1, undefined)
    for (const name of not) assign(understand(name), undefined, concept)
  })

  const read = (row: Row): Reading => {
    const members = new Set<number>()
    const vetoed = new Set<number>()
    const fire = (role: Role) => {
      for (const member of role.members) members.add(member)
      for (const concept of role.vetoes) vetoed.add(concept)
    }
    const tokens = fields.map((name, field) => {
      const content = row.text.get(name) ?? ''
      const lowered = lowerCase ? content.toLowerCase() : content
      const left = patterns.length === 0 ? lowered : applyPatterns(lowered, field, patterns, fire)
      return mergePhrases(tokenize(left), phraseIndex)
    })
    tokens.push(patterns.length === 0 ? row.features : row.features.filter(name => !matchesWhole(name, patterns, fire)))
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
  return {
    read,
    memberConcepts,
    isAnchor: (field, token) => (roles[field].get(token)?.members.length ?? 0) > 0,
    sharedMembers: () =>
      roles
        .flatMap(byToken => [...byToken.values()].map(({members}) => members))
        .filter(members => members.some(member => memberConcepts[member] !== memberConcepts[members[0]]))
  }
}

function fieldless(name: string, field: number | undefined, fields: readonly string[], lowerCase: boolean): string {
  const rest = field === undefined ? name : name.slice(fields[field].length + 1)
  return lowerCase ? rest.toLowerCase() : rest
}

function listOf(value: number | undefined): number[] {
  return value === undefined ? [] : [value]
}

function addRole(roles: Map<string, Role>, token: string, member: number | undefined, veto: number | undefined): void {
  const role = roles.get(token) ?? {members: [], vetoes: []}
  if (member !== undefined) role.members.push(member)
  if (veto !== undefined) role.vetoes.push(veto)
  roles.set(token, role)
}

/** Fire the patterns that match and return the text without the words that an anchor's match touches. */
function applyPatterns(text: string, field: number, patterns: readonly Pattern[], fire: (role: Role) => void): string {
  const spans: {start: number; end: number}[] = []
  for (const pattern of patterns) {
    if (pattern.field !== undefined && pattern.field !== field) continue
    const matches = [...text.matchAll(pattern.pattern)].filter(match => match[0] !== '')
    if (matches.length === 0) continue
    fire(pattern)
    if (pattern.members.length > 0)
      for (const match of matches) spans.push(wholeWords(text, match.index, match.index + match[0].length))
  }
  let left = ''
  let from = 0
  for (const {start, end} of spans.sort((a, b) => a.start - b.start)) {
    if (start > from) left += `${text.slice(from, start)} `
    from = Math.max(from, end)
  }
  return left + text.slice(from)
}

function wholeWords(text: string, start: number, end: number): {start: number; end: number} {
  let first = start
  let last = end
  while (first > 0 && WORD_CHARACTER.test(text[first - 1])) first--
  while (last < text.length && WORD_CHARACTER.test(text[last])) last++
  return {start: first, end: last}
}

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}_]/u

/** Fire the patterns that match a ready-made feature; true when it is thereby an anchor. */
function matchesWhole(feature: string, patterns: readonly Pattern[], fire: (role: Role) => void): boolean {
  let isAnchor = false
  for (const pattern of patterns) {
    if (pattern.field !== undefined || feature.search(pattern.pattern) < 0) continue
    fire(pattern)
    if (pattern.members.length > 0) isAnchor = true
  }
  return isAnchor
}
