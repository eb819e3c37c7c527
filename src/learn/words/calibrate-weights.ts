import {type Beliefs, createBeliefs, type Network} from '../../base/network/index.ts'
import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {fitVotes, type VoteGroup, type VoteWeights, votesOf} from '../votes/index.ts'
import {bestThreshold} from './best-threshold.ts'
import {matchMean} from './match-mean.ts'
import {type MemberModel, memberWeights, sampleEvidence} from './member-weights.ts'
import type {WordSample} from './word-sample.ts'
import type {WordWeightCertificate, WordWeights} from './word-weights.ts'

/** Word weights without their constants; `weights`, cell `i*n + j`. */
export interface LearnedWords
  extends Pick<WordWeightCertificate, 'source' | 'documents'>,
    Pick<WordWeights, 'length' | 'firedShare'> {
  readonly weights: Float64Array
  /** Their standard errors, 0 where they are not kept; undefined for weights from counts alone. */
  readonly errors?: Float64Array
  /** The concepts of exclusive groups. */
  readonly classes: ReadonlySet<number>
  /** The groups of which exactly one holds, and their votes by the counts. */
  readonly groups?: readonly VoteGroup[]
  readonly votes?: readonly VoteWeights[]
}

/** A precision this close to 0 or 1 is rounding. */
const EDGE = 1e-12
/** Documents whose beliefs are computed, for up to 100 concepts; constants of single concepts use the whole sample. */
const BELIEF_DOCUMENTS = 1000
const LEAST_BELIEF_DOCUMENTS = 500
/** Rounds of beliefs and constants, and the largest change of a constant at which they stop. */
const ROUND_LIMIT = 6
const SETTLED = 0.05
/** The same for a quarter of the documents, whose constants have about this error. */
const ROUGHLY_SETTLED = 0.2
/** The relative error of the mean after the first round, whose changes are small. */
const LATER_TOLERANCE = 1e-3
/** Words of a class count this share, whether its anchor fired or not. */
const CLASS_SHARE = 0.7

/**
 * Sets the constants so that the mean probability of each concept is the one the rates imply: P(Y|A=1) where its anchor
 * fired, P(Y|A=0) where it did not, and P(Y) where anchors are hidden. The latter two depend on the evidence that other
 * concepts pass on, and so are matched in rounds. Cost: O(1,000 m^2) per round.
 *
 * Classes of exclusive groups are compared with each other, so means of each are not matched: their votes count by
 * {@link fitVotes}, once more with the words of the documents, or else by Bayes' rule, and words count beyond their mean.
 */
