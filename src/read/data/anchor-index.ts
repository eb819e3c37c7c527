import type {Regex} from '../../base/regex/index.ts'
import type {Anchors} from './anchors.ts'
import {type FeatureName, NEGATED_PREFIX, readFeatureName} from './feature-name.ts'
import type {TextOptions} from './lexicon.ts'
import {indexPhrases, type PhraseIndex} from './phrases.ts'
import {nameParts} from './tokenize.ts'
import {askedClass, readVote, voteFeature} from './votes.ts'

/** The effect of a feature that occurs. */
export interface Role {
  /** Members that it fires, numbered through all concepts in order. */
  readonly members: number[]
  /** Concepts whose anchor it vetoes. */
  readonly vetoes: number[]
}

/** A regular expression with its role. */
export interface PatternRole extends Role {
  readonly pattern: Regex
  /** The field ({@link fieldNames}) it is matched in; undefined for all text fields and all features. */
  readonly field: number | undefined
  /** Whether it matches negated mentions instead of plain ones. */
  readonly negated: boolean
}

/** Anchors and phrases, indexed by token. */
export interface AnchorIndex {
  readonly phrases: PhraseIndex
  /** Per text field and, last, for `features`: the role of each token that has one. */
  readonly roles: readonly ReadonlyMap<string, Role>[]
  readonly patterns: readonly PatternRole[]
  /** The concept of each member. */
  readonly memberConcepts: readonly number[]
}

export function indexAnchors(anchors: Anchors, phrases: readonly string[], text: TextOptions): AnchorIndex {
  const {fields, lowerCase} = text
  const cased = (name: string) => (lowerCase ? name.toLowerCase() : name)
  const understood = anchors.map(({any, not}) => ({
    any: any.map(name => readFeatureName(name, text)),
    not: not.map(name => readFeatureName(name, text))
  }))
  const phraseIndex = indexPhrases([
    ...understood.flatMap(({any, not}) => [...any, ...not].map(({parts, rest}) => ({parts, token: cased(rest)}))),
    ...phrases.map(name => ({parts: nameParts(cased(name)), token: cased(name)}))
  ])
  const roles = Array.from({length: fields.length + 1}, () => new Map<string, Role>())
  const patterns: PatternRole[] = []
  const memberConcepts: number[] = []
  const rolesOf = (feature: FeatureName): Role[] => {
    const {pattern, parts, name, field, negated} = feature
    if (pattern !== undefined) {
      const role = {pattern, field, negated, members: [], vetoes: []}
      patterns.push(role)
      return [role]
    }
    const ready = roles[fields.length]
    const found = [roleOf(ready, name)]
    const spelled = phraseIndex.tokens.get(parts.join(' ')) ?? parts.join(' ')
    const token = negated && spelled !== '' ? `${NEGATED_PREFIX}${spelled}` : spelled
    fields.forEach((fieldName, at) => {
      if (token === '' || (field !== undefined && field !== at)) return
      found.push(roleOf(roles[at], token), roleOf(ready, `${fieldName}:${token}`))
    })
    return found
  }
  const names = new Set(anchors.map(({concept}) => concept))
  const askedAbout = onlyConcepts(anchors, names)
  understood.forEach(({any, not}, concept) => {
    for (const feature of any) {
      const member = memberConcepts.push(concept) - 1
      const {source, vote} = readVote(feature.name) ?? {source: '', vote: ''}
      const own = anchors[concept].concept
      const asked = askedClass(own, names)
      const isPlain = askedAbout.get(source) === asked && vote === own
      const answer = isPlain ? [roleOf(roles[fields.length], voteFeature(source, String(asked === own)))] : []
      for (const {members} of [...rolesOf(feature), ...answer]) if (members.at(-1) !== member) members.push(member)
    }
    for (const feature of not) for (const {vetoes} of rolesOf(feature)) vetoes.push(concept)
  })
  return {phrases: phraseIndex, roles, patterns, memberConcepts}
}

/** The concept of each source that votes on one only: its `true` means this concept, its `false` the one against it. */
function onlyConcepts(anchors: Anchors, names: ReadonlySet<string>): Map<string, string | undefined> {
  const concepts = new Map<string, string | undefined>()
  for (const {concept, any} of anchors)
    for (const name of any) {
      const {source, vote} = readVote(name) ?? {}
      if (source === undefined || vote !== concept) continue
      const asked = askedClass(concept, names)
      concepts.set(source, concepts.has(source) && concepts.get(source) !== asked ? undefined : asked)
    }
  return concepts
}

/** Groups of members that are the same feature but belong to different concepts. */
export function sharedMembers({roles, patterns, memberConcepts}: AnchorIndex): number[][] {
  const byPattern = new Map<string, number[]>()
  for (const {pattern, field, negated, members} of patterns) {
    const key = `${field ?? ''}:${negated}:${pattern.name}`
    byPattern.set(key, [...(byPattern.get(key) ?? []), ...members])
  }
  return [...roles.flatMap(byToken => [...byToken.values()].map(({members}) => members)), ...byPattern.values()].filter(
    members => members.some(member => memberConcepts[member] !== memberConcepts[members[0]])
  )
}

function roleOf(roles: Map<string, Role>, token: string): Role {
  const known = roles.get(token)
  if (known !== undefined) return known
  const role = {members: [], vetoes: []}
  roles.set(token, role)
  return role
}
