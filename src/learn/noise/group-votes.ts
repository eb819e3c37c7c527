import {normalised} from '../../base/numeric/index.ts'
import {
  type Anchor,
  type AnchorRates,
  type Evidence,
  type ExclusiveGroup,
  exclusiveGroups,
  type Lexicon,
  readVote
} from '../../read/data/index.ts'

/** The votes of documents for the classes of one exclusive group. */
export interface GroupVotes {
  readonly group: ExclusiveGroup
  /** The classes; where none may hold, one more, last, that nobody votes for. */
  readonly classCount: number
  readonly sourceCount: number
  /** The names of the sources; undefined for a member that is no vote. */
  readonly names: readonly (string | undefined)[]
  /** The votes of a document: source and class, one after the other. */
  votesOf(evidence: Pick<Evidence, 'members'>): number[]
}

/**
 * The groups of a lexicon with their sources: a source of votes is one for all classes, any other member of an anchor is a source
 * that votes for its concept only.
 */
export function groupVotes({anchors}: Pick<Lexicon, 'anchors'>, groups = exclusiveGroups(anchors)): GroupVotes[] {
  const members = anchors.flatMap(({any}, concept) => any.map(name => ({concept, name})))
  return groups.map(group => {
    const sources = new Map<string, number>()
    const names: (string | undefined)[] = []
    const votes = members.map(({concept, name}, member) => {
      const label = group.concepts.indexOf(concept)
      if (label < 0) return undefined
      const voter = readVote(name)?.source
      const source = JSON.stringify(voter ?? member)
      const number = sources.get(source) ?? names.push(voter) - 1
      sources.set(source, number)
      return [number, label] as const
    })
    return {
      group,
      classCount: group.concepts.length + Number(group.atMostOne),
      sourceCount: names.length,
      names,
      votesOf: evidence => evidence.members.flatMap(member => votes[member] ?? [])
    }
  })
}

/** The votes of a group with those against a class, which are words: vote v of C classes is for class v, or against class v - C. */
export interface VoteReader {
  readonly votes: GroupVotes
  readonly classes: readonly string[]
  readonly against: ReadonlyMap<number, readonly [source: number, vote: number]>
  votesOf(members: readonly number[], words?: readonly number[]): number[]
}

export function readVotes({anchors, words}: Lexicon, votes: GroupVotes): VoteReader {
  const {group, classCount: C, names, votesOf} = votes
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
    votes,
    classes,
    against,
    votesOf: (members, words = []) => [...votesOf({members}), ...words.flatMap(j => against.get(j) ?? [])]
  }
}

/** No class is impossible. */
export const LEAST_SHARE = 1e-6

/** The balance of the classes by the prevalences, which need not add up to 1. */
export function balanceOf({group, classCount}: GroupVotes, prevalence: ArrayLike<number>): Float64Array {
  const balance = new Float64Array(classCount)
  let sum = 0
  group.concepts.forEach((i, label) => {
    balance[label] = Math.max(prevalence[i], LEAST_SHARE)
    sum += balance[label]
  })
  if (group.atMostOne) balance[classCount - 1] = Math.max(1 - sum, LEAST_SHARE)
  return normalised(balance)
}

/** A group of classes of which exactly one holds, with the members of their anchors in order: each is a vote of a source. */
export interface VoteGroup {
  readonly concepts: readonly number[]
  /** The number of the first member of each class among those of all concepts, and how many it has. */
  readonly ranges: readonly {readonly first: number; readonly count: number}[]
  /** The class of each member, as its place in `concepts`, and its source. */
  readonly labels: readonly number[]
  readonly sources: readonly number[]
  /** Rates from the anchors file, if it has those of all classes. */
  readonly given?: readonly AnchorRates[]
}

/** The groups of which exactly one class holds. A member that is no vote is a source of its own. */
export function voteGroups(anchors: readonly Anchor[]): VoteGroup[] {
  const firsts = anchors.map((_, i) => anchors.slice(0, i).reduce((sum, {any}) => sum + any.length, 0))
  return exclusiveGroups(anchors)
    .filter(({atMostOne}) => !atMostOne)
    .map(({concepts}) => {
      const names = new Map<string, number>()
      const labels = concepts.flatMap((i, label) => anchors[i].any.map(() => label))
      const sources = concepts.flatMap(i =>
        anchors[i].any.map((name, at) => {
          const source = JSON.stringify(readVote(name)?.source ?? [i, at])
          if (!names.has(source)) names.set(source, names.size)
          return names.get(source) ?? 0
        })
      )
      const ranges = concepts.map(i => ({first: firsts[i], count: anchors[i].any.length}))
      const given = concepts.flatMap(i => anchors[i].rates ?? [])
      return {concepts, ranges, labels, sources, ...(given.length === concepts.length && {given})}
    })
}

/** The members of a group that fired in a document, by their place in the group; `fired` is numbered through all concepts. */
export function votesOf({ranges}: VoteGroup, fired: ArrayLike<number>): number[] {
  const votes: number[] = []
  for (let at = 0; at < fired.length; at++) {
    let place = 0
    for (const {first, count} of ranges) {
      if (fired[at] >= first && fired[at] < first + count) votes.push(place + fired[at] - first)
      place += count
    }
  }
  return votes
}
