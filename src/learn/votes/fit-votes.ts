import {clamp, log, normalised} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts, unpackCounts} from '../../read/counts/index.ts'
import type {AnchorRates} from '../../read/data/index.ts'
import {groupVotes, MIN_LABELLED, MIN_PREVALENCE, type VoteGroup, voteGroups} from './groups.ts'
import {addVotes, softmax, type VoteWeights} from './vote-weights.ts'

/** The prevalence of a class, and the precision of its anchor. */
export interface ClassShares {
  readonly prevalence: number
  readonly precision: number
}

/** A number of documents with the same votes. */
export interface VotedDocuments {
  /** The members of the group that fired, by their index within the group. */
  readonly votes: readonly number[]
  readonly documents: number
  /** The evidence from words: log-odds for each class. */
  readonly words?: ArrayLike<number>
}

/** Returns, for each distinct set of fired members in the counts, its votes in this group and the number of documents with it. */
export function votedDocuments(counts: Counts, group: VoteGroup): VotedDocuments[] {
  return Array.from(unpackCounts(counts), ({members, documents}) => ({votes: groupVotes(group, members), documents}))
}

export interface FittedVotes {
  readonly shares: readonly ClassShares[]
  readonly weights: VoteWeights
  /** P(class | vote): a row for each member of the group, a number for each class. */
  readonly truth: readonly (readonly number[])[]
}

/** A source is a labelling function if at most this share of its votes is for other classes than its most frequent one. */
const OTHER_VOTES = 0.05
/** Sources that vote for several classes are annotators if documents with a vote of one have votes of this many, on average. */
const MIN_REDUNDANCY = 2
/** The rounds of EM. Without annotators they are few, since the agreement of labelling functions tells little of their rates. */
const FUNCTION_ROUNDS = 3
const ANNOTATOR_ROUNDS = 30
/** The prior accuracy of a vote, and the number of votes that the prior counts as. */
const PRIOR_ACCURACY = 0.75
const PRIOR_VOTES = 4
/** Estimates of P(class | vote), P(vote | class) and P(vote | another class) are clamped, since no vote is certain. */
const TRUTH_RANGE = [0.001, 0.98] as const
const COVERAGE_RANGE = [0.01, 0.97] as const
const FALSE_RANGE = [0.001, 0.97] as const

/**
 * Measures how reliable votes are by how they agree, without labels, by the EM algorithm of Dawid and Skene (1979): vote k has
 * a row P(class | k), and adds log(P(class | k) / P(class)) to the log-odds of each class. Every row starts at its prior row,
 * which gives the class of the vote its precision ({@link priorShares}) and divides the rest in proportion to the prevalences
 * of the other classes. The prior row counts as four votes.
 *
 * - A *function* votes for one class and abstains elsewhere. Its prior row counts as four votes plus all its own, and EM has
 *   three rounds. n votes of functions for one class are correlated and count n^-1/2 each. A class without a vote in a
 *   document is silent: log(P(silent | class) / P(silent | other classes)) is added to its log-odds.
 * - An *annotator* votes for several classes, beside others who judge the same documents. Its votes in documents that nobody
 *   else judges follow the prior row; P(class | vote) follows from P(vote | class). With annotators alone, EM learns the prevalences.
 *
 * `balance` has the prevalences of the classes, used if a class has no vote at all. Cost: O(votes C) per document and round.
 */
