import {clamp, log, logit} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts, unpackCounts} from '../../read/counts/index.ts'
import type {AnchorRates} from '../../read/data/index.ts'
import {LEAST_SHARE, type VoteGroup, voteGroups, votesOf} from './groups.ts'
import {addVotes, softmax, type VoteWeights} from './vote-weights.ts'

/** Prevalence and precision of the anchor of a class. */
export interface ClassShares {
  readonly prevalence: number
  readonly precision: number
}

/** Documents with the same votes. */
export interface VotedDocuments {
  readonly votes: readonly number[]
  readonly documents: number
  /** Evidence from words, log-odds per class. */
  readonly words?: ArrayLike<number>
}

/** The documents of counts, by their votes. */
export function votedDocuments(counts: Counts, group: VoteGroup): VotedDocuments[] {
  return Array.from(unpackCounts(counts), ({members, documents}) => ({votes: votesOf(group, members), documents}))
}

export interface FittedVotes {
  /** Prevalence of each class, and the precision of its anchor. */
  readonly shares: readonly ClassShares[]
  readonly weights: VoteWeights
  /** Expected documents of each class where each member fires, cell `member * C + class`. */
  readonly truth: Float64Array
}

/** A source whose votes are for one class but for this share is a function that recognises this class. */
const OTHER_VOTES = 0.05
/** Sources of several classes are annotators where they have so many votes per document that they judge. */
const LEAST_REDUNDANCY = 2
/** Rounds of EM for functions, whose rates hardly show in their agreement, and for annotators. */
const FUNCTION_ROUNDS = 3
const ANNOTATOR_ROUNDS = 30
/** The prior of the precision of a function counts as all its votes and so many more. */
const PRIOR_VOTES = 4
/** The prior of an annotator: so many votes, and those in documents that nobody else judges. */
const PRIOR_JUDGEMENTS = 10
const USUAL_ACCURACY = 0.75
const PRECISION_RANGE = [0.02, 0.98] as const
const COVERAGE_RANGE = [0.01, 0.97] as const
const FALSE_RANGE = [0.001, 0.97] as const

/**
 * How reliable votes are, by how they agree, without labels.
 *
 * - A *function* votes for one class and abstains elsewhere. Its precision r_k starts at that of its class ({@link usualShares}) and
 *   moves half of the way to its mean posterior, three times. Its vote adds logit r_k - logit p to the class; n votes of functions
 *   for one class are correlated and count n^-1/2 each. Where a class has no vote, ln P(silent | class) / P(silent | others) is added.
 * - An *annotator* votes for several classes, beside others who judge the same documents. It has a table P(vote | class), by EM (Dawid
 *   and Skene, 1979) from an accuracy of 0.75; its vote adds ln P(vote | class) / P(vote) to every class. With annotators alone, EM
 *   learns the prevalences too.
 *
 * Cost: O(votes C) per document and round.
 */
export function fitVotes(group: VoteGroup, documents: readonly VotedDocuments[]): FittedVotes {
  const C = group.concepts.length
  const isAnnotator = annotators(group, documents)
  const isFunction = group.sources.map(source => !isAnnotator.has(source))
  const firing = firingOf(group, documents, k => isFunction[k])
  const all = firingOf(group, documents, () => true)
  const known =
    group.given?.map((rates, c) => givenShares(rates, all[c])) ??
    (firing.every(share => share > 0) ? usualShares(firing) : undefined)
  const state: State = {
    group,
    isFunction,
    shares: known ?? usualShares(all),
    weights: [],
    silent: [],
    learnsPrior: known === undefined
  }
  const prior = state.shares.map(({precision}) => precision)
  state.silent = state.shares.map(({prevalence: p, precision: r}, c) => {
    if (firing[c] === 0) return 0
    const t = clamp((r * firing[c]) / p, ...COVERAGE_RANGE)
    const e = clamp(((1 - r) * firing[c]) / (1 - p), ...FALSE_RANGE)
    return log((1 - t) / (1 - e))
  })
  const usual = usualTable(C)
  const tables = new Map([...isAnnotator].map(source => [source, usual]))
  const precisions = group.labels.map(label => prior[label])
  setWeights(state, precisions, tables)
  const rounds = isAnnotator.size > 0 ? ANNOTATOR_ROUNDS : FUNCTION_ROUNDS
  for (let round = 0; round < rounds; round++) {
    const expected = expectedVotes(state, documents)
    for (const [k, label] of group.labels.entries()) {
      const n = expected.votes[k]
      const sum = expected.classes[k * C + label] + (PRIOR_VOTES + n) * prior[label]
      precisions[k] = clamp(sum / (PRIOR_VOTES + 2 * n), ...PRECISION_RANGE)
    }
    for (const source of isAnnotator) tables.set(source, annotatorTable(state, expected, source))
    if (state.learnsPrior) state.shares = expected.shares
    setWeights(state, precisions, tables)
  }
  const {shares, classes: truth} = expectedVotes(state, documents)
  return {
    shares: isAnnotator.size === 0 || group.given !== undefined ? state.shares : shares,
    truth,
    weights: {concepts: group.concepts, weights: state.weights, isFunction, silent: state.silent}
  }
}

