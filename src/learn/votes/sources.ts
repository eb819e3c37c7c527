import {betaQuantile, type Interval, normalised} from '../../base/numeric/index.ts'
import {type Counts, unpackCounts, wordTotals} from '../../read/counts/index.ts'
import {type Corpus, exclusiveGroups, type Lexicon, readVote, withConcepts} from '../../read/data/index.ts'
import {fitVotes, type VotedDocuments} from './fit-votes.ts'
import {classPrior, groupVotes, labelledClass, type VoteGroup, voteGroups} from './groups.ts'

/** An accuracy with its interval, or without one if no method gives an interval that holds the truth often enough. */
export type Accuracy = Interval | {readonly value: number; readonly low?: never; readonly high?: never}

/** The reliability of a source as model files keep it. */
export interface SourceFigures {
  readonly source: string
  /** The number of documents in which the source votes. */
  readonly votes: number
  /** The share of all documents in which it votes. */
  readonly coverage: number
  /**
   * The share of its votes that are right, with a 90% interval. Without labels there is no interval if no vote is for
   * the last class, for example if nobody votes against a concept.
   */
  readonly accuracy: Accuracy
  /** The accuracy is counted in labelled documents, or estimated from the votes of other sources and a prior accuracy. */
  readonly basis: 'labels' | 'estimate'
  /** The number of its votes in labelled documents. */
  readonly labelled: number
  /**
   * Its most frequent error: in this share of all its votes it names the class `vote` although `truth` holds. Unset without
   * errors. Without labels also unset if there is no interval, or if more than two classes make a wrong answer too likely.
   */
  readonly mostWrong?: {readonly vote: string; readonly truth: string; readonly share: number}
}

export interface SourceReliability extends SourceFigures {
  /** For each class that it votes for, `truth` has the shares of these votes in which each class holds. */
  readonly confusion: readonly {
    readonly vote: string
    readonly votes: number
    readonly truth: Readonly<Record<string, number>>
  }[]
}

/** The sources that vote on one exclusive group, or on one concept, and their agreement. */
export interface SourceGroup<Figures extends SourceFigures = SourceReliability> {
  /** The classes. If none of them need hold, the last one is `none`, or `not` and the name of a single concept. */
  readonly classes: readonly string[]
  /** Krippendorff's alpha; unset if fewer than 20 documents have two votes. */
  readonly alpha?: number
  /** The least accurate source comes first. */
  readonly sources: readonly Figures[]
}

/** Krippendorff's alpha from fewer documents with two votes would be mostly chance. */
const FEWEST_DOCUMENTS = 20
/** An accuracy estimated without labels counts as this many labelled votes, which determines its interval (see docs/noise.md). */
const ESTIMATE_VOTES = 2

/**
 * Measures how reliable each source of votes is: by the labels of `documents`, or without labels by the votes of the other
 * sources. A concept in no exclusive group is a group of two classes, of votes for and against it. From counts alone, votes
 * against a class count only towards the number of votes. Released tables do not tell who votes together, so they give no groups.
 */
export function sourceReliability(
  counts: Counts,
  prevalence: ArrayLike<number>,
  documents?: Corpus | undefined
): SourceGroup[] {
  if (counts.tables !== undefined) return []
  const {anchors} = counts.lexicon
  const grouped = exclusiveGroups(anchors)
  const classes = new Set(grouped.flatMap(({concepts}) => concepts))
  const alone = anchors.flatMap((_, i) => (classes.has(i) ? [] : [{concepts: [i], atMostOne: true}]))
  const groups = voteGroups(anchors, [...grouped, ...alone]).filter(({names}) => names.some(name => name !== undefined))
  const corpus = documents && groups.length > 0 ? withConcepts(documents, counts.lexicon) : undefined
  return groups.map(group => groupReliability(counts, group, classPrior(group, prevalence), corpus))
}