export function calibrateWeights(
  given: WordSample,
  network: Network,
  rates: NoiseRates,
  {
    weights: all,
    errors: allErrors,
    length,
    firedShare,
    classes,
    groups = [],
    votes: counted = [],
    ...learned
  }: LearnedWords
): WordWeights {
  const m = rates.prevalence.length
  const scaled = (values: Float64Array, conceptOf: (at: number) => number) =>
    classes.size === 0 ? values : values.map((value, at) => (classes.has(conceptOf(at)) ? CLASS_SHARE * value : value))
  const rowOf = (at: number) => Math.floor((at * m) / all.length)
  const [weights, errors] = [scaled(all, rowOf), allErrors && scaled(allErrors, rowOf)]
  const sample = {...given, scores: scaled(given.scores, at => at % m)}
  const n = weights.length / m
  const facts = anchorFacts(rates)
  const beliefs = createBeliefs(network)
  const usual = facts.map((_, i) => (classes.has(i) ? meanScore(sample, i, m) : 0))
  const votes = learned.source === 'documents' ? groups.map(group => votesWithWords(group, sample, usual)) : counted
  const voted = new Set(votes.flatMap(({concepts}) => concepts))
  const {weights: members, precisions} = memberWeights(sample, facts, voted) ?? {}
  const fromMembers = membersEvidence(sample, {members, votes})
  const whereFired = sample.scores.map((score, at) => (classes.has(at % m) ? 1 : firedShare) * score + fromMembers[at])
  const fired = facts.map(({precision}, i) => {
    if (!classes.has(i)) return firedConstant(sample, whereFired, i, m, precision)
    return (voted.has(i) ? beliefs.prior[i] : logit(clamp(precision, EDGE, 1 - EDGE))) - usual[i]
  })
  const task = {
    sample: {...sample, scores: sample.scores.map((score, at) => score + (voted.has(at % m) ? fromMembers[at] : 0))},
    beliefs,
    whereFired,
    classes,
    fired: fired.map((constant, i) => constant - beliefs.prior[i])
  }
  const used = matchConstants(task, 'used', {
    start: facts.map(({silent}, i) => (voted.has(i) ? 0 : silent) - usual[i]),
    targets: facts.map(({missed}) => missed),
    settled: SETTLED
  })
  const hidden = matchConstants({...task, sample}, 'hidden', {
    start: usual.map(score => -score),
    targets: facts.map(({prevalence}) => prevalence),
    settled: SETTLED
  })
  const everyone = used.probabilities.map(column => new Float64Array(column.length).fill(1))
  const {threshold, expectedF1} = bestThreshold(used.probabilities, everyone)
  return {
    kind: 'weights',
    weights: facts.map((_, i) => Array.from(weights.subarray(i * n, (i + 1) * n))),
    ...(errors && {errors: facts.map((_, i) => Array.from(errors.subarray(i * n, (i + 1) * n), twoDigits))}),
    length,
    silent: used.constants,
    fired,
    hidden: hidden.constants,
    firedShare,
    threshold,
    ...(members && {members}),
    ...(votes.length > 0 && {votes}),
    certificate: {
      ...learned,
      rounds: Math.max(used.rounds, hidden.rounds),
      residual: Math.max(used.residual, hidden.residual),
      expectedF1,
      ...(precisions && {memberPrecisions: precisions})
    }
  }
}

/** Enough for an interval, and short in a file. */
function twoDigits(error: number): number {
  return Number(error.toPrecision(2))
}

function membersEvidence({members, documents, scores}: WordSample, model: MemberModel): Float64Array {
  return members === undefined ? new Float64Array(scores.length) : sampleEvidence(members, model, documents)
}

/** The votes of a group by the documents of a sample, with words as evidence beside them. */
function votesWithWords(
  group: VoteGroup,
  {documents, scores, members}: WordSample,
  usual: readonly number[]
): VoteWeights {
  const m = usual.length
  const voted = Array.from({length: documents}, (_, d) => ({
    votes: votesOf(group, members?.fired[d] ?? []),
    documents: 1,
    words: group.concepts.map(i => scores[d * m + i] - usual[i])
  }))
  return fitVotes(group, voted).weights
}

function meanScore({scores, documents}: WordSample, i: number, m: number): number {
  let sum = 0
  for (let d = 0; d < documents; d++) sum += scores[d * m + i]
  return sum / Math.max(1, documents)
}

/** The log-odds where the anchor fired and no word occurs. */
function firedConstant(
  {fired, documents}: WordSample,
  whereFired: Float64Array,
  i: number,
  m: number,
  precision: number
) {
  const alone = logit(clamp(precision, EDGE, 1 - EDGE))
  const found: number[] = []
  for (let d = 0; d < documents; d++) if (fired[d * m + i]) found.push(alone + whereFired[d * m + i])
  return alone + matchMean(Float64Array.from(found), new Float64Array(found.length).fill(1), precision)
}

interface CalibrationTask {
  readonly sample: WordSample
  readonly beliefs: Beliefs
  /** The evidence of an anchor that fired, less the prior. */
  readonly fired: readonly number[]
  /** What words and members add to it, cell `d*m + i`. */
  readonly whereFired: Float64Array
  /** Concepts whose constants stay as they are. */
  readonly classes: ReadonlySet<number>
}

interface ConstantProblem {
  readonly start: readonly number[]
  readonly targets: readonly number[]
  /** The largest change at which rounds stop. */
  readonly settled: number
}

