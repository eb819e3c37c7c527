import {AdfaError, jsonEntries, jsonFault, nearestName, parseJson, shownValue} from '../../base/checks/index.ts'
import {createRegex} from '../../base/regex/index.ts'
import {nameList, printableLine} from '../../base/text/index.ts'
import {readVote, voteFeature} from './feature-name.ts'

export type AnchorRates =
  | {readonly kind: 'rates'; readonly truePositive: number; readonly falsePositive: number}
  | {readonly kind: 'shares'; readonly prevalence: number; readonly precision: number}

/** The anchor of one concept: it fires when any of `any` occurs and none of `not` does. */
export interface Anchor {
  readonly concept: string
  /** Feature names, phrases (`text:chest pain`), regular expressions (`/etoh|alcohol/`) or votes (`votes:nurse=alcohol`). */
  readonly any: readonly string[]
  readonly not: readonly string[]
  readonly rates: AnchorRates | undefined
  /** Its group, if it excludes other concepts; see {@link exclusiveGroups}. */
  readonly exclusive?: ExclusiveMark
}

export type Anchors = readonly Anchor[]

/** Keys that are no concepts: `$schema` and `$comment` are ignored, `$exclusive` names groups, any other is refused. */
const RESERVED = '$'
const EXCLUSIVE = '$exclusive'

