/**
 * Sets the constants that are added to the evidence of words. The paper multiplies the likelihoods of anchors and words; on text,
 * where words repeat each other, such probabilities are too certain. So the constants are set by mean probabilities.
 */

import {AdfaError} from '../../base/checks/index.ts'
import {type Beliefs, createBeliefs, type Network} from '../../base/network/index.ts'
import {sigmoid} from '../../base/numeric/index.ts'
import {percent} from '../../base/text/index.ts'
import {type AnchorFacts, meanOf, type SampleEvidence} from './evidence.ts'
import type {WordWeightCertificate, WordWeights} from './word-weights.ts'

/** Beliefs cost O(m^2) per document, so at most 1,000 documents set the constants, and 500 where there are over 100 concepts. */
const documentLimit = (concepts: number) => (concepts > 100 ? 500 : 1000)
/** Rounds end when no constant changes by more than the tolerance. The rough one is for first rounds over fewer documents. */
const ROUND_LIMIT = 24
const CONSTANT_TOLERANCE = 0.05
const ROUGH_TOLERANCE = 0.2
/** If the changes do not shrink from one round to the next, as along strong edges, the step is halved, down to this factor. */
const MIN_STEP = 0.125
/** The largest accepted difference between a mean probability and its target. In 50 fits of five corpora it was at most 0.004. */
const RESIDUAL_BOUND = 0.02
/** The relative error at which a mean probability counts as equal to its target. */
const MEAN_TOLERANCE = 1e-9
/** The most steps, of Newton's method or of bisection, that find the shift for one mean. */
const STEP_LIMIT = 60
/** Shifts of log-odds are at most this large, which makes every probability almost 0 or 1. */
const MAX_SHIFT = 60

/** The constants, the threshold, and how far the mean probabilities are from their targets. */
export type Calibration = Pick<WordWeights, 'silent' | 'fired' | 'hidden' | 'threshold'> &
  Pick<WordWeightCertificate, 'rounds' | 'residual'>

/**
 * Sets the constants so that the mean probability of each concept is the one that the rates imply: P(Y|A=1) where its anchor
 * fired, P(Y|A=0) where it is silent, and P(Y) if anchors are hidden. The last two means depend on the evidence that other
 * concepts pass on, so their constants are found in rounds. Throws if a mean stays off its target. Cost: O(1,000 m^2) per round.
 */
export function calibrate(sample: SampleEvidence, network: Network, facts: readonly AnchorFacts[]): Calibration {
  const beliefs = createBeliefs(network)
  const {constants, isFired, fixed} = sample
  // Where an anchor fired, other concepts do not change its concept's probability: one shift makes the mean the precision.
  const fired = constants.fired.map((constant, i) => {
    const cells = Array.from({length: sample.documents}, (_, d) => d * facts.length + i).filter(at => isFired[at] === 1)
    const logOdds = cells.map(at => constant + sample.fired[at])
    return fixed.has(i) ? constant : constant + matchMean(logOdds, facts[i].precision)
  })
  const observed = {...sample, constants: {...constants, fired}}
  const zeros = {...constants, silent: facts.map(() => 0)}
  const unobserved = {...sample, isFired: new Uint8Array(isFired.length), silent: sample.hidden, constants: zeros}
  const [missed, prevalence] = [facts.map(fact => fact.missed), facts.map(fact => fact.prevalence)]
  const [used, hidden] = [setSilent(observed, beliefs, missed), setSilent(unobserved, beliefs, prevalence)]
  if (used.residual > RESIDUAL_BOUND)
    throw new AdfaError(
      'bad-rates',
      `the rates contradict the network: predictions would have a mean that is off by ${percent(used.residual)}, where at most ${percent(RESIDUAL_BOUND)} is accepted; ` +
        'correct the rates, or fit another network (pairs or independent)'
    )
  return {
    silent: used.constants,
    fired,
    hidden: hidden.constants,
    rounds: Math.max(used.rounds, hidden.rounds),
    residual: Math.max(used.residual, hidden.residual),
    threshold: bestThreshold(used.probabilities)
  }
}

/** Sets the constants of silent anchors that give the mean probabilities `targets`, first roughly by a quarter of documents. */
function setSilent(sample: SampleEvidence, beliefs: Beliefs, targets: readonly number[]) {
  const count = Math.min(sample.documents, documentLimit(targets.length))
  // The sample is in the order of keys or patterns, so documents are taken at even distances.
  const spread = (length: number) => Array.from({length}, (_, d) => Math.floor(((d + 0.5) * sample.documents) / length))
  const quarter = spread(Math.ceil(count / 4))
  const rough = setInRounds(sample, quarter, {beliefs, targets, tolerance: ROUGH_TOLERANCE})
  const start = {...sample, constants: {...sample.constants, silent: rough.constants}}
  return setInRounds(start, spread(count), {beliefs, targets, tolerance: CONSTANT_TOLERANCE})
}

