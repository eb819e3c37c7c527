/**
 * Claim: 10,000 posteriors per second on one core at 50 concepts, 2,000 words and 60 words per document, with either word
 * model. `largest difference` compares the results of both implementations.
 *
 * Noisy-or, by message passing. Compared with the same belief propagation written plainly, every concept with every word, in
 * logarithms and with nothing precomputed. `density` is the share of failures that differ from 1: a model as drawn has 1%, a
 * fitted one about half, most of them just below 1.
 *
 * Word weights and a network of pairs, learned from the counts of the documents. Compared with the same sums written plainly,
 * over all words of the vocabulary as a dense vector, and the two rounds of messages in logarithms.
 *
 * Documents come from the model itself; encoding is not timed. Seconds are processor time.
 */

import {directedNetwork, messageTables, type PairNetwork} from '../../src/base/network/index.ts'
import {rng, sigmoid} from '../../src/base/numeric/index.ts'
import {createInference, type InferenceOptions} from '../../src/learn/inference/index.ts'
import type {Model} from '../../src/learn/model/index.ts'
import {learnPairs, learnWordWeights, type WordWeights} from '../../src/learn/robust/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import type {Evidence} from '../../src/read/data/index.ts'
import {createLastTagScorer} from '../../src/use/prediction/index.ts'
import {mean} from '../spread.ts'
import {type BenchRow, benchCorpus, benchModel, leastSeconds, record, rounded} from './bench.ts'

const DOCUMENTS = 3000
const VOCABULARY = 2000
const TOLERANCE = 1e-4

interface Size {
  readonly concepts: number
  readonly wordsPerDocument: number
}

const sizes: readonly Size[] = [
  {concepts: 50, wordsPerDocument: 60},
  {concepts: 10, wordsPerDocument: 60},
  {concepts: 25, wordsPerDocument: 60},
  {concepts: 100, wordsPerDocument: 60},
  {concepts: 50, wordsPerDocument: 20},
  {concepts: 50, wordsPerDocument: 180}
]

const rows: BenchRow[] = []
for (const size of sizes) rows.push(await logOddsRow(size))
for (const size of sizes) rows.push(await noisyOrRow(size, 0.15))
for (const density of [0.01, 0.5]) rows.push(await noisyOrRow(sizes[0], density))
record(
  'predict',
  '10,000 posteriors per second of processor time at 50 concepts, 2,000 words, 60 words per document',
  rows
)

async function logOddsRow(size: Size): Promise<BenchRow> {
  const drawn = benchModel(size.concepts, VOCABULARY, size.wordsPerDocument)
  const corpus = benchCorpus(drawn, DOCUMENTS)
  const of = (name: 'truePositive' | 'falsePositive' | 'prevalence') =>
    Float64Array.from(drawn.concepts, concept => concept[name])
  const rates = {truePositive: of('truePositive'), falsePositive: of('falsePositive'), prevalence: of('prevalence')}
  const counts = countCorpus(corpus)
  const {network} = learnPairs(counts, rates)
  const wordModel = learnWordWeights(counts, rates, network, undefined)
  const model = {...drawn, network, wordModel}
  const naive = (evidence: Evidence) => naiveBeliefs(network, wordModel, evidence)
  const inference = createInference(model)
  const difference = (evidence: Evidence) => distance(naive(evidence), inference.posterior(evidence).probabilities)
  return {
    wordModel: 'weights',
    concepts: size.concepts,
    density: '-',
    ...(await measured(model, corpus.documents, {options: {}, naive, difference}))
  }
}

async function noisyOrRow(size: Size, density: number): Promise<BenchRow> {
  const drawn = benchModel(size.concepts, VOCABULARY, size.wordsPerDocument)
  const documents = benchCorpus(drawn, DOCUMENTS).documents
  const model = withDensity(drawn, density)
  const options = {method: 'message-passing', tolerance: TOLERANCE} as const
  const settled = createInference(model, {...options, tolerance: 1e-8})
  return {
    wordModel: 'noisy-or',
    concepts: size.concepts,
    density,
    ...(await measured(model, documents, {
      options,
      naive: evidence => naivePosterior(model, evidence),
      difference: evidence => distance(naivePosterior(model, evidence, 1e-8), settled.posterior(evidence).probabilities)
    }))
  }
}

interface Comparison {
  readonly options: Partial<InferenceOptions>
  readonly naive: (evidence: Evidence) => unknown
  readonly difference: (evidence: Evidence) => number
}

async function measured(
  model: Model,
  documents: readonly Evidence[],
  {options, naive, difference}: Comparison
): Promise<BenchRow> {
  const inference = createInference(model, options)
  const scorer = createLastTagScorer(model)
  const sample = documents.slice(0, 100)
  const each = async (some: readonly Evidence[], work: (evidence: Evidence) => unknown, runs: number) =>
    (await leastSeconds(() => some.forEach(work), runs)) / some.length
  const ours = await each(documents, evidence => inference.posterior(evidence), 5)
  const plain = await each(sample, naive, 3)
  return {
    'words per document': rounded(mean(documents.map(({words}) => words.length))),
    sweeps: rounded(mean(documents.map(evidence => inference.posterior(evidence).certificate.steps))),
    'posteriors per s': Math.round(1 / ours),
    'naive per s': rounded(1 / plain),
    ratio: rounded(plain / ours),
    'largest difference': rounded(Math.max(...sample.map(difference))),
    'last-tag scores per s': Math.round(1 / (await each(documents, evidence => scorer.score(evidence, [0]), 3)))
  }
}