/** Returns the rounded reliability without the confusion tables, as model files keep it, or undefined without votes. */
export function sourceFigures(
  ...given: Parameters<typeof sourceReliability>
): SourceGroup<SourceFigures>[] | undefined {
  const groups = sourceReliability(...given).map(({sources, ...group}) => ({
    ...group,
    sources: sources.map(({confusion: _, ...figures}) => figures)
  }))
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(4)) : value)
  return groups.length === 0 ? undefined : JSON.parse(JSON.stringify(groups, rounded))
}

/**
 * Measures the accuracy, coverage and confusion of each source of a vote group, from the agreement between sources and from the
 * labels of the corpus. `prior` has P(class). The vote of source s for class c has the number `s * C + c`.
 */
function groupReliability(counts: Counts, group: VoteGroup, prior: Float64Array, corpus?: Corpus): SourceGroup {
  const {classCount: C, atMostOne, names} = group
  const {classes, against, readVotes} = createVoteReader(counts.lexicon, group)
  const patterns = Array.from(unpackCounts(counts), ({members, documents}) => ({votes: readVotes(members), documents}))
  // Votes against a class are words. Documents tell which words occur together; the patterns of counts do not.
  const rows =
    corpus === undefined || against.size === 0
      ? patterns
      : corpus.documents.map(({members, words}) => ({votes: readVotes(members, words), documents: 1}))
  const allVotes = Array.from({length: C * names.length}, (_, vote) => vote)
  const sourceOf = (vote: number) => Math.floor(vote / C)
  const byNumber = {...group, labels: allVotes.map(vote => vote % C), sources: allVotes.map(sourceOf)}
  const {truth: estimates} = fitVotes(byNumber, rows, prior)
  // Agreement measures accuracy only if each class can have votes, the last one ("none" or "not") too.
  const isMeasured = !atMostOne || rows.some(({votes}) => votes.some(vote => vote % C === C - 1))
  const totals = new Float64Array(allVotes.length)
  for (const {votes, documents} of patterns) for (const vote of votes) totals[vote] += documents
  const wordDocuments = wordTotals(counts)
  for (const [word, vote] of against) totals[vote] += wordDocuments[word]
  /** For each vote, the number of labelled documents with this vote in which each class holds. */
  const labelled = allVotes.map(() => new Float64Array(C))
  for (const {members, words, labels} of corpus?.documents ?? []) {
    const truth = labelledClass(group, labels)
    if (truth !== undefined) for (const vote of readVotes(members, words)) labelled[vote][truth]++
  }
  const sources = names.flatMap((source, s) => {
    const cast = allVotes.filter(vote => sourceOf(vote) === s && totals[vote] > 0)
    if (source === undefined || cast.length === 0) return []
    const votes = sumOf(cast.map(vote => totals[vote]))
    const measured = estimateAccuracy({
      estimate: sumOf(cast.map(vote => estimates[vote][vote % C] * totals[vote])) / votes,
      right: sumOf(cast.map(vote => labelled[vote][vote % C])),
      labelled: sumOf(cast.flatMap(vote => [...labelled[vote]])),
      isMeasured
    })
    const confusion = cast.map(vote => {
      const truth = normalised(labelled[vote].map((count, c) => ESTIMATE_VOTES * estimates[vote][c] + count))
      const shares = Object.fromEntries(classes.map((name, c) => [name, truth[c]]))
      return {vote: classes[vote % C], votes: totals[vote], truth: shares}
    })
    const errors = confusion.flatMap(({vote, votes: own, truth}) =>
      classes.flatMap(name => (name === vote ? [] : [{vote, truth: name, share: (truth[name] * own) / votes}]))
    )
    const [mostWrong] = errors.sort((a, b) => b.share - a.share)
    const isErrorKnown = mostWrong.share > 0 && (measured.basis === 'labels' || (C === 2 && isMeasured))
    const coverage = votes / counts.documentCount
    return [{source, votes, coverage, ...measured, ...(isErrorKnown && {mostWrong}), confusion}]
  })
  const alpha = krippendorffAlpha(rows, C)
  sources.sort((a, b) => a.accuracy.value - b.accuracy.value)
  return {classes, ...(alpha !== undefined && {alpha}), sources}
}

