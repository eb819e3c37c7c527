import {log} from '../../base/numeric/index.ts'
import type {Model} from '../model/index.ts'
import type {Anchorage} from './cause-counts.ts'

/**
 * How many documents the moment estimates are worth, times `weight`.
 *
 * Labels of N documents give the effect of concept i on a word with variance v / (N p (1 - p)); its anchor gives it with
 * variance v a (1 - a) / (N p^2 (1 - p)^2 d^2), where p is the concept's and a the anchor's frequency, d = t - e. The
 * ratio is the squared correlation of anchor and concept, so the anchor is worth that share of the N p documents that
 * have the concept. The leaks come from all documents and all concepts: N times the mean share.
 */
export function startWorth({concepts, loadings}: Model, documents: number, weight: number): Anchorage {
  const worth = new Float64Array(concepts.length)
  let share = 0
  concepts.forEach(({truePositive: t, falsePositive: e, prevalence: p}, i) => {
    const a = p * t + (1 - p) * e
    const squaredCorrelation = (p * (1 - p) * (t - e) ** 2) / (a * (1 - a))
    worth[i] = weight * documents * p * squaredCorrelation
    share += squaredCorrelation / concepts.length
  })
  return {start: loadings, concepts: worth, leak: weight * documents * share}
}

/**
 * What is taken off the log-likelihood for leaving the start: worth times the divergence of the coin (1 - f0, f0) from
 * (1 - f, f), over all failures and leaks. 0 at the start, and exactly what {@link updateLoadings} weighs.
 */
export function worthPenalty({start, concepts, leak}: Anchorage, now: Model['loadings']): number {
  let sum = 0
  for (let i = 0; i < start.conceptCount; i++) {
    if (concepts[i] === 0) continue
    for (let cell = i * start.wordCount; cell < (i + 1) * start.wordCount; cell++)
      sum += concepts[i] * coinDivergence(start.failure[cell], now.failure[cell])
  }
  if (leak > 0) for (let j = 0; j < start.wordCount; j++) sum += leak * coinDivergence(start.leak[j], now.leak[j])
  return sum
}

function coinDivergence(p: number, q: number): number {
  if (p === q) return 0
  return (p > 0 ? p * log(p / q) : 0) + (p < 1 ? (1 - p) * log((1 - p) / (1 - q)) : 0)
}
