import {betaQuantile, type Interval, log, normalised} from '../../base/numeric/index.ts'
import {type Counts, unpackCounts, wordTotals} from '../../read/counts/index.ts'
import {type Corpus, type CorpusDocument, exclusiveGroups, withConcepts} from '../../read/data/index.ts'
import {fitVotes, votedDocuments} from './fit-votes.ts'
import {classPrior, createVoteReader, LEAST_SHARE, type VoteGroup, type VoteReader, voteGroups} from './groups.ts'
import {softmax} from './vote-weights.ts'

/** Documents with the same votes. */
export interface VoteRow {
  /** Source and vote, one after the other. */
  readonly votes: readonly number[]
  readonly documents: number
}

/** What holds in documents where a source votes for a class, or against it. */
export interface VoteConfusion {
  /** The class, or `not` and the class. */
  readonly vote: string
  readonly votes: number
  /** The share of these votes by the class that holds. */
  readonly truth: Readonly<Record<string, number>>
}

/** The most frequent error of a source: it votes so where `truth` holds, in this share of all its votes. */
export interface Confusion {
  readonly vote: string
  readonly truth: string
  readonly share: number
}

/** Both ends, or neither where the interval would not hold the truth. */
export type Accuracy = Interval | {readonly value: number; readonly low?: never; readonly high?: never}

/** A source as model files keep it. */
export interface SourceFigures {
  readonly source: string
  /** Documents in which it votes, and their share of all. */
  readonly votes: number
  readonly coverage: number
  /** The share of its votes that are right, with a 90% interval; without labels none where no vote is for the last class, as where nobody votes against a concept. */
  readonly accuracy: Accuracy
  /** Whether labels give the accuracy, or the votes of other sources and a usual accuracy alone. */
  readonly basis: 'labels' | 'estimate'
  /** Its votes in labelled documents. */
  readonly labelled: number
  /** Unset without errors; without labels also where there are more than two classes, as that named the wrong one too often, or no interval. */
  readonly mostWrong?: Confusion
}

export interface SourceReliability extends SourceFigures {
  readonly confusion: readonly VoteConfusion[]
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

/** An accuracy that is not known: a prior of this, with the weight of all votes of the source and so many more. */
const USUAL_ACCURACY = 0.8
const PRIOR_VOTES = 4
/** Rounds of EM: with more, correlated sources confirm each other. */
const ROUNDS = 5
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
  return groups.map(group =>
    groupReliability(counts, createVoteReader(counts.lexicon, group), classPrior(group, prevalence), corpus)
  )
}