export function fitVotes(
  group: VoteGroup,
  documents: readonly VotedDocuments[],
  balance?: ArrayLike<number>
): FittedVotes {
  const {classCount: C, labels, sources, rates} = group
  const annotators = findAnnotators(group, documents)
  const isFunction = sources.map(source => !annotators.has(source))
  const byFunctions = votedShares(group, documents, k => isFunction[k])
  const byAny = votedShares(group, documents, () => true)
  const isBalanceLearned = rates === undefined && annotators.size > 0 && byFunctions.includes(0)
  let shares =
    balance && byAny.includes(0)
      ? withPriorAccuracy(Array.from(balance), byAny)
      : (rates?.map((own, c) => givenShares(own, byAny[c])) ?? priorShares(isBalanceLearned ? byAny : byFunctions))
  const silent = shares.map(({prevalence: p, precision: r}, c) => {
    if (byFunctions[c] === 0) return 0
    // P(a function votes for c | class c) and P(a function votes for c | another class), by Bayes' rule.
    const t = clamp((r * byFunctions[c]) / p, ...COVERAGE_RANGE)
    const e = clamp(((1 - r) * byFunctions[c]) / (1 - p), ...FALSE_RANGE)
    return log((1 - t) / (1 - e))
  })
  const precisions = shares.map(({precision}) => precision)
  const priorTruth = (label: number) =>
    shares.map(({prevalence}, c) =>
      c === label ? precisions[c] : ((1 - precisions[label]) * prevalence) / (1 - shares[label].prevalence)
    )
  let truth = labels.map(priorTruth)
  for (let round = 0; ; round++) {
    const rows = truth.map(row => row.map((share, c) => log(clamp(share, ...TRUTH_RANGE) / shares[c].prevalence)))
    const weights = {concepts: group.concepts, weights: rows, isFunction, silent}
    const expected = expectedVotes(group, weights, shares, documents)
    if (round === (annotators.size > 0 ? ANNOTATOR_ROUNDS : FUNCTION_ROUNDS))
      return {shares: annotators.size === 0 || rates !== undefined ? shares : expected.shares, weights, truth}
    if (isBalanceLearned) shares = expected.shares
    const joint = labels.map((label, k) => {
      const weight = PRIOR_VOTES + (isFunction[k] ? expected.votes[k] : expected.alone[k])
      return priorTruth(label).map((share, c) => expected.classes[k * C + c] + weight * share)
    })
    // An annotator's P(vote | class) is the row divided by the sum over its votes; P(class | vote) follows by Bayes' rule.
    const totals = new Float64Array(group.sourceCount * C)
    joint.forEach((row, k) => {
      for (let c = 0; c < C; c++) totals[sources[k] * C + c] += row[c]
    })
    truth = joint.map((row, k) => {
      const classScale = (c: number) => (isFunction[k] ? 1 : totals[sources[k] * C + c] / shares[c].prevalence)
      return [...normalised(Float64Array.from(row, (count, c) => count / classScale(c)))]
    })
  }
}

/** Finds the sources that vote for several classes, provided that they mostly judge the same documents and so can be compared. */
function findAnnotators(
  {classCount: C, sourceCount, labels, sources}: VoteGroup,
  documents: readonly VotedDocuments[]
): Set<number> {
  const cast = Array.from({length: sourceCount}, () => new Float64Array(C))
  for (const {votes, documents: n} of documents) for (const k of votes) cast[sources[k]][labels[k]] += n
  const isMixed = (own: Float64Array) => Math.max(...own) < (1 - OTHER_VOTES) * own.reduce((sum, n) => sum + n, 0)
  const several = new Set([...cast.keys()].filter(source => isMixed(cast[source])))
  let [judged, judgements] = [0, 0]
  for (const {votes, documents: n} of documents) {
    const own = new Set(votes.map(k => sources[k]).filter(source => several.has(source))).size
    if (own > 0) judged += n
    judgements += n * own
  }
  return judgements >= MIN_REDUNDANCY * judged ? several : new Set()
}

/** Returns, for each class, the share of documents in which a member that `isCounted` accepts votes for the class. */
function votedShares(
  {classCount, labels}: VoteGroup,
  documents: readonly VotedDocuments[],
  isCounted: (member: number) => boolean
): number[] {
  const fired = new Array<number>(classCount).fill(0)
  let all = 0
  for (const {votes, documents: n} of documents) {
    all += n
    for (const label of new Set(votes.filter(isCounted).map(k => labels[k]))) fired[label] += n
  }
  return fired.map(count => count / Math.max(all, 1))
}

/** Returns the shares of a class by the rates of the anchors file; `firing` is the share of documents with a vote for it. */
function givenShares(rates: AnchorRates, firing: number): ClassShares {
  if (rates.kind === 'shares') return rates
  const {truePositive: t, falsePositive: e} = rates
  const prevalence = clamp((firing - e) / (t - e), ...COVERAGE_RANGE)
  return {prevalence, precision: (t * prevalence) / (t * prevalence + e * (1 - prevalence))}
}

/**
 * Returns the shares of classes that are assumed before votes are compared. Prevalences add up to 1, in proportion to the root
 * of `firing`, the share of documents with a vote for each class: votes differ more in coverage than classes do in size.
 */
