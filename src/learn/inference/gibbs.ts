import {parentState} from '../../base/network/index.ts'
import {log, type Rng, rng, sigmoid} from '../../base/numeric/index.ts'
import type {DocumentFactors} from './document-factors.ts'
import type {InferenceTables} from './inference-tables.ts'
import type {InferenceOptions} from './options.ts'
import type {Posterior} from './posterior.ts'

/** Batches per chain for the standard error; with 10, neighbours depend little on each other. */
const BATCHES = 10

/**
 * P(Y_i = 1 | document) by Gibbs sampling, the slow reference for any network.
 *
 * One sweep redraws every unlabelled concept from its log-odds given all others: unary (absent words, anchors) + own and
 * children's tables + sum over its present words of log s1 - log s0, s = P(x_p = 1 | y) with y_i = 1 and 0. The
 * conditional probabilities are averaged rather than the draws (less variance, same mean). Several chains start from
 * random states; the standard error is that of the batch means over all chains, so disagreeing chains widen it.
 * A word's s is rebuilt from the state each time: no drift, and s0 = 0 (leak 0) forces y_i = 1 without a special case.
 */
export function gibbsPosterior(
  tables: InferenceTables,
  factors: DocumentFactors,
  options: Pick<InferenceOptions, 'chains' | 'sweeps' | 'burnIn' | 'seed'>
): Posterior {
  const {chains, burnIn, seed} = options
  const m = tables.conceptCount
  const batchLength = Math.ceil(options.sweeps / BATCHES)
  const logOdds = createFlip(tables, factors)
  const batchMeans: Float64Array[] = []
  for (let chain = 0; chain < chains; chain++) {
    const random = rng(seed).stream(`gibbs ${chain}`)
    const y = Int8Array.from(factors.labels, tag => (tag === -1 ? Number(random.next() < 0.5) : tag))
    const sum = new Float64Array(m)
    for (let sweep = 0; sweep < burnIn; sweep++) sweepOnce(y, sum, random)
    for (let batch = 0; batch < BATCHES; batch++) {
      sum.fill(0)
      for (let sweep = 0; sweep < batchLength; sweep++) sweepOnce(y, sum, random)
      batchMeans.push(sum.map(total => total / batchLength))
    }
  }
  const {probabilities, standardErrors} = summarise(batchMeans, factors.labels)
  const steps = chains * BATCHES * batchLength
  const standardError = standardErrors.reduce((top, error) => Math.max(top, error), 0)
  const {unexplainedWords} = factors
  return {
    probabilities,
    standardErrors,
    certificate: {method: 'gibbs', status: 'sampled', steps, standardError, unexplainedWords}
  }

  function sweepOnce(y: Int8Array, sum: Float64Array, random: Rng): void {
    for (let i = 0; i < m; i++) {
      if (factors.labels[i] !== -1) continue
      const p = sigmoid(logOdds(i, y))
      sum[i] += p
      y[i] = random.next() < p ? 1 : 0
    }
  }
}

/** The log-odds of y_i = 1 given the other concepts in `y`, whose entry i is left at 1. */
function createFlip(tables: InferenceTables, factors: DocumentFactors): (i: number, y: Int8Array) => number {
  const {network, children} = tables
  const {unary, wordCount, start, leak, concept, weight} = factors
  const wordsOf: number[][] = network.parents.map(() => [])
  for (let p = 0; p < wordCount; p++) for (let e = start[p]; e < start[p + 1]; e++) wordsOf[concept[e]].push(p)

  function logLocal(i: number, y: Int8Array): number {
    const own = network.cpt[i][parentState(network.parents[i], y)]
    let sum = log(y[i] === 1 ? own : 1 - own)
    for (const k of children[i]) {
      const p = network.cpt[k][parentState(network.parents[k], y)]
      sum += log(y[k] === 1 ? p : 1 - p)
    }
    for (const word of wordsOf[i]) {
      let s = leak[word]
      for (let e = start[word]; e < start[word + 1]; e++) if (y[concept[e]] === 1) s += weight[e] * (1 - s)
      sum += log(s)
    }
    return sum
  }

  return (i, y) => {
    y[i] = 0
    const zero = logLocal(i, y)
    y[i] = 1
    return unary[i] + logLocal(i, y) - zero
  }
}

function summarise(batchMeans: readonly Float64Array[], labels: Int8Array) {
  const count = batchMeans.length
  const probabilities = new Float64Array(labels.length)
  const standardErrors = new Float64Array(labels.length)
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] !== -1) {
      probabilities[i] = labels[i]
      continue
    }
    let mean = 0
    for (const batch of batchMeans) mean += batch[i] / count
    let square = 0
    for (const batch of batchMeans) square += (batch[i] - mean) ** 2
    probabilities[i] = Math.min(1, mean)
    standardErrors[i] = Math.sqrt(square / (count - 1) / count)
  }
  return {probabilities, standardErrors}
}