/** The same without the tables, rounded: what model files keep. Undefined without votes. */
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
  reader: VoteReader,
  balance: Float64Array,
  corpus: Corpus | undefined
): SourceGroup {
  const {group, classes, against, votesOf} = reader
  const C = group.classCount
  // Patterns do not say which votes against a class come together.
  const rows: VoteRow[] =
    corpus === undefined || against.size === 0
      ? Array.from(unpackCounts(counts), ({members, documents}) => ({votes: votesOf(members), documents}))
      : corpus.documents.map(({members, words}) => ({votes: votesOf(members, words), documents: 1}))
  const tables = estimateTables(rows, group, balance)
  addAnnotators(tables, counts, group)
  const isVotedFor = (c: number) => rows.some(({votes}) => votes.some((vote, at) => at % 2 === 1 && vote === c))
  const isMeasured = !group.atMostOne || isVotedFor(C - 1)
  const labelled = labelledVotes(corpus?.documents ?? [], reader)
  const totals = voteTotals(counts, reader)
  const sources = group.names.flatMap((source, s) => {
    if (source === undefined) return []
    const kinds = Array.from({length: 2 * C}, (_, v) => {
      const row = s * 2 * C + v
      return {v, votes: totals[row], ...combined(tables.subarray(row * C, row * C + C), labelled.subarray(row * C))}
    }).filter(({votes}) => votes > 0)
    const all = kinds.reduce((sum, {votes}) => sum + votes, 0)
    if (all === 0) return []
    const nameOf = (v: number) => (v < C ? classes[v] : `not ${classes[v - C]}`)
    const errors = kinds
      .flatMap(({v, votes, truth}) =>
        classes.map((name, c) => ({
          vote: nameOf(v),
          truth: name,
          share: isRight(v, c, C) ? 0 : (truth[c] * votes) / all
        }))
      )
      .sort((a, b) => b.share - a.share)
    const accuracy = accuracyOf(kinds, all, C, isMeasured)
    const namesError = errors[0].share > 0 && (accuracy.basis === 'labels' || (C === 2 && isMeasured))
    return [
      {
        source,
        votes: all,
        coverage: all / counts.documentCount,
        ...accuracy,
        ...(namesError && {mostWrong: errors[0]}),
        confusion: kinds.map(({v, votes, truth}) => ({
          vote: nameOf(v),
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

function isRight(vote: number, truth: number, C: number): boolean {
  return vote < C ? truth === vote : truth !== vote - C
}

interface VoteKind {
  readonly v: number
  readonly votes: number
  /** Without labels, and labelled votes, by the class that holds. */
  readonly estimate: ArrayLike<number>
  readonly labels: ArrayLike<number>
}

function accuracyOf(kinds: readonly VoteKind[], all: number, C: number, isMeasured: boolean) {
  let [estimate, right, labelled] = [0, 0, 0]
  for (const {v, votes, estimate: shares, labels} of kinds)
    for (let c = 0; c < C; c++) {
      labelled += labels[c]
      if (!isRight(v, c, C)) continue
      right += labels[c]
      estimate += (shares[c] * votes) / all
    }
  const basis = labelled > ESTIMATE_VOTES ? ('labels' as const) : ('estimate' as const)
  if (basis === 'estimate' && !isMeasured) return {accuracy: {value: estimate}, basis, labelled}
  // Where the estimate says too little, half a vote for either (Jeffreys).
  const [prior, weight] = isMeasured ? [estimate, ESTIMATE_VOTES] : [0.5, 1]
  const [hits, misses] = [weight * prior + right, weight * (1 - prior) + labelled - right]
  const [low, high] = [0.05, 0.95].map(share => betaQuantile(Math.max(hits, 1e-3), Math.max(misses, 1e-3), share))
  return {accuracy: {value: hits / (hits + misses), low, high}, basis, labelled}
}

/** A row of both tables, and their mean. */
function combined(estimate: Float64Array, labels: Float64Array) {
  const truth = normalised(estimate.map((share, c) => ESTIMATE_VOTES * share + labels[c]))
  return {estimate, labels, truth}
}

/** The votes of all documents, cell `2 C source + vote`. */
function voteTotals(counts: Counts, {group: {classCount: C, sourceCount}, against, votesOf}: VoteReader): Float64Array {
  const totals = new Float64Array(2 * C * sourceCount)
  for (const {members, documents} of unpackCounts(counts)) {
    const votes = votesOf(members)
    for (let at = 0; at < votes.length; at += 2) totals[2 * C * votes[at] + votes[at + 1]] += documents
  }
  for (const [word, [source, vote]] of against) totals[2 * C * source + vote] += wordTotals(counts)[word]
  return totals
}

/** Labelled documents by source, vote and the class that holds, cell `(2 C source + vote) C + class`. */
function labelledVotes(documents: readonly CorpusDocument[], {group, votesOf}: VoteReader) {
  const {classCount: C, sourceCount, concepts} = group
  const found = new Float64Array(2 * C * C * sourceCount)
  for (const {members, words, labels} of documents) {
    const truth = labels && heldClass(labels, concepts, C)
    if (truth === undefined) continue
    const votes = votesOf(members, words)
    for (let at = 0; at < votes.length; at += 2) found[(2 * C * votes[at] + votes[at + 1]) * C + truth]++
  }
  return found
}

/** The class that holds by the labels: the one present, or the only one not absent. */
function heldClass(labels: Int8Array, concepts: readonly number[], C: number): number | undefined {
  const present = concepts.findIndex(i => labels[i] === 1)
  if (present >= 0) return present
  const open = Array.from({length: C}, (_, c) => c).filter(c => c === concepts.length || labels[concepts[c]] !== 0)
  return open.length === 1 ? open[0] : undefined
}

/**
 * P(class | vote) of each source without labels, cell `(2 C source + vote) C + class`: EM as Dawid and Skene's, with the
 * balance of the classes fixed, abstaining no evidence, and a prior that weighs as much as all votes of the source: left alone, EM
 * would make the sources of one class right and all others wrong. Cost: O(rounds votes C).
 */
function estimateTables(rows: readonly VoteRow[], {classCount: C, sourceCount}: VoteGroup, balance: Float64Array) {
  const usual = Array.from({length: 2 * C}, (_, v) => usualTruth(v, balance))
  let tables = new Float64Array(2 * C * C * sourceCount)
  for (let cell = 0; cell < tables.length; cell += C) tables.set(usual[(cell / C) % (2 * C)], cell)
  for (let round = 0; round < ROUNDS; round++) {
    const logs = tables.map((share, cell) => log(Math.max(share, LEAST_SHARE) / balance[cell % C]))
    const sums = new Float64Array(tables.length)
    for (const {votes, documents} of rows) {
      if (votes.length === 0) continue
      const beliefs = balance.map(log)
      for (let at = 0; at < votes.length; at += 2)
        for (let c = 0, row = (2 * C * votes[at] + votes[at + 1]) * C; c < C; c++) beliefs[c] += logs[row + c]
      const shares = softmax(beliefs)
      for (let at = 0; at < votes.length; at += 2)
        for (let c = 0, row = (2 * C * votes[at] + votes[at + 1]) * C; c < C; c++)
          sums[row + c] += documents * shares[c]
    }
    tables = sums.map((_, cell) => {
      const row = cell - (cell % C)
      const n = sums.subarray(row, row + C).reduce((a, b) => a + b)
      return (sums[cell] + (n + PRIOR_VOTES) * usual[(row / C) % (2 * C)][cell - row]) / (2 * n + PRIOR_VOTES)
    })
  }
  return tables
}

/**
 * Annotators judge the same documents as others, so their tables follow from {@link fitVotes}: what holds where they vote, by its
 * beliefs, with four votes more of the usual kind.
 */
function addAnnotators(tables: Float64Array, counts: Counts, group: VoteGroup): void {
  if (group.atMostOne) return
  const {classCount: C, names} = group
  const {weights, shares, truth} = fitVotes(group, votedDocuments(counts, group))
  const balance = Float64Array.from(shares, ({prevalence}) => prevalence)
  group.labels.forEach((label, k) => {
    if (weights.isFunction[k] || names[group.sources[k]] === undefined) return
    const [found, usual] = [truth.subarray(k * C, (k + 1) * C), usualTruth(label, balance)]
    const n = found.reduce((a, b) => a + b)
    tables.set(
      found.map((sum, c) => (sum + PRIOR_VOTES * usual[c]) / (n + PRIOR_VOTES)),
      (2 * C * group.sources[k] + label) * C
    )
  })
}

/** A usual vote is right in 80% of the documents, or half-way from chance to certainty; errors are in proportion to the balance. */
function usualTruth(vote: number, balance: Float64Array): Float64Array {
  const C = balance.length
  const chance = balance.reduce((sum, share, c) => sum + (isRight(vote, c, C) ? share : 0), 0)
  const right = Math.max(USUAL_ACCURACY, (1 + chance) / 2)
  return balance.map((share, c) =>
    isRight(vote, c, C) ? (right * share) / chance : ((1 - right) * share) / (1 - chance)
  )
}

/**
 * Krippendorff's alpha of all sources (nominal classes): 1 - observed / expected disagreement of pairs of votes in the same
 * document. 1 is perfect agreement, 0 is chance. A vote against a class agrees with nothing and is left out. Undefined where
 * fewer than 20 documents have two votes, or all votes are equal.
 */
export function votesAlpha(rows: readonly VoteRow[], classCount: number): number | undefined {
  const totals = new Float64Array(classCount)
  let [all, apart, documents] = [0, 0, 0]
  for (const {votes, documents: weight} of rows) {
    const shares = new Float64Array(classCount)
    for (let at = 1; at < votes.length; at += 2) if (votes[at] < classCount) shares[votes[at]]++
    const m = shares.reduce((sum, count) => sum + count, 0)
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
