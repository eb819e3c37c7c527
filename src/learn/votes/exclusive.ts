import {AdfaError} from '../../base/checks/index.ts'
import {classShifts, type ExclusiveClasses, logSum} from '../../base/network/index.ts'
import {nameList} from '../../base/text/index.ts'
import {exclusiveGroups, type Lexicon} from '../../read/data/index.ts'

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
