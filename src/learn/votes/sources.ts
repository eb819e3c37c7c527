import {betaQuantile, type Interval, normalised} from '../../base/numeric/index.ts'
import {type Counts, unpackCounts, wordTotals} from '../../read/counts/index.ts'
import {type Corpus, exclusiveGroups, type Lexicon, readVote, withConcepts} from '../../read/data/index.ts'
import {fitVotes, type VotedDocuments} from './fit-votes.ts'
import {classPrior, heldClass, type VoteGroup, voteGroups, votesOf} from './groups.ts'

/** Both ends, or neither where the interval would not hold the truth. */
export type Accuracy = Interval | {readonly value: number; readonly low?: never; readonly high?: never}

/** A source as model files keep it. */
export interface SourceFigures {
  readonly source: string
  /** Documents in which it votes, and their share of all. */
  readonly votes: number
  readonly coverage: number
  /**
   * The share of its votes that are right, with a 90% interval. Without labels there is no interval if no vote is for
   * the last class, for example if nobody votes against a concept.
   */
  readonly accuracy: Accuracy
  /** Whether labels give the accuracy, or the votes of other sources and a usual accuracy alone. */
  readonly basis: 'labels' | 'estimate'
  /** Its votes in labelled documents. */
  readonly labelled: number
  /**
   * Its most frequent error: it votes so where `truth` holds, in this share of all its votes. Unset without errors, and without
   * labels where there is no interval or more than two classes, of which it named the wrong one too often.
   */
  readonly mostWrong?: {readonly vote: string; readonly truth: string; readonly share: number}
}

export interface SourceReliability extends SourceFigures {
  /** For each class that it votes for, the share of these votes by the class that holds. */
  readonly confusion: readonly {
    readonly vote: string
    readonly votes: number
    readonly truth: Readonly<Record<string, number>>
  }[]
}

/** The sources of one exclusive group, or of one concept, with what they agree on. */
export interface SourceGroup<Figures extends SourceFigures = SourceReliability> {
  /** All that a vote may be about: `none`, or `not` and the concept, is the last where no class may hold. */
  readonly classes: readonly string[]
  /** Krippendorff's alpha; unset where fewer than 20 documents have two votes. */
  readonly alpha?: number
  /** Worst first. */
  readonly sources: readonly Figures[]
}

/** Agreement in fewer documents is left out, as it would be mostly chance. */
const FEWEST_DOCUMENTS = 20
/** An estimate without labels counts as so many labelled votes; its interval follows (docs/noise.md has its coverage). */
const ESTIMATE_VOTES = 2

/**
 * How reliable each source of votes is: of exclusive groups, and of concepts by themselves, whose votes are for or against. With labelled
 * `documents` by their labels, else by the votes of the other sources. From counts alone, votes against a class count as votes
 * only. None for counts from released tables, which do not say who votes together.
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

/** Returns the reliability without the confusion tables, rounded, as model files keep it; undefined without votes. */
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

function groupReliability(
  counts: Counts,
  group: VoteGroup,
  balance: Float64Array,
  corpus: Corpus | undefined
): SourceGroup {
  const {classCount: C, atMostOne, names} = group
  const {classes, against, votesOf} = createVoteReader(counts.lexicon, group)
  const patterns = Array.from(unpackCounts(counts), ({members, documents}) => ({votes: votesOf(members), documents}))
  // Patterns do not say which votes against a class come together.
  const rows =
    corpus === undefined || against.size === 0
      ? patterns
      : corpus.documents.map(({members, words}) => ({votes: votesOf(members, words), documents: 1}))
  const numbers = Array.from({length: C * names.length}, (_, vote) => vote)
  const numbered = {...group, labels: numbers.map(vote => vote % C), sources: numbers.map(vote => Math.floor(vote / C))}
  const {truth: estimates} = fitVotes(numbered, rows, balance)
  const isMeasured = !atMostOne || rows.some(({votes}) => votes.some(vote => vote % C === C - 1))
  const totals = new Float64Array(numbers.length)
  for (const {votes, documents} of patterns) for (const vote of votes) totals[vote] += documents
  const wordDocuments = wordTotals(counts)
  for (const [word, vote] of against) totals[vote] += wordDocuments[word]
  const labelled = new Float64Array(numbers.length * C)
  for (const {members, words, labels} of corpus?.documents ?? []) {
    const truth = heldClass(group, labels)
    if (truth !== undefined) for (const vote of votesOf(members, words)) labelled[vote * C + truth]++
  }
  const sources = names.flatMap((source, s) => {
    if (source === undefined) return []
    const kinds = classes.map((vote, label): VoteKind => {
      const number = s * C + label
      const [estimate, labels] = [estimates[number], labelled.subarray(number * C, (number + 1) * C)]
      const truth = normalised(labels.map((count, c) => ESTIMATE_VOTES * estimate[c] + count))
      return {vote, label, votes: totals[number], estimate, labels, truth}
    })
    const all = totals.subarray(s * C, (s + 1) * C).reduce((sum, votes) => sum + votes, 0)
    if (all === 0) return []
    const cast = kinds.filter(({votes}) => votes > 0)
    const [mostWrong] = cast
      .flatMap(({vote, label, votes, truth}) =>
        classes.map((name, c) => ({vote, truth: name, share: c === label ? 0 : (truth[c] * votes) / all}))
      )
      .sort((a, b) => b.share - a.share)
    const accuracy = accuracyOf(cast, all, isMeasured)
    const namesError = mostWrong.share > 0 && (accuracy.basis === 'labels' || (C === 2 && isMeasured))
    return [
      {
        source,
        votes: all,
        coverage: all / counts.documentCount,
        ...accuracy,
        ...(namesError && {mostWrong}),
        confusion: cast.map(({vote, votes, truth}) => ({
          vote,
          votes,
          truth: Object.fromEntries(classes.map((name, c) => [name, truth[c]]))
        }))
      }
    ]
  })
  const alpha = votesAlpha(rows, C)
  sources.sort((a, b) => a.accuracy.value - b.accuracy.value)
  return {classes, ...(alpha !== undefined && {alpha}), sources}
}

