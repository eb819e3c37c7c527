import {log, log1p} from '../../base/numeric/index.ts'
import type {Loadings} from '../../learn/loadings/index.ts'
import type {TagLists} from './models-from-tags.ts'

export interface NoisyOrOptions {
  /** Done when a step raises the objective by at most this, in nats a document. */
  readonly tolerance: number
  readonly stepLimit: number
}

export const noisyOrDefaults: NoisyOrOptions = {tolerance: 1e-4, stepLimit: 200}

export interface NoisyOrCertificate {
  /** Log-likelihood of the words given the tags, and the log of the prior, in nats. */
  readonly objective: number
  readonly steps: number
  readonly status: 'optimal' | 'step-limit'
}

/**
 * The noisy-or of maximum likelihood for tags that are all seen: P(x_j = 0 | y) = (1 - l_j) prod_{i in y} (1 - w_ij).
 *
 * Method: EM over which cause switched a word on. Given that word j occurs, cause i did so with chance w_ij / P(x_j = 1 | y), so
 *
 *     w_ij <- w_ij sum_{d: y_i = 1, x_j = 1} 1 / P(x_j = 1 | y_d) / (N_i + 1),
 *
 * and the leak alike, a cause that is always there. The objective is concave in log(1 - w), so what EM rises to is the best.
 * The 1 is a prior, as exact zeros and ones would veto documents: for each concept one more document in which it switches
 * nothing on, and for the leak one document without concepts that has word j with its frequency, (count + 1/2) / (N + 1).
 * Layout: failures as in {@link Loadings}. Cost: O(words that occur x (tags + 1)) a step.
 */
export function fitNoisyOr(
  words: readonly (readonly number[])[],
  tags: TagLists,
  {conceptCount: m, wordCount: n}: {readonly conceptCount: number; readonly wordCount: number},
  {tolerance, stepLimit}: NoisyOrOptions = noisyOrDefaults
): {readonly loadings: Loadings; readonly certificate: NoisyOrCertificate} {
  const documents = words.length
  const tagCounts = new Float64Array(m)
  for (const list of tags) for (const i of list) tagCounts[i]++
  const share = new Float64Array(n)
  for (const list of words) for (const j of list) share[j] += 1 / (documents + 1)
  for (let j = 0; j < n; j++) share[j] += 0.5 / (documents + 1)
  const leak = share.map(p => p / 2)
  const weight = firstWeights()
  const leakSum = new Float64Array(n)
  const weightSum = new Float64Array(m * n)

  let before = Number.NEGATIVE_INFINITY
  for (let steps = 0; ; steps++) {
    const objective = expect()
    const gain = objective - before
    const status = gain <= tolerance * documents ? 'optimal' : steps === stepLimit ? 'step-limit' : undefined
    if (status !== undefined) {
      const loadings = {conceptCount: m, wordCount: n, failure: weight.map(w => 1 - w), leak}
      return {loadings, certificate: {objective, steps, status}}
    }
    before = objective
    maximise()
  }

  /** Half of P(x_j | y_i): the other half is left to other causes. */
  function firstWeights(): Float64Array {
    const first = new Float64Array(m * n)
    for (let d = 0; d < documents; d++)
      for (const i of tags[d]) for (const j of words[d]) first[i * n + j] += 0.5 / tagCounts[i]
    return first
  }

  /** Sum 1 / P(x_j = 1 | y) over the words that occur, by cause; the objective at the present parameters. */
  function expect(): number {
    leakSum.fill(0)
    weightSum.fill(0)
    let objective = priorAndAbsence()
    for (let d = 0; d < documents; d++)
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
  function priorAndAbsence(): number {
    let sum = 0
    for (let j = 0; j < n; j++) sum += share[j] * log(leak[j]) + (documents + 1 - share[j]) * log1p(-leak[j])
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) if (weight[i * n + j] > 0) sum += (tagCounts[i] + 1) * log1p(-weight[i * n + j])
    return sum
  }

  function maximise(): void {
    for (let j = 0; j < n; j++) leak[j] = (leak[j] * leakSum[j] + share[j]) / (documents + 1)
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) weight[i * n + j] *= weightSum[i * n + j] / (tagCounts[i] + 1)
  }
}