/** The constants of documents whose anchor did not fire, or, with hidden anchors, of all: first roughly, from a quarter. */
function matchConstants(task: CalibrationTask, anchors: 'used' | 'hidden', problem: ConstantProblem) {
  const wanted = clamp(
    Math.floor((BELIEF_DOCUMENTS * 100) / problem.start.length),
    LEAST_BELIEF_DOCUMENTS,
    BELIEF_DOCUMENTS
  )
  const documents = Math.min(wanted, task.sample.documents)
  const rough = settle(task, anchors, {...problem, settled: ROUGHLY_SETTLED}, Math.ceil(documents / 4))
  return settle(task, anchors, {...problem, start: rough.constants}, documents)
}

/** Repeats beliefs and constants until they agree. */
function settle(
  {sample, beliefs, fired, whereFired, classes}: CalibrationTask,
  anchors: 'used' | 'hidden',
  {start, targets, settled: furthest}: ConstantProblem,
  documents: number
) {
  const m = start.length
  // Evenly spread: the sample is in the order of keys or patterns.
  const rowOf = (d: number) => Math.floor(((d + 0.5) * sample.documents) / documents) * m
  const isFired = anchors === 'used' ? sample.fired : new Uint8Array(sample.fired.length)
  const evidence = {logOdds: new Float64Array(m), settled: new Uint8Array(m), labels: new Int8Array(m).fill(-1)}
  const constants = Float64Array.from(start)
  const table = new Float64Array(m * documents)
  const weights = new Float64Array(m * documents)
  for (let d = 0; d < documents; d++)
    for (let i = 0, row = rowOf(d); i < m; i++)
      weights[i * documents + d] = isFired[row + i] === 0 && !classes.has(i) ? 1 : 0
  const [logOdds, included] = [table, weights].map(all =>
    start.map((_, i) => all.subarray(i * documents, (i + 1) * documents))
  )
  const readBeliefs = () => {
    const out = new Float64Array(m)
    const {logOdds: own, settled} = evidence
    for (let d = 0; d < documents; d++) {
      const row = rowOf(d)
      for (let i = 0; i < m; i++) {
        settled[i] = isFired[row + i]
        own[i] = settled[i] === 1 ? fired[i] + whereFired[row + i] : constants[i] + sample.scores[row + i]
      }
      beliefs.run(evidence, out)
      for (let i = 0; i < m; i++) table[i * documents + d] = out[i]
    }
  }
  for (let round = 1; ; round++) {
    readBeliefs()
    const precision = round === 1 ? {} : {tolerance: LATER_TOLERANCE}
    const changes = targets.map((target, i) => matchMean(logOdds[i], included[i], target, precision))
    if (changes.every(change => Math.abs(change) <= furthest) || round === ROUND_LIMIT) {
      const probabilities = logOdds.map(list => list.map(value => sigmoid(value)))
      const residual = Math.max(
        0,
        ...targets.map((target, i) => (classes.has(i) ? 0 : Math.abs(meanOf(probabilities[i], included[i]) - target)))
      )
      return {constants: [...constants], probabilities, rounds: round, residual}
    }
    for (let i = 0; i < m; i++) constants[i] += changes[i]
  }
}

function meanOf(values: Float64Array, weights: Float64Array): number {
  let [sum, total] = [0, 0]
  for (let d = 0; d < values.length; d++) {
    sum += weights[d] * values[d]
    total += weights[d]
  }
  return total > 0 ? sum / total : 0
}

/** What the rates of one anchor imply. */
interface AnchorFacts {
  readonly prevalence: number
  /** log P(A=0|Y=1) / P(A=0|Y=0). */
  readonly silent: number
  /** P(Y=1|A=1), the anchor's precision. */
  readonly precision: number
  /** P(Y=1|A=0). */
  readonly missed: number
}

/** Bayes' rule on each anchor. */
export function anchorFacts({truePositive, falsePositive, prevalence}: NoiseRates): AnchorFacts[] {
  return Array.from(truePositive, (t, i) => {
    const e = falsePositive[i]
    const p = prevalence[i]
    const a = e + (t - e) * p
    return {
      prevalence: p,
      silent: log((1 - t) / (1 - e)),
      precision: (t * p) / a,
      missed: ((1 - t) * p) / (1 - a)
    }
  })
}