/**
 * Reads the votes of documents for a group. The vote of source s for class c has the number `s * C + c`. A vote against one of
 * two classes, which is a word, is for the other one; against one of more classes, it stays a word.
 */
function createVoteReader({anchors, words}: Lexicon, group: VoteGroup) {
  const {classCount: C, names, concepts} = group
  const classes = concepts.map(i => anchors[i].concept)
  if (group.atMostOne) classes.push(classes.length === 1 ? `not ${classes[0]}` : 'none')
  const against = new Map<number, number>()
  words.forEach((word, j) => {
    const {source, vote} = readVote(word) ?? {}
    const by = source === undefined ? -1 : names.indexOf(source)
    if (by < 0 || C !== 2) return
    const voted = anchors.flatMap(({any}, i) => (any.some(name => readVote(name)?.source === source) ? [i] : []))
    const label =
      vote === 'false' && voted.length === 1
        ? concepts.indexOf(voted[0])
        : concepts.findIndex((_, c) => vote === `not ${classes[c]}`)
    if (label >= 0) against.set(j, by * C + 1 - label)
  })
  return {
    classes,
    against,
    votesOf: (members: readonly number[], beside: readonly number[] = []) => [
      ...votesOf(group, members).map(place => group.sources[place] * C + group.labels[place]),
      ...beside.flatMap(j => against.get(j) ?? [])
    ]
  }
}

/** The votes of a source for one class. */
interface VoteKind {
  readonly vote: string
  readonly label: number
  readonly votes: number
  /** The class that holds: by agreement, by labelled votes, and by both. */
  readonly estimate: readonly number[]
  readonly labels: Float64Array
  readonly truth: Float64Array
}

function accuracyOf(kinds: readonly VoteKind[], all: number, isMeasured: boolean) {
  let [estimate, right, labelled] = [0, 0, 0]
  for (const {label, votes, estimate: shares, labels} of kinds) {
    estimate += (shares[label] * votes) / all
    right += labels[label]
    labelled += labels.reduce((sum, count) => sum + count, 0)
  }
  const basis = labelled > ESTIMATE_VOTES ? ('labels' as const) : ('estimate' as const)
  if (basis === 'estimate' && !isMeasured) return {accuracy: {value: estimate}, basis, labelled}
  // Where the estimate says too little, half a vote for either (Jeffreys).
  const [prior, weight] = isMeasured ? [estimate, ESTIMATE_VOTES] : [0.5, 1]
  const [hits, misses] = [weight * prior + right, weight * (1 - prior) + labelled - right]
  const [low, high] = [0.05, 0.95].map(share => betaQuantile(Math.max(hits, 1e-3), Math.max(misses, 1e-3), share))
  return {accuracy: {value: hits / (hits + misses), low, high}, basis, labelled}
}

/**
 * Krippendorff's alpha of all sources (nominal classes): 1 - observed / expected disagreement of pairs of votes in the same
 * document, numbered `s * C + c`. 1 is perfect agreement, 0 is chance. Undefined where fewer than 20 documents have two votes,
 * or all votes are equal.
 */
export function votesAlpha(rows: readonly VotedDocuments[], classCount: number): number | undefined {
  const totals = new Float64Array(classCount)
  let [all, apart, documents] = [0, 0, 0]
  for (const {votes, documents: weight} of rows) {
    const shares = new Float64Array(classCount)
    for (const vote of votes) shares[vote % classCount]++
    const m = votes.length
    if (m < 2) continue
    for (const [c, count] of shares.entries()) {
      totals[c] += weight * count
      apart += (weight * count * (m - count)) / (m - 1)
    }
    all += weight * m
    documents += weight
  }
  const chance = all * all - totals.reduce((sum, count) => sum + count * count, 0)
  return documents < FEWEST_DOCUMENTS || chance === 0 ? undefined : 1 - ((all - 1) * apart) / chance
}