/** Computes beliefs from constants and constants from beliefs in turn, until no constant changes by more than the tolerance. */
function setInRounds(
  sample: SampleEvidence,
  documents: readonly number[],
  {beliefs, targets, tolerance}: {beliefs: Beliefs; targets: readonly number[]; tolerance: number}
) {
  const {isFired, fixed} = sample
  const m = targets.length
  const constants = [...sample.constants.silent]
  const silentIn = targets.map((_, i) =>
    fixed.has(i) ? [] : [...documents.keys()].filter(at => isFired[documents[at] * m + i] === 0)
  )
  let [step, before] = [1, Number.POSITIVE_INFINITY]
  for (let round = 1; ; round++) {
    const logOdds = readBeliefs(sample, beliefs, documents, constants)
    const own = silentIn.map((list, i) => list.map(at => logOdds[i][at]))
    const changes = targets.map((target, i) => matchMean(own[i], target))
    const largest = Math.max(0, ...changes.map(Math.abs))
    if (largest >= before) step = Math.max(MIN_STEP, step / 2)
    before = largest
    if (largest <= tolerance || round >= ROUND_LIMIT) {
      const errors = targets.map((target, i) =>
        own[i].length === 0 ? 0 : Math.abs(meanOf(own[i].map(sigmoid)) - target)
      )
      const probabilities = logOdds.map(column => column.map(sigmoid))
      return {constants, probabilities, rounds: round, residual: Math.max(0, ...errors)}
    }
    for (let i = 0; i < m; i++) constants[i] += step * changes[i]
  }
}

/** Returns the log-odds of every concept in these documents of the sample: `[i][at]` for document `documents[at]`. */
function readBeliefs(
  {isFired, silent, fired, constants}: SampleEvidence,
  beliefs: Beliefs,
  documents: readonly number[],
  silentConstants: readonly number[]
): Float64Array[] {
  const m = silentConstants.length
  const columns = Array.from({length: m}, () => new Float64Array(documents.length))
  const own = {logOdds: new Float64Array(m), isFired: new Uint8Array(m), labels: new Int8Array(m).fill(-1)}
  const out = new Float64Array(m)
  documents.forEach((d, at) => {
    for (let i = 0, cell = d * m; i < m; i++, cell++) {
      own.isFired[i] = isFired[cell]
      // The prior, which the beliefs add, is part of the constant of a fired anchor.
      own.logOdds[i] =
        isFired[cell] === 1 ? constants.fired[i] - beliefs.prior[i] + fired[cell] : silentConstants[i] + silent[cell]
    }
    beliefs.run(own, out)
    for (let i = 0; i < m; i++) columns[i][at] = out[i]
  })
  return columns
}

/**
 * Returns the shift c at which the mean of sigmoid(logOdds + c) is `target`, by Newton's method inside a bracket. The mean increases
 * with c, so c is unique. The shift of an empty list is 0.
 */
export function matchMean(logOdds: ArrayLike<number>, target: number): number {
  const total = logOdds.length
  if (total === 0) return 0
  let low = -MAX_SHIFT
  let high = MAX_SHIFT
  let c = 0
  for (let step = 0; step < STEP_LIMIT; step++) {
    let mean = 0
    let slope = 0
    for (let d = 0; d < total; d++) {
      const chance = sigmoid(logOdds[d] + c)
      mean += chance
      slope += chance * (1 - chance)
    }
    const excess = mean / total - target
    if (Math.abs(excess) <= MEAN_TOLERANCE * target) break
    if (excess > 0) high = c
    else low = c
    const newton = c - (excess * total) / slope
    c = newton > low && newton < high ? newton : (low + high) / 2
  }
  return c
}

/**
 * Finds the threshold tau that maximises the F1 expected under probabilities q,
 * F(tau) = 2 sum_{q >= tau} q / (number with q >= tau + sum of all q). At the maximum tau = F / 2; Dinkelbach's method
 * repeats tau = F(tau) / 2, which increases to it in a few rounds.
 */
export function bestThreshold(probabilities: readonly ArrayLike<number>[]): number {
  let threshold = 0
  for (;;) {
    const next = expectedF1At(probabilities, threshold) / 2
    if (!(next > threshold)) return threshold
    threshold = next
  }
}

/** Returns the expected F1 of reporting probabilities of at least `threshold`. */
export function expectedF1At(probabilities: readonly ArrayLike<number>[], threshold: number): number {
  let [hits, reported, present] = [0, 0, 0]
  for (const column of probabilities)
    for (let d = 0; d < column.length; d++) {
      present += column[d]
      if (column[d] < threshold) continue
      hits += column[d]
      reported++
    }
  return reported + present > 0 ? (2 * hits) / (reported + present) : 0
}
