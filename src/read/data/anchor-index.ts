import type {Regex} from '../../base/regex/index.ts'
import type {Anchors} from './anchors.ts'
import {askedClass, type FeatureName, NEGATED_PREFIX, readFeatureName, readVote, voteFeature} from './feature-name.ts'
import type {TextOptions} from './lexicon.ts'
import {indexPhrases} from './phrases.ts'
import {fieldsOf} from './row-fields.ts'
import {nameParts} from './tokenize.ts'

/** The effect of a feature that occurs. */
export interface Role {
  /** Members that it fires, numbered through all concepts in order. */
  readonly members: number[]
  /** Concepts whose anchor it vetoes. */
  readonly vetoes: number[]
  /** Tells whether a regular expression of an anchor matches this ready-made feature, which then does not count as a word. */
  readonly isTaken?: boolean
}

export interface PatternRole extends Role {
  /** The name that the anchor has for it. */
  readonly feature: string
  readonly pattern: Regex
  /** The field ({@link fieldsOf}) it is matched in; undefined for all text fields and all features. */
  readonly field: number | undefined
  /** Whether it matches negated mentions instead of plain ones. */
  readonly negated: boolean
}

export type AnchorIndex = ReturnType<typeof indexAnchors>

export function indexAnchors(anchors: Anchors, phrases: readonly string[], reading: TextOptions) {
  const {text: fields, keepCase} = reading
  const cased = (name: string) => (keepCase ? name : name.toLowerCase())
  const understood = anchors.map(({any, not}) => ({
    any: any.map(name => readFeatureName(name, reading)),
    not: not.map(name => readFeatureName(name, reading))
  }))
  const phraseIndex = indexPhrases([
    ...understood.flatMap(({any, not}) => [...any, ...not].map(({parts, rest}) => ({parts, token: cased(rest)}))),
    ...phrases.map(name => ({parts: nameParts(cased(name)), token: cased(name)}))
  ])
  const roles = Array.from({length: fields.length + 1}, () => new Map<string, Role>())
  const ready = roles[fields.length]
  const patterns: PatternRole[] = []
  const memberConcepts: number[] = []
  const rolesOf = (feature: FeatureName): Role[] => {
    const {pattern, parts, name, field, negated} = feature
    if (pattern !== undefined) {
      const role = {feature: name, pattern, field, negated, members: [], vetoes: []}
      patterns.push(role)
      return [role]
    }
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
      const answer = isPlain ? [roleOf(ready, voteFeature(source, String(asked === own)))] : []
      for (const {members} of [...rolesOf(feature), ...answer]) if (members.at(-1) !== member) members.push(member)
    }
    for (const feature of not) for (const {vetoes} of rolesOf(feature)) vetoes.push(concept)
  })
  /** The prefix of the features of each field; undefined for a text field, whose expressions match text. */
  const prefixes = fieldsOf(reading).fieldNames.map((name, at) => (at < fields.length ? undefined : `${name}:`))
  const matches = ({field, pattern}: PatternRole, feature: string) => {
    const prefix = field === undefined ? '' : prefixes[field]
    return prefix !== undefined && feature.startsWith(prefix) && pattern.spans(feature.slice(prefix.length)).length > 0
  }

  return {
    phrases: phraseIndex,
    /** Per text field and, last, for `features`: the role of each token that has one. */
    roles: roles as readonly ReadonlyMap<string, Role>[],
    patterns: patterns as readonly PatternRole[],
    memberConcepts: memberConcepts as readonly number[],
    /** The names of all ready-made features with a role, except those that only a regular expression finds. */
    roleNames: [...ready.keys()],

    isAnchor: (field: number, token: string) => (roles[field].get(token)?.members.length ?? 0) > 0,

    /** The role of a ready-made feature; undefined for a plain word. */
    featureRole(name: string): Role | undefined {
      const found: Role[] =
        patterns.length === 0 || readVote(name) !== undefined ? [] : patterns.filter(role => matches(role, name))
      const isTaken = found.some(isMember)
      const named = isTaken ? undefined : ready.get(name)
      if (named !== undefined) found.push(named)
      if (found.length === 0) return undefined
      return {members: found.flatMap(role => role.members), vetoes: found.flatMap(role => role.vetoes), isTaken}
    },

    /** The concepts of members, ascending as these do. Members are numbered by concept, so the members of one concept are neighbours. */
    conceptsOf(members: readonly number[]): number[] {
      const concepts: number[] = []
      for (const member of members)
        if (memberConcepts[member] !== concepts.at(-1)) concepts.push(memberConcepts[member])
      return concepts
    },

    /** The members that fire in a document with features of these roles, ascending. */
    firedMembers(present: Iterable<Role>): number[] {
      const fired = new Set<number>()
      const vetoed = new Set<number>()
      for (const {members, vetoes} of present) {
        for (const member of members) fired.add(member)
        for (const concept of vetoes) vetoed.add(concept)
      }
      const found = [...fired].sort((a, b) => a - b)
      return vetoed.size === 0 ? found : found.filter(member => !vetoed.has(memberConcepts[member]))
    }
  }
}

export function isMember({members}: Role): boolean {
  return members.length > 0
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
