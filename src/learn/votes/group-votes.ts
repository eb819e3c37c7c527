import {normalised} from '../../base/numeric/index.ts'
import {
  type Anchor,
  type AnchorRates,
  type ExclusiveGroup,
  exclusiveGroups,
  type Lexicon,
  readVote
} from '../../read/data/index.ts'

/** A group of exclusive classes, with the members of their anchors in order: each is a vote of a source for a class. */
export interface VoteGroup extends ExclusiveGroup {
  /** The classes; where none may hold, one more, last, that nobody votes for. */
  readonly classCount: number
  readonly sourceCount: number
  /** The names of the sources; undefined for a member that is no vote. */
  readonly names: readonly (string | undefined)[]
  /** The class of each member, as its place in `concepts`, and its source. */
  readonly labels: readonly number[]
  readonly sources: readonly number[]
  /** The place of each member of the lexicon among those of the group. */
  readonly places: ReadonlyMap<number, number>
  /** Rates from the anchors file, if it has those of all classes. */
  readonly given?: readonly AnchorRates[]
}

/**
 * Groups with their sources, by default those of which exactly one class holds: a source of votes is one for all classes, any
 * other member of an anchor is a source that votes for its concept only.
 */
export function voteGroups(
  anchors: readonly Anchor[],
  groups = exclusiveGroups(anchors).filter(({atMostOne}) => !atMostOne)
): VoteGroup[] {
  const members = anchors.flatMap(({any}, concept) => any.map(name => ({concept, name})))
  return groups.map(group => {
    const {concepts, atMostOne} = group
    const numbers = new Map<string, number>()
    const names: (string | undefined)[] = []
    const places = new Map<number, number>()
    const [labels, sources]: [number[], number[]] = [[], []]
    members.forEach(({concept, name}, member) => {
      const label = concepts.indexOf(concept)
      if (label < 0) return
      const voter = readVote(name)?.source
      const key = JSON.stringify(voter ?? member)
      const source = numbers.get(key) ?? names.push(voter) - 1
      numbers.set(key, source)
      places.set(member, labels.push(label) - 1)
      sources.push(source)
    })
    const given = concepts.flatMap(i => anchors[i].rates ?? [])
    return {
      ...group,
      classCount: concepts.length + Number(atMostOne),
      sourceCount: names.length,
      names,
      labels,
      sources,
      places,
      ...(given.length === concepts.length && {given})
    }
  })
}

/** The members of a group that fired in a document, by their place in the group; `fired` is numbered through all concepts. */
export function votesOf({places}: VoteGroup, fired: ArrayLike<number>): number[] {
  const votes: number[] = []
  for (let at = 0; at < fired.length; at++) {
    const place = places.get(fired[at])
    if (place !== undefined) votes.push(place)
  }
  return votes
}

/** The same as source and class, one after the other. */
export function sourceVotes(group: VoteGroup, fired: ArrayLike<number>): number[] {
  return votesOf(group, fired).flatMap(place => [group.sources[place], group.labels[place]])
}

/** The votes of a group with those against a class, which are words: vote v of C classes is for class v, or against class v - C. */
export interface VoteReader {
  readonly group: VoteGroup
  readonly classes: readonly string[]
  readonly against: ReadonlyMap<number, readonly [source: number, vote: number]>
  votesOf(members: readonly number[], words?: readonly number[]): number[]
}

export function readVotes({anchors, words}: Lexicon, group: VoteGroup): VoteReader {
  const {classCount: C, names} = group
  const classes = group.concepts.map(i => anchors[i].concept)
  if (group.atMostOne) classes.push(classes.length === 1 ? `not ${classes[0]}` : 'none')
  const against = new Map<number, readonly [number, number]>()
  words.forEach((word, j) => {
    const {source, vote = ''} = readVote(word) ?? {}
    const by = source === undefined ? -1 : names.indexOf(source)
    if (by < 0) return
    const voted = anchors.flatMap(({any}, i) => (any.some(name => readVote(name)?.source === source) ? [i] : []))
    const label =
      vote === 'false' && voted.length === 1
        ? group.concepts.indexOf(voted[0])
        : group.concepts.findIndex((_, c) => vote === `not ${classes[c]}`)
    // One of two classes without the other is a vote for the other.
    if (label >= 0) against.set(j, [by, C === 2 ? 1 - label : C + label])
  })
  return {
    group,
    classes,
    against,
    votesOf: (members, words = []) => [...sourceVotes(group, members), ...words.flatMap(j => against.get(j) ?? [])]
  }
}

/** No class is impossible. */
export const LEAST_SHARE = 1e-6

/** The balance of the classes by the prevalences, which need not add up to 1. */
export function classPrior({concepts, atMostOne, classCount}: VoteGroup, prevalence: ArrayLike<number>): Float64Array {
  const balance = new Float64Array(classCount)
  let sum = 0
  concepts.forEach((i, label) => {
    balance[label] = Math.max(prevalence[i], LEAST_SHARE)
    sum += balance[label]
  })
  if (atMostOne) balance[classCount - 1] = Math.max(1 - sum, LEAST_SHARE)
  return normalised(balance)
}