/**
 * Creates a reader of the votes of documents. The vote of source s for class c has the number `s * C + c`. A vote against a
 * class is a word, not a member. If there are two classes, it counts as a vote for the other one, else it is ignored; `against`
 * maps these words to the votes that they count as.
 */
function createVoteReader({anchors, words}: Lexicon, group: VoteGroup) {
  const {classCount: C, names, concepts} = group
  const classes = concepts.map(i => anchors[i].concept)
  if (group.atMostOne) classes.push(classes.length === 1 ? `not ${classes[0]}` : 'none')
  const against = new Map<number, number>()
  words.forEach((word, j) => {
    const {source, vote} = readVote(word) ?? {}
    const s = source === undefined ? -1 : names.indexOf(source)
    if (s < 0 || C !== 2) return
    const voted = anchors.flatMap(({any}, i) => (any.some(name => readVote(name)?.source === source) ? [i] : []))
    const label =
      vote === 'false' && voted.length === 1
        ? concepts.indexOf(voted[0])
        : concepts.findIndex((_, c) => vote === `not ${classes[c]}`)
    if (label >= 0) against.set(j, s * C + 1 - label)
  })
  return {
    classes,
    against,
    readVotes: (members: readonly number[], present: readonly number[] = []) => [
      ...groupVotes(group, members).map(k => group.sources[k] * C + group.labels[k]),
      ...present.flatMap(word => against.get(word) ?? [])
    ]
  }
}

/** Combines the accuracy that the votes of others suggest (`estimate`) with the labelled votes, of which `right` are right. */
function estimateAccuracy(
  given: Readonly<Record<'estimate' | 'right' | 'labelled', number>> & {readonly isMeasured: boolean}
) {
  const {estimate, right, labelled, isMeasured} = given
  const basis = labelled > ESTIMATE_VOTES ? ('labels' as const) : ('estimate' as const)
  if (basis === 'estimate' && !isMeasured) return {accuracy: {value: estimate}, basis, labelled}
  // An estimate that agreement does not measure is replaced by the prior of Jeffreys: half a vote right, half a vote wrong.
  const [prior, weight] = isMeasured ? [estimate, ESTIMATE_VOTES] : [0.5, 1]
  const [hits, misses] = [weight * prior + right, weight * (1 - prior) + labelled - right]
  const [low, high] = [0.05, 0.95].map(level => betaQuantile(Math.max(hits, 1e-3), Math.max(misses, 1e-3), level))
  return {accuracy: {value: hits / (hits + misses), low, high}, basis, labelled}
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/**
 * Computes Krippendorff's alpha for nominal classes: 1 - the disagreement of two votes in one document / that of two votes from
 * all documents. 1 is perfect agreement, 0 is chance. Votes are numbered `s * C + c` for source s and class c. Undefined if
 * fewer than 20 documents have two votes, or if all votes are equal.
 */
export function krippendorffAlpha(rows: readonly VotedDocuments[], classCount: number): number | undefined {
  const totals = new Float64Array(classCount)
  let [all, disagreement, documents] = [0, 0, 0]
  for (const {votes, documents: weight} of rows) {
    const m = votes.length
    if (m < 2) continue
    const byClass = new Float64Array(classCount)
    for (const vote of votes) byClass[vote % classCount]++
    for (const [c, count] of byClass.entries()) {
      totals[c] += weight * count
      disagreement += (weight * count * (m - count)) / (m - 1)
    }
    all += weight * m
    documents += weight
  }
  const chance = all * all - totals.reduce((sum, count) => sum + count * count, 0)
  return documents < FEWEST_DOCUMENTS || chance === 0 ? undefined : 1 - ((all - 1) * disagreement) / chance
}