interface State {
  readonly group: VoteGroup
  readonly isFunction: readonly boolean[]
  readonly learnsPrior: boolean
  shares: readonly ClassShares[]
  weights: number[][]
  silent: number[]
}

/** Sources of several classes, if they mostly judge the same documents: only then does their agreement measure them. */
function annotators({labels, sources}: VoteGroup, documents: readonly VotedDocuments[]): Set<number> {
  const byLabel = new Map<number, Map<number, number>>()
  for (const {votes, documents: n} of documents)
    for (const k of votes) {
      const own = byLabel.get(sources[k]) ?? new Map<number, number>()
      byLabel.set(sources[k], own.set(labels[k], (own.get(labels[k]) ?? 0) + n))
    }
  const several = new Set<number>()
  for (const [source, counts] of byLabel) {
    const all = [...counts.values()].reduce((sum, n) => sum + n, 0)
    if (Math.max(...counts.values()) < (1 - OTHER_VOTES) * all) several.add(source)
  }
  let [judged, judgements] = [0, 0]
  for (const {votes, documents: n} of documents) {
    const own = new Set(votes.map(k => sources[k]).filter(source => several.has(source))).size
    if (own > 0) judged += n
    judgements += n * own
  }
  return judgements >= LEAST_REDUNDANCY * judged ? several : new Set()
}

/** The share of documents in which a counted member votes for each class. */
function firingOf(
  {concepts, labels}: VoteGroup,
  documents: readonly VotedDocuments[],
  isCounted: (member: number) => boolean
): number[] {
  const fired = concepts.map(() => 0)
  let all = 0
  for (const {votes, documents: n} of documents) {
    all += n
    for (const label of new Set(votes.filter(isCounted).map(k => labels[k]))) fired[label] += n
  }
  return fired.map(count => count / Math.max(all, 1))
}

function givenShares(rates: AnchorRates, firing: number): ClassShares {
  if (rates.kind === 'shares') return rates
  const {truePositive: t, falsePositive: e} = rates
  const prevalence = clamp((firing - e) / (t - e), ...COVERAGE_RANGE)
  return {prevalence, precision: (t * prevalence) / (t * prevalence + e * (1 - prevalence))}
}

/**
 * Shares of classes by how often each has a vote: prevalences are in proportion to the root of that share, since votes differ
 * more in coverage than classes do in size (as `typicalShares` has it for concepts), and add up to 1. Votes have the usual
 * accuracy, or less where they would cover more documents than have the class.
 */
export function usualShares(firing: readonly number[]): ClassShares[] {
  const roots = firing.map(share => Math.sqrt(Math.max(share, LEAST_SHARE)))
  const sum = roots.reduce((total, root) => total + root, 0)
  return roots.map((root, c) => {
    const prevalence = root / sum
    const most = (COVERAGE_RANGE[1] * prevalence) / Math.max(firing[c], LEAST_SHARE)
    return {prevalence, precision: Math.min(USUAL_ACCURACY, most)}
  })
}

/** P(vote | class) of the usual accuracy, all errors equally likely; cell `class * C + vote`. */
function usualTable(C: number): Float64Array {
  return Float64Array.from({length: C * C}, (_, at) =>
    at % (C + 1) === 0 ? USUAL_ACCURACY : (1 - USUAL_ACCURACY) / (C - 1)
  )
}

function setWeights(state: State, precisions: readonly number[], tables: ReadonlyMap<number, Float64Array>): void {
  const {group, shares, isFunction} = state
  const C = shares.length
  state.weights = group.labels.map((label, k) => {
    if (isFunction[k])
      return shares.map(({prevalence}, c) => (c === label ? logit(precisions[k]) - logit(prevalence) : 0))
    const table = tables.get(group.sources[k]) ?? usualTable(C)
    const chance = shares.reduce((sum, {prevalence}, c) => sum + prevalence * table[c * C + label], 0)
    return shares.map((_, c) => log(table[c * C + label] / chance))
  })
}

