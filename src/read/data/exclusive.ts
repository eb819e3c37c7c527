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

/** The anchors with the groups of `"$exclusive"`; each fault is an AdfaError passed to `onFault`. */
export function withExclusive<A extends Grouped>(
  anchors: readonly A[],
  value: unknown,
  onFault: (fault: AdfaError) => void
): readonly A[] {
  const marks = new Map<string, ExclusiveMark>()
  const names = new Set(anchors.map(({concept}) => concept))
  if (!Array.isArray(value)) {
    onFault(refusal(`it is a list of groups, such as [["ham", "spam"]]; got ${shownValue(value)}`))
    return anchors
  }
  value.forEach((entry: unknown, group) => {
    try {
      const {concepts, ...rest} = parseGroup(entry, names)
      for (const concept of concepts) {
        const isTwice = marks.get(concept) !== undefined
        if (isTwice) throw refusal(`"${printableLine(concept)}" is named twice; a concept belongs to one group, once`)
        marks.set(concept, {group, size: concepts.length, ...rest})
      }
    } catch (error) {
      if (!(error instanceof AdfaError)) throw error
      onFault(error)
    }
  })
  return anchors.map(anchor => {
    const exclusive = marks.get(anchor.concept)
    return exclusive === undefined ? anchor : {...anchor, exclusive}
  })
}

function parseGroup(entry: unknown, names: ReadonlySet<string>): {concepts: string[]; atMostOne?: true} {
  const form = '["ham", "spam"], or {"group": ["ham", "spam"], "atMostOne": true} where none may hold'
  const isList = Array.isArray(entry)
  if (!isList && (typeof entry !== 'object' || entry === null))
    throw refusal(`a group is ${form}; got ${shownValue(entry)}`)
  const {group, atMostOne = false, ...others} = (isList ? {group: entry} : entry) as Record<string, unknown>
  const [stranger] = Object.keys(others)
  if (stranger !== undefined) throw refusal(`a group has no "${stranger}"; it is ${form}`)
  if (typeof atMostOne !== 'boolean') throw refusal(`"atMostOne" is true or false; got ${shownValue(atMostOne)}`)
  if (!Array.isArray(group) || group.length < 2)
    throw refusal(`a group needs two concepts or more: ${form}; got ${shownValue(entry)}`)
  for (const name of group) {
    if (typeof name !== 'string') throw refusal(`a group lists names of concepts; got ${shownValue(name)}`)
    if (names.has(name)) continue
    const near = nearestName(name, [...names])
    const wayOut =
      near === undefined ? `the concepts are ${nameList([...names], 5)}` : `did you mean "${printableLine(near)}"?`
    throw refusal(`there is no concept "${printableLine(name)}"; ${wayOut}`)
  }
  return {concepts: group, ...(atMostOne && {atMostOne: true})}
}

function refusal(fault: string): AdfaError {
  return new AdfaError('bad-anchors', `"$exclusive": ${fault}`)
}
