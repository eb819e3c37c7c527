import {exp, log, normalised} from '../../base/numeric/index.ts'
import {MIN_PREVALENCE, type VoteGroup} from '../../learn/votes/index.ts'

/** The share of votes for each class, with one more vote, cut up by the balance: it decides ties, and where nobody votes. */
export function majority(votes: readonly number[], balance: Float64Array): Float64Array {
  const shares = balance.slice()
  for (let at = 1; at < votes.length; at += 2) shares[votes[at]]++
  return normalised(shares)
}

/** P(class) and, for each source and class, P(vote | class). */
export interface VoteModel {
  readonly balance: Float64Array
  /** Layout: source, class, vote; the last vote is to abstain. */
  readonly rates: Float64Array
  readonly rounds: number
  /** The largest change of a rate or a share of the balance in the last round. */
  readonly change: number
}

type Sizes = Pick<VoteGroup, 'classCount' | 'sourceCount'>
type Votes = readonly number[]

/**
 * The estimate of Dawid and Skene (1979): a table of rates per source, where to abstain is one of its votes; EM from majority votes.
 * Most labelling functions vote for one class only, and would tell nothing if abstaining did not count.
 */
export function fitDawidSkene(documents: readonly Votes[], sizes: Sizes, start: Float64Array): VoteModel {
  return expectationMaximization(documents, sizes, start, (counts, balance) => {
    const outcomes = sizes.classCount + 1
    const rates = counts.map(count => count + SMOOTHING)
    for (let row = 0; row < rates.length; row += outcomes)
      rates.set(normalised(rates.subarray(row, row + outcomes)), row)
    return {rates, balance}
  })
}

/**
 * One accuracy per source, as in Snorkel: all errors are equally likely, abstaining is no evidence, classes are balanced. Left alone,
 * EM would make the sources of one class right and all others wrong, so each accuracy has a prior of 0.7 that weighs as much
 * as all votes of the source, and four more.
 */
export function fitAccuracies(documents: readonly Votes[], sizes: Sizes, start: Float64Array): VoteModel {
  const C = sizes.classCount
  const balance = new Float64Array(C).fill(1 / C)
  return expectationMaximization(documents, sizes, start, counts => {
    const rates = new Float64Array(counts.length).fill(1)
    for (let source = 0; source < counts.length; source += C * (C + 1)) {
      let [right, all] = [0, 0]
      eachVote((at, isRight) => {
        if (isRight) right += counts[source + at]
        all += counts[source + at]
      })
      const accuracy = (right + PRIOR_ACCURACY * (all + PRIOR_VOTES)) / (2 * all + PRIOR_VOTES)
      eachVote((at, isRight) => {
        rates[source + at] = isRight ? accuracy : (1 - accuracy) / (C - 1)
      })
    }
    return {rates, balance}
  })

  function eachVote(visit: (at: number, isRight: boolean) => void): void {
    for (let c = 0; c < C; c++) for (let vote = 0; vote < C; vote++) visit(c * (C + 1) + vote, c === vote)
  }
}

const MOST_ROUNDS = 200
const TOLERANCE = 1e-6
/** So many documents more with each vote, so that no rate is 0. */
const SMOOTHING = 0.1
const PRIOR_VOTES = 4
const PRIOR_ACCURACY = 0.7

/** Estimates rates and balance from the expected number of documents with each source, class and vote, and the shares of the classes. */
type Estimate = (counts: Float64Array, balance: Float64Array) => Pick<VoteModel, 'rates' | 'balance'>

/** EM from the majority votes. Cost: O((votes + sources) classes) per document and round. */
function expectationMaximization(
  documents: readonly Votes[],
  sizes: Sizes,
  start: Float64Array,
  estimate: Estimate
): VoteModel {
  let beliefs = documents.map(votes => majority(votes, start))
  const none = new Float64Array(sizes.sourceCount * sizes.classCount * (sizes.classCount + 1))
  let model: VoteModel = {balance: start, rates: none, rounds: 0, change: Number.POSITIVE_INFINITY}
  while (model.rounds < MOST_ROUNDS && model.change > TOLERANCE) {
    const {rates, balance} = estimate(expectedVotes(documents, beliefs, sizes), shares(beliefs, sizes.classCount))
    const change = Math.max(distance(rates, model.rates), distance(balance, model.balance))
    model = {balance, rates, rounds: model.rounds + 1, change}
    beliefs = documents.map(classBeliefs(model))
  }
  return model
}

/** P(class | votes). */
export function classBeliefs({balance, rates}: VoteModel): (votes: Votes) => Float64Array {
  const C = balance.length
  const logs = rates.map(log)
  const silent = balance.map(log)
  for (let row = 0; row < logs.length; row += C + 1) silent[(row / (C + 1)) % C] += logs[row + C]
  return votes => {
    const sums = silent.slice()
    for (let at = 0; at < votes.length; at += 2)
      for (let c = 0; c < C; c++) {
        const row = (votes[at] * C + c) * (C + 1)
        sums[c] += logs[row + votes[at + 1]] - logs[row + C]
      }
    const most = Math.max(...sums)
    return normalised(sums.map(value => exp(value - most)))
  }
}

function expectedVotes(
  documents: readonly Votes[],
  beliefs: readonly Float64Array[],
  {classCount: C, sourceCount: S}: Sizes
) {
  const counts = new Float64Array(S * C * (C + 1))
  documents.forEach((votes, d) => {
    for (let c = 0; c < C; c++) {
      for (let source = 0; source < S; source++) counts[(source * C + c) * (C + 1) + C] += beliefs[d][c]
      for (let at = 0; at < votes.length; at += 2) {
        const row = (votes[at] * C + c) * (C + 1)
        counts[row + votes[at + 1]] += beliefs[d][c]
        counts[row + C] -= beliefs[d][c]
      }
    }
  })
  // Rounding may leave a little less than nothing.
  return counts.map(count => Math.max(count, 0))
}

function shares(beliefs: readonly Float64Array[], C: number): Float64Array {
  const sum = new Float64Array(C).fill(MIN_PREVALENCE)
  for (const belief of beliefs) for (let c = 0; c < C; c++) sum[c] += belief[c]
  return normalised(sum)
}

function distance(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at])), 0)
}