/** Expected numbers of documents by the current beliefs. */
interface ExpectedVotes {
  /** Documents with each member, and of those that nobody else judges. */
  readonly votes: Float64Array
  readonly alone: Float64Array
  /** Documents of each class with each member, cell `member * C + class`; of those judged by others too in `shared`. */
  readonly classes: Float64Array
  readonly shared: Float64Array
  /** Prevalence of each class, and its precision where it has a vote. */
  readonly shares: ClassShares[]
}

function expectedVotes({group, shares, ...state}: State, documents: readonly VotedDocuments[]): ExpectedVotes {
  const {labels, sources, concepts} = group
  const C = concepts.length
  const K = labels.length
  const found = {
    votes: new Float64Array(K),
    alone: new Float64Array(K),
    classes: new Float64Array(K * C),
    shared: new Float64Array(K * C)
  }
  const weights = {concepts, ...state}
  const [total, fired, right] = [0, 1, 2].map(() => new Float64Array(C))
  let voted = 0
  for (const {votes, documents: n, words} of documents) {
    if (votes.length === 0) continue
    const logOdds = Float64Array.from(shares, ({prevalence}, c) => log(prevalence) + (words?.[c] ?? 0))
    addVotes(weights, labels, votes, logOdds)
    const beliefs = softmax(logOdds)
    voted += n
    const isAlone = votes.every(k => sources[k] === sources[votes[0]])
    for (let c = 0; c < C; c++) total[c] += n * beliefs[c]
    for (const label of new Set(votes.map(k => labels[k]))) {
      fired[label] += n
      right[label] += n * beliefs[label]
    }
    for (const k of votes) {
      found.votes[k] += n
      if (isAlone) found.alone[k] += n
      for (let c = 0; c < C; c++) {
        found.classes[k * C + c] += n * beliefs[c]
        if (!isAlone) found.shared[k * C + c] += n * beliefs[c]
      }
    }
  }
  return {
    ...found,
    shares: Array.from(total, (sum, c) => ({
      prevalence: (sum + PRIOR_JUDGEMENTS / C) / (voted + PRIOR_JUDGEMENTS),
      precision: (right[c] + USUAL_ACCURACY) / (fired[c] + 1)
    }))
  }
}

function annotatorTable({group}: State, {alone, shared}: ExpectedVotes, source: number): Float64Array {
  const C = group.concepts.length
  const table = usualTable(C)
  const own = [...group.labels.keys()].filter(k => group.sources[k] === source)
  const single = own.reduce((sum, k) => sum + alone[k], 0)
  const prior = (PRIOR_JUDGEMENTS + single) / C
  for (let c = 0; c < C; c++) {
    const row = table.subarray(c * C, (c + 1) * C)
    for (let v = 0; v < C; v++) row[v] *= prior
    for (const k of own) row[group.labels[k]] += shared[k * C + c]
    const sum = row.reduce((all, n) => all + n, 0)
    for (let v = 0; v < C; v++) row[v] /= sum
  }
  return table
}

/** Labels of fewer documents say less than the usual shares. */
const LEAST_LABELLED = 30
const LEAST_LIFT = 0.01

/**
 * The classes of each group of which exactly one holds, by labels of 30 documents or more, or without any; undefined for other
 * concepts. That prevalences of a group add up to 1 makes firing rates more telling than they are for concepts at large.
 */
export function classShares(counts: Counts): (ClassShares | undefined)[] {
  const {anchors} = counts.lexicon
  const together = anchorPairCounts(counts)
  const found: (ClassShares | undefined)[] = anchors.map(() => undefined)
  for (const group of voteGroups(anchors)) {
    const {shares} =
      counts.tables === undefined
        ? fitVotes(group, votedDocuments(counts, group))
        : {shares: usualShares(group.concepts.map(i => together[i * anchors.length + i] / counts.documentCount))}
    group.concepts.forEach((i, at) => {
      const {prevalence, precision} = labelledShares(counts.labelled.subarray(4 * i, 4 * i + 4)) ?? shares[at]
      // An anchor that is rarer with its class than without counts as one without effect: its votes have weights of their own.
      found[i] = {prevalence, precision: Math.max(precision, prevalence * (1 + LEAST_LIFT))}
    })
  }
  return found
}

/** Each count is raised by a half, so that no share is 0 or 1. */
function labelledShares([absent, falsely, missed, hit]: Float64Array): ClassShares | undefined {
  const all = absent + falsely + missed + hit
  if (all < LEAST_LABELLED) return undefined
  return {prevalence: (missed + hit + 0.5) / (all + 1), precision: (hit + 0.5) / (hit + falsely + 1)}
}
