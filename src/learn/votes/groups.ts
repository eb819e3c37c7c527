import {AdfaError} from '../../base/checks/index.ts'
import {classShifts, type ExclusiveClasses, logSum} from '../../base/network/index.ts'
import {normalised} from '../../base/numeric/index.ts'
import {nameList} from '../../base/text/index.ts'
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
  /** The names of the sources; undefined for a member that is not a vote. */
  readonly names: readonly (string | undefined)[]
  /** The class of each member, as its place in `concepts`, and its source. */
  readonly labels: readonly number[]
  readonly sources: readonly number[]
  /** The place of each member of the lexicon among the members of the group. */
  readonly places: ReadonlyMap<number, number>
  /** The rates of the anchors file, if all classes have them. */
  readonly given?: readonly AnchorRates[]
}

/**
 * Groups with their sources, by default those of which exactly one class holds: a source of votes is one for all classes, any
 * other member of an anchor is a source that votes for its concept only.
 */
export function voteGroups(
  anchors: readonly Anchor[],
  groups: readonly ExclusiveGroup[] = exclusiveGroups(anchors).filter(({atMostOne}) => !atMostOne)
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
    const classCount = concepts.length + Number(atMostOne)
    return {
      ...group,
      classCount,
      sourceCount: names.length,
      names,
      labels,
      sources,
      places,
      ...(given.length === classCount && {given})
    }
  })
}

/** The members of a group that fired in a document, by their place in the group; `fired` is numbered through all concepts. */
export function votesOf({places}: VoteGroup, fired: ArrayLike<number>): number[] {
  return Array.from(fired).flatMap(member => places.get(member) ?? [])
}

/** The same as source and class, one after the other. */
export function sourceVotes(group: VoteGroup, fired: ArrayLike<number>): number[] {
  return votesOf(group, fired).flatMap(place => [group.sources[place], group.labels[place]])
}

/** The class that holds by the labels of a document: the only one labelled present, or the only one not labelled absent. */
export function heldClass({concepts, classCount}: VoteGroup, labels: Int8Array | undefined): number | undefined {
  if (labels === undefined) return undefined
  const classes = Array.from({length: classCount}, (_, c) => c)
  const present = classes.filter(c => labels[concepts[c]] === 1)
  const open = present.length > 0 ? present : classes.filter(c => labels[concepts[c]] !== 0)
  return open.length === 1 ? open[0] : undefined
}

/** No class is impossible. */
export const MIN_SHARE = 1e-6

/** The balance of the classes by the prevalences, which need not add up to 1. */
export function classPrior({concepts, atMostOne}: VoteGroup, prevalence: ArrayLike<number>): Float64Array {
  const shares = concepts.map(i => Math.max(prevalence[i], MIN_SHARE))
  const none = 1 - shares.reduce((sum, share) => sum + share, 0)
  return normalised(Float64Array.from(atMostOne ? [...shares, Math.max(none, MIN_SHARE)] : shares))
}

/** A group of exclusive concepts of a model. */
export interface ClassGroup extends ExclusiveClasses {
  readonly names: readonly string[]
  /** See {@link classShifts}. */
  readonly shifts: readonly number[]
}

/** The groups of a model, by its concepts and its lexicon. */
export function classGroups({
  concepts,
  lexicon
}: {
  readonly concepts: readonly {readonly name: string; readonly prevalence: number}[]
  readonly lexicon: Lexicon
}): ClassGroup[] {
  return exclusiveGroups(lexicon.anchors).map(group => {
    const own = group.concepts.map(i => concepts[i])
    const classes = {...group, prevalence: own.map(({prevalence}) => prevalence)}
    return {...classes, names: own.map(({name}) => name), shifts: classShifts(classes)}
  })
}

/** Labels of a group decide it: where one class holds the others do not, and where all others are absent the last one holds. */
export function decideLabels(groups: readonly ClassGroup[], labels: Int8Array): void {
  for (const {concepts, atMostOne, names} of groups) {
    const present = concepts.filter(i => labels[i] === 1)
    const open = concepts.filter(i => labels[i] === -1)
    if (present.length > 1 || (present.length === 0 && open.length === 0 && !atMostOne))
      throw new AdfaError(
        'mismatch',
        `labels of a document: ${present.length > 1 ? `${present.length} of ${nameList(names, 5)} are` : `none of ${nameList(names, 5)} is`} present, but ${atMostOne ? 'at most' : 'exactly'} one of them can hold; correct the labels`
      )
    if (present.length === 1) for (const i of open) labels[i] = 0
    else if (open.length === 1 && !atMostOne) labels[open[0]] = 1
  }
}

/**
 * Replaces the log-odds of each class, by its own evidence, by those given that the classes exclude each other: a softmax
 * over the classes without a label, and over none where at most one holds. Independent concepts, restricted to the states
 * that a group allows, have these probabilities.
 */
export function excludeClasses(groups: readonly ClassGroup[], logOdds: Float64Array, labels: Int8Array): void {
  for (const {concepts, atMostOne, shifts} of groups) {
    const open = concepts.flatMap((i, at) => (labels[i] === -1 ? [{i, weight: logOdds[i] + shifts[at]}] : []))
    for (const {i, weight} of open) {
      const others = open.flatMap(other => (other.i === i ? [] : [other.weight]))
      logOdds[i] = weight - logSum(atMostOne ? [0, ...others] : others)
    }
  }
}

/**
 * Scores of candidates for the one missing tag that the groups rule out become -Infinity: classes of a group that has a
 * given tag and, where a group of which exactly one holds has none, all concepts outside such groups.
 */
export function excludeCandidates(groups: readonly ClassGroup[], given: readonly number[], scores: Float64Array): void {
  const isGiven = ({concepts}: ClassGroup) => concepts.some(i => given.includes(i))
  for (const group of groups) if (isGiven(group)) for (const i of group.concepts) scores[i] = Number.NEGATIVE_INFINITY
  const lacking = groups.filter(group => !group.atMostOne && !isGiven(group))
  if (lacking.length === 0) return
  const wanted = new Set(lacking.flatMap(({concepts}) => concepts))
  for (let i = 0; i < scores.length; i++) if (!wanted.has(i)) scores[i] = Number.NEGATIVE_INFINITY
}
