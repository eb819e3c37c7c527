import {AdfaError, nearestName, shownValue} from '../../base/checks/index.ts'
import {nameList, printableLine} from '../../base/text/index.ts'

/** The group of a concept, of which exactly one concept holds in each document, or at most one. */
export interface ExclusiveMark {
  /** Concepts with the same number belong together. */
  readonly group: number
  /** How many concepts the group had when it was given: fewer are left where some were skipped. */
  readonly size: number
  readonly atMostOne?: true
}

/** As much of an anchor as groups need. */
interface Grouped {
  readonly concept: string
  readonly exclusive?: ExclusiveMark
}

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
  const groups = new Map<number, {concepts: number[]; atMostOne: boolean; size: number}>()
  anchors.forEach(({exclusive}, i) => {
    if (exclusive === undefined) return
    const {group, size, atMostOne = false} = exclusive
    const known = groups.get(group) ?? {concepts: [], atMostOne, size}
    known.concepts.push(i)
    groups.set(group, known)
  })
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([, {concepts, atMostOne, size}]) => ({concepts, atMostOne: atMostOne || concepts.length < size}))
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

/** The anchors with the groups of `"$exclusive"`. */
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
