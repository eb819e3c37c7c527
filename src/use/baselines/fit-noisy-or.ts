import {log, log1p} from '../../base/numeric/index.ts'
import type {Loadings} from '../../learn/loadings/index.ts'

/** The concepts of each document, in ascending order. */
export type TagLists = readonly (readonly number[])[]

export interface NoisyOrCertificate {
  /** Log-likelihood of the words given the tags, plus the log of the prior, in nats. */
  readonly objective: number
  readonly steps: number
  readonly status: 'optimal' | 'step-limit'
}

/**
 * The maximum-likelihood noisy-or for tagged documents: P(x_j = 0 | y) = (1 - l_j) prod_{i in y} (1 - w_ij).
 *
 * Method: EM over which causes switched a word on. Given that word j occurs, cause i did so with probability
 * w_ij / P(x_j = 1 | y), so
 *
 *     w_ij <- w_ij sum_{d: y_i = 1, x_j = 1} 1 / P(x_j = 1 | y_d) / (N_i + 1),
 *
 * and likewise for the leak, a cause that is always present. The objective is concave in log(1 - w), so EM reaches its
 * maximum. The 1 is a prior, as exact zeros and ones would veto documents: for each concept one more document in which it
 * switches nothing on, and for the leak one document without concepts that has word j with its frequency,
 * (count + 1/2) / (N + 1).
 * It stops when a step raises the objective by at most `tolerance`, in nats per document.
 * Layout: failures as in {@link Loadings}. Cost: O(words that occur x (tags + 1)) per step.
 * `runEm` (learn/training) attributes a word to the *first* cause that succeeds, so the two cannot share an M-step.
 */
export function fitNoisyOr(
  words: readonly (readonly number[])[],
  tags: TagLists,
  size: Pick<Loadings, 'conceptCount' | 'wordCount'>,
  {tolerance = 1e-4, stepLimit = 200} = {}
): {readonly loadings: Loadings; readonly certificate: NoisyOrCertificate} {
  const step = startStep(words, tags, size)
  let before = Number.NEGATIVE_INFINITY
  for (let steps = 0; ; steps++) {
    const objective = expect(step, words, tags)
    const gain = objective - before
    const status = gain <= tolerance * words.length ? 'optimal' : steps === stepLimit ? 'step-limit' : undefined
    if (status !== undefined) {
      const loadings = {...size, failure: step.weight.map(w => 1 - w), leak: step.leak}
      return {loadings, certificate: {objective, steps, status}}
    }
    before = objective
    maximise(step)
  }
}

interface Step {
  /** Documents, and documents with each concept, the prior's one included. */
  readonly total: number
  readonly tagTotals: Float64Array
  /** The frequency of each word. */
  readonly share: Float64Array
  readonly leak: Float64Array
  readonly weight: Float64Array
  /** Sums of 1 / P(x_j = 1 | y) over the words that occur, by cause. */
  readonly leakSum: Float64Array
  readonly weightSum: Float64Array
}

/** Half of each word's frequency, and half of P(x_j | y_i): the other half is left to other causes. */
function startStep(
  words: readonly (readonly number[])[],
  tags: TagLists,
  {conceptCount: m, wordCount: n}: Pick<Loadings, 'conceptCount' | 'wordCount'>
): Step {
  const total = words.length + 1
  const tagCounts = new Float64Array(m)
  for (const list of tags) for (const i of list) tagCounts[i]++
  const share = new Float64Array(n)
  for (const list of words) for (const j of list) share[j] += 1 / total
  for (let j = 0; j < n; j++) share[j] += 0.5 / total
  const weight = new Float64Array(m * n)
  for (let d = 0; d < words.length; d++)
    for (const i of tags[d]) for (const j of words[d]) weight[i * n + j] += 0.5 / tagCounts[i]
  return {
    total,
    tagTotals: tagCounts.map(count => count + 1),
    share,
    leak: share.map(p => p / 2),
    weight,
    leakSum: new Float64Array(n),
    weightSum: new Float64Array(m * n)
  }
}

/** E-step; returns the objective at the current parameters. */
function expect(step: Step, words: readonly (readonly number[])[], tags: TagLists): number {
  const {leak, weight, leakSum, weightSum} = step
  const n = leak.length
  leakSum.fill(0)
  weightSum.fill(0)
  let objective = priorAndAbsence(step)
  for (let d = 0; d < words.length; d++)
    for (const j of words[d]) {
      let off = 1 - leak[j]
      for (const i of tags[d]) off *= 1 - weight[i * n + j]
      const on = 1 - off
      objective += log(on / off)
      leakSum[j] += 1 / on
      for (const i of tags[d]) weightSum[i * n + j] += 1 / on
    }
  return objective
}

/** The log of the prior, and the log-likelihood as if no word occurred. */
function priorAndAbsence({total, tagTotals, share, leak, weight}: Step): number {
  const n = leak.length
  let sum = 0
  for (let j = 0; j < n; j++) sum += share[j] * log(leak[j]) + (total - share[j]) * log1p(-leak[j])
  for (let i = 0; i < tagTotals.length; i++)
    for (let j = 0; j < n; j++) if (weight[i * n + j] > 0) sum += tagTotals[i] * log1p(-weight[i * n + j])
  return sum
}

function maximise({total, tagTotals, share, leak, weight, leakSum, weightSum}: Step): void {
  const n = leak.length
  for (let j = 0; j < n; j++) leak[j] = (leak[j] * leakSum[j] + share[j]) / total
  for (let i = 0; i < tagTotals.length; i++)
    for (let j = 0; j < n; j++) weight[i * n + j] *= weightSum[i * n + j] / tagTotals[i]
}
