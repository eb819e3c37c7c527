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

/**
 * A group of exclusive classes with the members of their anchors, in the order of the lexicon. Each member is a possible vote,
 * of a source for a class.
 */
export interface VoteGroup extends ExclusiveGroup {
  /** The number of classes. If possibly none of them holds, "none" is one more class, the last, without votes. */
  readonly classCount: number
  readonly sourceCount: number
  /** The names of the sources; undefined for a source that is an ordinary member, such as a word. */
  readonly names: readonly (string | undefined)[]
  /** The class that each member votes for, as an index of `concepts`. */
  readonly labels: readonly number[]
  /** The source of each member, as an index of `names`. */
  readonly sources: readonly number[]
  /** The index of each member within the group, by its index in the lexicon. */
  readonly memberIndices: ReadonlyMap<number, number>
  /** The rates of the anchors file, if all classes have them. */
  readonly rates?: readonly AnchorRates[]
}

/**
 * Returns groups with their sources, by default the groups of which exactly one class holds. All votes with the same name of a
 * source belong to one source; any other member of an anchor is a source of its own, which votes for its concept only.
 */
export function voteGroups(
  anchors: readonly Anchor[],
  groups: readonly ExclusiveGroup[] = exclusiveGroups(anchors).filter(({atMostOne}) => !atMostOne)
): VoteGroup[] {
  const members = anchors.flatMap(({any}, concept) => any.map(name => ({concept, name})))
  return groups.map(group => {
    const {concepts, atMostOne} = group
    const sourceIndices = new Map<string, number>()
    const names: (string | undefined)[] = []
    const memberIndices = new Map<number, number>()
    const [labels, sources]: [number[], number[]] = [[], []]
    members.forEach(({concept, name}, member) => {
      const label = concepts.indexOf(concept)
      if (label < 0) return
      const voter = readVote(name)?.source
      const key = JSON.stringify(voter ?? member)
      const source = sourceIndices.get(key) ?? names.push(voter) - 1
      sourceIndices.set(key, source)
      memberIndices.set(member, labels.push(label) - 1)
      sources.push(source)
    })
    const rates = concepts.flatMap(i => anchors[i].rates ?? [])
    const classCount = concepts.length + Number(atMostOne)
    return {
      ...group,
      classCount,
      sourceCount: names.length,
      names,
      labels,
      sources,
      memberIndices,
      ...(rates.length === classCount && {rates})
    }
  })
}

/** Returns the votes of a document as member indices within the group; `fired` has member indices of the lexicon. */
export function groupVotes({memberIndices}: VoteGroup, fired: ArrayLike<number>): number[] {
  return Array.from(fired).flatMap(member => memberIndices.get(member) ?? [])
}

/** Returns the votes of a document as a flat list: source and class of the first vote, of the second, and so on. */
export function sourceVotes(group: VoteGroup, fired: ArrayLike<number>): number[] {
  return groupVotes(group, fired).flatMap(k => [group.sources[k], group.labels[k]])
}

/** Returns the class that the labels of a document imply: the only one labelled present, or the only one not labelled absent. */
export function labelledClass({concepts, classCount}: VoteGroup, labels: Int8Array | undefined): number | undefined {
  if (labels === undefined) return undefined
  const classes = Array.from({length: classCount}, (_, c) => c)
  const present = classes.filter(c => labels[concepts[c]] === 1)
  const open = present.length > 0 ? present : classes.filter(c => labels[concepts[c]] !== 0)
  return open.length === 1 ? open[0] : undefined
}

/** The labels of fewer documents than this tell less about a group than its votes. */
export const MIN_LABELLED = 30
/** The least prevalence of a class; any small number works. */
export const MIN_PREVALENCE = 1e-6

/** Returns the prior probabilities of the classes of a group: their prevalences, scaled so that they add up to 1. */
export function classPrior({concepts, atMostOne}: VoteGroup, prevalence: ArrayLike<number>): Float64Array {
  const shares = concepts.map(i => Math.max(prevalence[i], MIN_PREVALENCE))
  const none = 1 - shares.reduce((sum, share) => sum + share, 0)
  return normalised(Float64Array.from(atMostOne ? [...shares, Math.max(none, MIN_PREVALENCE)] : shares))
}

/** A group of exclusive concepts of a model. */
export interface ClassGroup extends ExclusiveClasses {
  readonly names: readonly string[]
  /** What {@link classShifts} adds to the log-odds of each class. */
  readonly shifts: readonly number[]
}

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

/**
 * Fills in the labels (-1 if unknown) that others of the same group imply: if one class holds the others do not, and if all
 * but one are absent and one must hold, it does. Throws if labels contradict a group.
 */
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
 * Replaces the log-odds of each class by itself by its log-odds given that the classes of a group exclude each other: a softmax
 * over the classes without a label, and over "none" if at most one holds. This is the distribution of independent concepts,
 * restricted to the states that the group allows. Labels that decide a group are set by {@link decideLabels} before.
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
 * Sets the scores of candidates for the one missing tag to -Infinity if the groups rule them out: all classes of a group that
 * has a given tag; and if a group of which exactly one class holds has no given tag yet, all concepts outside such groups.
 */
export function excludeCandidates(groups: readonly ClassGroup[], given: readonly number[], scores: Float64Array): void {
  const isGiven = ({concepts}: ClassGroup) => concepts.some(i => given.includes(i))
  for (const group of groups) if (isGiven(group)) for (const i of group.concepts) scores[i] = Number.NEGATIVE_INFINITY
  const lacking = groups.filter(group => !group.atMostOne && !isGiven(group))
  if (lacking.length === 0) return
  const candidates = new Set(lacking.flatMap(({concepts}) => concepts))
  for (let i = 0; i < scores.length; i++) if (!candidates.has(i)) scores[i] = Number.NEGATIVE_INFINITY
}