/** Parse an anchors file (docs/data.md, Anchors). One error lists all faults. Concepts that only `$exclusive` names have no members yet. */
export function parseAnchors(json: string, where: string): Anchors {
  let value: unknown
  try {
    value = parseJson(json)
  } catch (cause) {
    throw new AdfaError('bad-anchors', `${where}: not valid JSON: ${jsonFault(json) ?? (cause as Error).message}`, {
      cause
    })
  }
  const faults = duplicateKeys(json).map(
    name => `concept "${printableLine(name)}" is named twice; merge its anchors into one list`
  )
  const noting = <T>(read: () => T): T[] => {
    try {
      return [read()]
    } catch (error) {
      if (!(error instanceof AdfaError)) throw error
      faults.push(error.message)
      return []
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    faults.push(`anchors are one object, {"concept": "anchor", ...}; got ${shownValue(value)}`)
  const {$schema: _, $comment: __, [EXCLUSIVE]: groups, ...entries} = Object(value) as Record<string, unknown>
  const anchors = Object.entries(entries).flatMap(([concept, entry]) =>
    noting(() => {
      if (!concept.startsWith(RESERVED)) return parseAnchorEntry(concept, entry)
      throw new AdfaError(
        'bad-anchors',
        `concept "${printableLine(concept)}": keys that begin with "$" are reserved, and only "$schema", "$comment" and "$exclusive" are known; rename the concept`
      )
    })
  )
  if (anchors.length === 0) anchors.push(...groupNames(groups).map(concept => parseAnchorEntry(concept, {any: []})))
  if (anchors.length === 0 && faults.length === 0) faults.push('no concepts defined; define at least one')
  // Groups name concepts, and those that are refused would be missing.
  const [grouped = anchors] =
    groups === undefined || faults.length > 0 ? [] : noting(() => withExclusive(anchors, groups))
  if (faults.length === 0) return grouped
  throw new AdfaError('bad-anchors', `${where}: ${faults.length === 1 ? faults[0] : `\n  ${faults.join('\n  ')}`}`)
}

export function anchorsToJson(anchors: Anchors): Record<string, unknown> {
  const reserved = anchors.find(({concept}) => concept.startsWith(RESERVED))
  if (reserved !== undefined)
    throw new AdfaError(
      'bad-anchors',
      `concept "${reserved.concept}": cannot be written to a file of anchors, where names that begin with "$" are reserved; rename the concept or tag`
    )
  const entries = anchors.map(({concept, any, not, rates}): [string, unknown] => {
    if (rates === undefined && not.length === 0) return [concept, any.length === 1 ? any[0] : any]
    const {kind, ...numbers} = rates ?? {kind: undefined}
    return [concept, {any, ...(not.length > 0 ? {not} : {}), ...numbers}]
  })
  const groups = exclusiveToJson(anchors)
  return Object.fromEntries(groups.length === 0 ? entries : [...entries, [EXCLUSIVE, groups]])
}

type Refuse = (fault: string) => AdfaError

const RATES: readonly string[] = ['truePositive', 'falsePositive', 'prevalence', 'precision']

/** The anchor of a concept, as an anchors file describes it. */
export function parseAnchorEntry(concept: string, entry: unknown): Anchor {
  const refuse = (fault: string) => new AdfaError('bad-anchors', `concept "${printableLine(concept)}": ${fault}`)
  if (concept === '') throw refuse('a concept needs a name; got the empty string')
  if (concept.includes('\n')) throw refuse('the name of a concept is one line; remove the line feed')
  if (typeof entry === 'string' || Array.isArray(entry))
    return {concept, any: featureNames(entry, refuse), not: [], rates: undefined}
  if (typeof entry !== 'object' || entry === null)
    throw refuse(`an anchor is a feature name, a list of them or {"any": [...]}; got ${shownValue(entry)}`)
  const {any, votes, not, ...rates} = entry as Record<string, unknown>
  const unknown = Object.keys(rates).find(key => !RATES.includes(key))
  if (unknown !== undefined)
    throw refuse(`unknown key "${unknown}"; an anchor has ${['any', 'votes', 'not', ...RATES].join(', ')}`)
  if (any === undefined && votes === undefined)
    throw refuse('"any" is missing; list the features of its anchor, or in "votes" the sources that vote for it')
  return {
    concept,
    any: [...new Set([...featureNames(any ?? [], refuse), ...votesFor(concept, votes ?? [], refuse)])],
    not: not === undefined ? [] : featureNames(not, refuse),
    rates: parseRates(rates, refuse)
  }
}

function votesFor(concept: string, sources: unknown, refuse: Refuse): string[] {
  if (!Array.isArray(sources) || !sources.every(source => typeof source === 'string'))
    throw refuse(`"votes" lists the names of sources, such as ["nurse", "llm"]; got ${shownValue(sources)}`)
  return sources.map(source => voteFeature(source, concept))
}

function featureNames(value: unknown, refuse: Refuse): readonly string[] {
  const names = Array.isArray(value) ? value : [value]
  for (const name of names) {
    if (typeof name !== 'string') throw refuse(`a feature name is text; got ${shownValue(name)}`)
    const regex = /^(?:[^/:]+:)?(?:neg:)?\/(.+)\/([a-z]*)$/s.exec(name)
    if (regex === null || readVote(name) !== undefined) continue
    try {
      createRegex(regex[1], regex[2])
    } catch (cause) {
      throw refuse((cause as Error).message)
    }
  }
  return [...new Set(names)]
}

function parseRates(given: Readonly<Record<string, unknown>>, refuse: Refuse): AnchorRates | undefined {
  const named = Object.entries(given).filter(([, rate]) => rate !== undefined)
  if (named.length === 0) return undefined
  for (const [name, rate] of named)
    if (typeof rate !== 'number' || !(rate > 0 && rate < 1))
      throw refuse(`${name} must lie strictly between 0 and 1; got ${shownValue(rate)}`)
  for (const [kind, a, b] of [
    ['rates', 'truePositive', 'falsePositive'],
    ['shares', 'prevalence', 'precision']
  ]) {
    if (named.length !== 2 || given[a] === undefined || given[b] === undefined) continue
    if (given[a] === given[b])
      throw refuse(`${a} must differ from ${b}, or the anchor is uninformative; got ${given[a]} twice`)
    return {kind, [a]: given[a], [b]: given[b]} as unknown as AnchorRates
  }
  throw refuse(
    `give truePositive with falsePositive, or prevalence with precision; got ${named.map(([name]) => name).join(', ')}`
  )
}

/** Keys that occur twice in the outermost object; JSON.parse silently keeps the last. */
function duplicateKeys(json: string): string[] {
  const keys = jsonEntries(json, json.indexOf('{')).map(({key}) => key)
  return [...new Set(keys.filter((key, at) => keys.indexOf(key) < at))]
}

/** The group of a concept, of which exactly one concept holds in each document, or at most one. */
export interface ExclusiveMark {
  /** Concepts with the same number belong together. */
  readonly group: number
  /** How many concepts the group had when it was given: fewer are left where some were skipped. */
  readonly size: number
  readonly atMostOne?: true
}

type Grouped = Pick<Anchor, 'concept' | 'exclusive'>

/** Concepts by number, ascending: in each document exactly one holds, or at most one. */
export interface ExclusiveGroup {
  readonly concepts: readonly number[]
  readonly atMostOne: boolean
}

/**
 * The groups of exclusive concepts, by number. A document may have a concept that was skipped, so a group without it is one of
 * which at most one holds; a group with one concept left is none.
 */
export function exclusiveGroups(anchors: readonly Grouped[]): ExclusiveGroup[] {
  const numbers = new Set(anchors.flatMap(({exclusive}) => exclusive?.group ?? []))
  return [...numbers]
    .sort((a, b) => a - b)
    .map(number => {
      const concepts = [...anchors.keys()].filter(i => anchors[i].exclusive?.group === number)
      const {size = 0, atMostOne = false} = anchors[concepts[0]].exclusive ?? {}
      return {concepts, atMostOne: atMostOne || concepts.length < size}
    })
    .filter(({concepts}) => concepts.length > 1)
}

/** The groups as an anchors file has them: lists of names, or objects where at most one holds. */
export function exclusiveToJson(anchors: readonly Grouped[]): (string[] | {group: string[]; atMostOne: true})[] {
  return exclusiveGroups(anchors).map(({concepts, atMostOne}) => {
    const group = concepts.map(i => anchors[i].concept)
    return atMostOne ? {group, atMostOne} : group
  })
}

/** The names in `"$exclusive"`, each once; what is malformed is left to {@link withExclusive}. */
export function groupNames(value: unknown): string[] {
  const groups: unknown[] = Array.isArray(value) ? value : []
  const listed = groups.flatMap(entry => (Array.isArray(entry) ? entry : ((entry as {group?: unknown})?.group ?? [])))
  return [...new Set(listed.filter(name => typeof name === 'string' && name !== ''))] as string[]
}

export function withExclusive<A extends Grouped>(anchors: readonly A[], value: unknown): readonly A[] {
  if (!Array.isArray(value))
    throw refusal(`it is a list of groups, such as [["ham", "spam"]]; got ${shownValue(value)}`)
  const marks = new Map<string, ExclusiveMark>()
  const names = new Set(anchors.map(({concept}) => concept))
  value.forEach((entry: unknown, number) => {
    const {group, atMostOne} = parseGroup(entry, names)
    for (const concept of group) {
      if (marks.has(concept))
        throw refusal(`"${printableLine(concept)}" is named twice; a concept belongs to one group, once`)
      marks.set(concept, {group: number, size: group.length, ...(atMostOne && {atMostOne: true as const})})
    }
  })
  return anchors.map(anchor => {
    const exclusive = marks.get(anchor.concept)
    return exclusive === undefined ? anchor : {...anchor, exclusive}
  })
}

function parseGroup(entry: unknown, names: ReadonlySet<string>): {group: string[]; atMostOne: boolean} {
  const {group, atMostOne = false, ...others} = Object(Array.isArray(entry) ? {group: entry} : entry)
  const isNamed = Array.isArray(group) && group.length > 1 && group.every(name => typeof name === 'string')
  if (!isNamed || typeof atMostOne !== 'boolean' || Object.keys(others).length > 0)
    throw refusal(
      'a group is a list of two concepts or more, ["ham", "spam"], or {"group": ["ham", "spam"], "atMostOne": true} ' +
        `where none may hold; got ${shownValue(entry)}`
    )
  const stranger = group.find(name => !names.has(name))
  if (stranger === undefined) return {group, atMostOne}
  const near = nearestName(stranger, [...names])
  const wayOut =
    near === undefined ? `the concepts are ${nameList([...names], 5)}` : `did you mean "${printableLine(near)}"?`
  throw refusal(`there is no concept "${printableLine(stranger)}"; ${wayOut}`)
}

function refusal(fault: string): AdfaError {
  return new AdfaError('bad-anchors', `"$exclusive": ${fault}`)
}