/** The model with further failures between 0.99 and 1, until `share` of all differ from 1: a fitted model's noise. */
function withDensity(model: Model, share: number): Model {
  const random = rng(3)
  const failure = model.loadings.failure.map(f =>
    f === 1 && random.next() < share ? 1 - 0.01 * random.next() ** 2 : f
  )
  return {...model, loadings: {...model.loadings, failure}}
}

function distance(plain: readonly number[], ours: Float64Array): number {
  return plain.reduce((top, p, i) => Math.max(top, Math.abs(p - ours[i])), 0)
}

/** Log-odds from all words, present or not, and from all other concepts, in two rounds; fired anchors receive nothing. */
function naiveBeliefs(network: PairNetwork, wordModel: WordWeights, evidence: Evidence): number[] {
  const {weights, scale, silent, fired: whereFired, firedShare} = wordModel
  const {present: q, absent: r} = messageTables(network)
  const prior = Array.from(network.prevalence, p => Math.log(p / (1 - p)))
  const m = prior.length
  const words = new Array<number>(weights[0].length).fill(0)
  for (const j of evidence.words) words[j] = 1
  const fired = weights.map((_, i) => evidence.anchors.includes(i))
  const squares = scale.idf.reduce((all, idf, j) => all + idf * idf * words[j], 0)
  const factor = squares > 0 ? scale.typical / Math.sqrt(squares) : 1
  const own = weights.map((row, i) => {
    const sum = factor * row.reduce((all, weight, j) => all + weight * words[j], 0)
    return fired[i] ? whereFired[i] + firedShare * sum : prior[i] + silent[i] + sum
  })
  const from = (i: number, isSender: (k: number) => boolean, message: (k: number, q: number, r: number) => number) =>
    fired[i]
      ? own[i]
      : own.reduce(
          (sum, _, k) => (k === i || !isSender(k) ? sum : sum + message(k, q[i * m + k], r[i * m + k])),
          own[i]
        )
  const settled = own.map((_, i) =>
    from(
      i,
      k => fired[k],
      (k, q, r) => Math.log(((1 - sigmoid(own[k])) * (1 - q)) / (1 - r) + (sigmoid(own[k]) * q) / r)
    )
  )
  for (let i = 0; i < m; i++) own[i] = settled[i]
  const message = (logRatio: number, q: number, r: number) =>
    Math.log((1 - q + q * Math.exp(logRatio)) / (1 - r + r * Math.exp(logRatio)))
  const ratio = own.map((value, i) => value - prior[i])
  const isSender = (k: number) => !fired[k]
  const first = own.map((_, i) => from(i, isSender, (k, q, r) => message(ratio[k], q, r)) - prior[i])
  return own.map((_, i) => {
    const back = (k: number) => message(ratio[i], q[k * m + i], r[k * m + i])
    return sigmoid(from(i, isSender, (k, q, r) => message(first[k] - back(k), q, r)))
  })
}

/** Belief propagation on a tree and noisy-or words, dense, messages and beliefs as log-odds; parents come first. */
function naivePosterior({concepts, network, loadings}: Model, evidence: Evidence, tolerance = TOLERANCE): number[] {
  const {parents, cpt} = directedNetwork(network, 1)
  const {wordCount: n, failure: f, leak} = loadings
  const present = new Set(evidence.words)
  const fired = new Set(evidence.anchors)
  const belief = concepts.map(({truePositive: t, falsePositive: e}, i) => {
    let sum = fired.has(i) ? Math.log(t / e) : Math.log((1 - t) / (1 - e))
    for (let j = 0; j < n; j++) if (!present.has(j)) sum += Math.log(f[i * n + j])
    return parents[i].length === 0 ? sum + Math.log(cpt[i][0] / (1 - cpt[i][0])) : sum
  })
  const fromWord = evidence.words.map(() => concepts.map(() => 0))
  const fromParent = concepts.map(() => 0)
  const fromChild = concepts.map(() => 0)
  const edges = [...concepts.keys()].filter(i => parents[i].length > 0)
  const passNetwork = () => {
    for (const i of edges.toReversed()) {
      const [p0, p1] = cpt[i]
      const o = Math.exp(belief[i] - fromParent[i])
      const message = Math.log((1 - p1 + p1 * o) / (1 - p0 + p0 * o))
      belief[parents[i][0]] += message - fromChild[i]
      fromChild[i] = message
    }
    for (const i of edges) {
      const [p0, p1] = cpt[i]
      const o = Math.exp(belief[parents[i][0]] - fromChild[i])
      const message = Math.log((p0 + p1 * o) / (1 - p0 + (1 - p1) * o))
      belief[i] += message - fromParent[i]
      fromParent[i] = message
    }
  }
  passNetwork()
  let q = belief.map(sigmoid)
  for (let sweep = 0; sweep < 200; sweep++) {
    evidence.words.forEach((j, at) => {
      const off = concepts.map((_, k) => 1 - sigmoid(belief[k] - fromWord[at][k]) * (1 - f[k * n + j]))
      const all = off.reduce((product, factor) => product * factor, 1 - leak[j])
      concepts.forEach((_, i) => {
        const c = all / off[i]
        const message = Math.log((1 - c * f[i * n + j]) / (1 - c))
        belief[i] += message - fromWord[at][i]
        fromWord[at][i] = message
      })
    })
    passNetwork()
    const next = belief.map(sigmoid)
    const change = next.reduce((top, p, i) => Math.max(top, Math.abs(p - q[i])), 0)
    q = next
    if (change <= tolerance) break
  }
  return q
}
