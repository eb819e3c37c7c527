import {type Beliefs, createBeliefs, type Network} from '../../base/network/index.ts'
import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {bestThreshold} from './best-threshold.ts'
import {matchMean} from './match-mean.ts'
import type {WordSample} from './word-sample.ts'
import type {WordWeightCertificate, WordWeights} from './word-weights.ts'

/** Word weights without their constants; `weights`, cell `i*n + j`. */
export interface LearnedWords
  extends Pick<WordWeightCertificate, 'source' | 'documents'>,
    Pick<WordWeights, 'length' | 'firedShare'> {
  readonly weights: Float64Array
  /** Their standard errors, 0 where they are not kept; undefined for weights from counts alone. */
  readonly errors?: Float64Array
}

/** A precision this close to 0 or 1 is rounding. */
const EDGE = 1e-12
/** Documents whose beliefs are computed, for up to 100 concepts; constants of single concepts use the whole sample. */
const BELIEF_DOCUMENTS = 1000
const LEAST_BELIEF_DOCUMENTS = 500
/** Rounds of beliefs and constants, and the largest change of a constant at which they stop. */
const ROUND_LIMIT = 6
const SETTLED = 0.05

/**
 * Sets the constants so that the mean probability of each concept is the one the rates imply: P(Y|A=1) where its anchor
 * fired, P(Y|A=0) where it did not, and P(Y) where anchors are hidden. The latter two depend on the evidence that other
 * concepts pass on, and so are matched in rounds. Cost: O(1,000 m^2) per round.
 */
export function calibrateWeights(
  sample: WordSample,
  network: Network,
  rates: NoiseRates,
  {weights, errors, length, firedShare, ...learned}: LearnedWords
): WordWeights {
  const m = rates.prevalence.length
  const n = weights.length / m
  const facts = anchorFacts(rates)
  const beliefs = createBeliefs(network)
  const fired = facts.map(({precision}, i) => firedConstant(sample, i, m, precision, firedShare))
  const task = {sample, beliefs, fired: fired.map((constant, i) => constant - beliefs.prior[i]), firedShare}
  const used = matchConstants(task, 'used', {
    start: facts.map(({silent}) => silent),
    targets: facts.map(({missed}) => missed)
  })
  const hidden = matchConstants(task, 'hidden', {
    start: facts.map(() => 0),
    targets: facts.map(({prevalence}) => prevalence)
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
    certificate: {
      ...learned,
      rounds: Math.max(used.rounds, hidden.rounds),
      residual: Math.max(used.residual, hidden.residual),
      expectedF1
    }
  }
}

/** Enough for an interval, and short in a file. */
function twoDigits(error: number): number {
  return Number(error.toPrecision(2))
}

/** The log-odds where the anchor fired and no word occurs. */
function firedConstant({scores, fired, documents}: WordSample, i: number, m: number, precision: number, share: number) {
  const alone = logit(clamp(precision, EDGE, 1 - EDGE))
  const found: number[] = []
  for (let d = 0; d < documents; d++) if (fired[d * m + i]) found.push(alone + share * scores[d * m + i])
  return alone + matchMean(Float64Array.from(found), new Float64Array(found.length).fill(1), precision)
}

interface CalibrationTask {
  readonly sample: WordSample
  readonly beliefs: Beliefs
  /** The evidence of an anchor that fired, less the prior. */
  readonly fired: readonly number[]
  readonly firedShare: number
}

interface ConstantProblem {
  readonly start: readonly number[]
  readonly targets: readonly number[]
}

/** The constants of documents whose anchor did not fire, or, with hidden anchors, of all: first roughly, from a quarter. */
function matchConstants(task: CalibrationTask, anchors: 'used' | 'hidden', {start, targets}: ConstantProblem) {
  const wanted = clamp(Math.floor((BELIEF_DOCUMENTS * 100) / start.length), LEAST_BELIEF_DOCUMENTS, BELIEF_DOCUMENTS)
  const documents = Math.min(wanted, task.sample.documents)
  const rough = settle(task, anchors, {start, targets}, Math.ceil(documents / 4))
  return settle(task, anchors, {start: rough.constants, targets}, documents)
}

/** Repeats beliefs and constants until they agree. */
function settle(
  {sample, beliefs, fired, firedShare}: CalibrationTask,
  anchors: 'used' | 'hidden',
  {start, targets}: ConstantProblem,
  documents: number
) {
  const m = start.length
  // Evenly spread: the sample is in the order of keys or patterns.
  const rowOf = (d: number) => Math.floor(((d + 0.5) * sample.documents) / documents) * m
  const firedAt = (d: number, i: number) => anchors === 'used' && sample.fired[rowOf(d) + i] === 1
  const evidence = {logOdds: new Float64Array(m), settled: new Uint8Array(m), labels: new Int8Array(m).fill(-1)}
  const constants = [...start]
  const logOdds = constants.map(() => new Float64Array(documents))
  const included = constants.map((_, i) => Float64Array.from({length: documents}, (_, d) => (firedAt(d, i) ? 0 : 1)))
  const readBeliefs = () => {
    const out = new Float64Array(m)
    for (let d = 0; d < documents; d++) {
      const row = rowOf(d)
      for (let i = 0; i < m; i++) {
        evidence.settled[i] = firedAt(d, i) ? 1 : 0
        const score = sample.scores[row + i]
        evidence.logOdds[i] = evidence.settled[i] ? fired[i] + firedShare * score : constants[i] + score
      }
      beliefs.run(evidence, out)
      for (let i = 0; i < m; i++) logOdds[i][d] = out[i]
    }
  }
  for (let round = 1; ; round++) {
    readBeliefs()
    const changes = targets.map((target, i) => matchMean(logOdds[i], included[i], target))
    if (changes.every(change => Math.abs(change) <= SETTLED) || round === ROUND_LIMIT) {
      const probabilities = logOdds.map(list => list.map(value => sigmoid(value)))
      const residual = Math.max(
        0,
        ...targets.map((target, i) => Math.abs(meanOf(probabilities[i], included[i]) - target))
      )
      return {constants, probabilities, rounds: round, residual}
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