export function priorShares(firing: readonly number[]): ClassShares[] {
  const roots = Float64Array.from(firing, share => Math.sqrt(Math.max(share, MIN_PREVALENCE)))
  return withPriorAccuracy(Array.from(normalised(roots)), firing)
}

/** Adds precisions to the prevalences `balance`: the prior accuracy, or less where P(vote | class) would exceed its limit. */
function withPriorAccuracy(balance: readonly number[], firing: readonly number[]): ClassShares[] {
  return balance.map((prevalence, c) => {
    const most = (COVERAGE_RANGE[1] * prevalence) / Math.max(firing[c], MIN_PREVALENCE)
    return {prevalence, precision: Math.min(PRIOR_ACCURACY, most)}
  })
}

/**
 * The E-step: computes the number of documents with each vote (`votes`), the number of them that no other source judges
 * (`alone`, 0 for functions), and the expected number of the others that have each class (`classes`, vote k and class c at
 * `k*C + c`), given the prevalences in `prior`. `shares` has the expected prevalence and precision of each class.
 */
function expectedVotes(
  {labels, sources, classCount: C}: VoteGroup,
  weights: VoteWeights,
  prior: readonly ClassShares[],
  documents: readonly VotedDocuments[]
) {
  const [votes, alone] = [0, 1].map(() => new Float64Array(labels.length))
  const classes = new Float64Array(labels.length * C)
  const [total, fired, right] = [0, 1, 2].map(() => new Float64Array(C))
  let voted = 0
  for (const {votes: own, documents: n, words} of documents) {
    if (own.length === 0) continue
    const logOdds = Float64Array.from(prior, ({prevalence}, c) => log(prevalence) + (words?.[c] ?? 0))
    addVotes(weights, labels, own, logOdds)
    const beliefs = softmax(logOdds)
    voted += n
    for (let c = 0; c < C; c++) total[c] += n * beliefs[c]
    for (const label of new Set(own.map(k => labels[k]))) {
      fired[label] += n
      right[label] += n * beliefs[label]
    }
    const isAlone = own.every(k => !weights.isFunction[k] && sources[k] === sources[own[0]])
    for (const k of own) {
      votes[k] += n
      if (isAlone) alone[k] += n
      else for (let c = 0; c < C; c++) classes[k * C + c] += n * beliefs[c]
    }
  }
  const shares = Array.from(total, (sum, c) => ({
    prevalence: (sum + PRIOR_VOTES / C) / (voted + PRIOR_VOTES),
    precision: (right[c] + PRIOR_ACCURACY) / (fired[c] + 1)
  }))
  return {votes, alone, classes, shares}
}

/** The precision of an anchor is at least the prevalence of its class times 1 plus this number; any small one works. */
const MIN_LIFT = 0.01

/**
 * Estimates the shares of classes in groups of which exactly one class holds: by labels if 30 documents have them, else by votes;
 * undefined for other concepts. Prevalences in a group add up to 1, so firing rates tell more about them than about other ones.
 */
export function classShares(counts: Counts): (ClassShares | undefined)[] {
  const {anchors} = counts.lexicon
  const together = anchorPairCounts(counts)
  const found: (ClassShares | undefined)[] = anchors.map(() => undefined)
  for (const group of voteGroups(anchors)) {
    const {shares} =
      counts.tables === undefined
        ? fitVotes(group, votedDocuments(counts, group))
        : {shares: priorShares(group.concepts.map(i => together[i * anchors.length + i] / counts.documentCount))}
    group.concepts.forEach((i, at) => {
      const {prevalence, precision} = labelledShares(counts.labelled.subarray(4 * i, 4 * i + 4)) ?? shares[at]
      // An anchor that fires less often with its class than without counts as useless here; its votes have weights of their own.
      found[i] = {prevalence, precision: Math.max(precision, prevalence * (1 + MIN_LIFT))}
    })
  }
  return found
}

/** Returns shares by counts of labelled documents, cell `2*label + fired`; undefined if these are too few. */
function labelledShares([neither, falseAlarms, misses, hits]: Float64Array): ClassShares | undefined {
  const all = neither + falseAlarms + misses + hits
  if (all < MIN_LABELLED) return undefined
  // Half a document more on either side keeps the shares away from 0 and 1.
  return {prevalence: (misses + hits + 0.5) / (all + 1), precision: (hits + 0.5) / (hits + falseAlarms + 1)}
}
