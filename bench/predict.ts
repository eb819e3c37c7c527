/**
 * Claim: 10,000 posteriors a second on one core at 50 concepts, 2,000 words, 60 words a document and 15% density.
 * Beside it: the same belief propagation written plainly, every concept with every word, in logarithms and with nothing
 * computed ahead; `largest difference` shows that both settle at the same point. `density` is the share of failures that differ from 1: a model as drawn has 1%, a
 * fitted one about half, most of them just below 1. Documents come from the model itself; encoding is not timed.
 */
import {createInference, createLastTagScorer, type Evidence, type Model, rng} from 'adfa'
import {benchCorpus, benchModel} from './generated.ts'
import {type BenchRow, record, rounded, seconds} from './record.ts'

const DOCUMENTS = 3000
const TOLERANCE = 1e-4

const cases = [
  {latents: 50, density: 0.15, wordsPerDocument: 60},
  {latents: 50, density: 0.01, wordsPerDocument: 60},
  {latents: 50, density: 0.5, wordsPerDocument: 60},
  {latents: 10, density: 0.15, wordsPerDocument: 60},
  {latents: 25, density: 0.15, wordsPerDocument: 60},
  {latents: 100, density: 0.15, wordsPerDocument: 60},
  {latents: 50, density: 0.15, wordsPerDocument: 20},
  {latents: 50, density: 0.15, wordsPerDocument: 180}
]

const rows = cases.map(({latents, density, wordsPerDocument}): BenchRow => {
  const truth = benchModel(latents, 2000, wordsPerDocument)
  const documents = benchCorpus(truth, DOCUMENTS).documents.map(({evidence}) => evidence)
  const model = withDensity(truth, density)
  const inference = createInference(model, {method: 'message-passing', tolerance: TOLERANCE})
  const ours = secondsEach(documents, evidence => inference.posterior(evidence), 5)
  const sample = documents.slice(0, 100)
  const naive = secondsEach(sample, evidence => naivePosterior(model, evidence), 2)
  const scorer = createLastTagScorer(model)
  const scores = secondsEach(documents, evidence => scorer.score(evidence, [0]), 3)
  return {
    concepts: latents,
    density,
    'words a document': rounded(documents.reduce((sum, {words}) => sum + words.length, 0) / DOCUMENTS),
    sweeps: rounded(mean(documents.map(evidence => inference.posterior(evidence).certificate.steps))),
    'posteriors per s': Math.round(1 / ours),
    'naive per s': rounded(1 / naive),
    ratio: rounded(naive / ours),
    'largest difference': rounded(Math.max(...sample.map(evidence => difference(model, evidence)))),
    'last-tag scores per s': Math.round(1 / scores)
  }
})

record('predict', '10,000 posteriors a second at 50 concepts, 2,000 words, 60 words a document', rows)
console.log(JSON.stringify({bench: 'predict', rows}))

function secondsEach(documents: readonly Evidence[], work: (evidence: Evidence) => unknown, times: number): number {
  const all = () => {
    for (const evidence of documents) work(evidence)
  }
  return seconds(all, times) / documents.length
}

/** The model with further failures between 0.99 and 1, until `share` of all differ from 1: a fitted model's noise. */
function withDensity(model: Model, share: number): Model {
  const random = rng(3)
  const failure = model.loadings.failure.map(f =>
    f === 1 && random.next() < share ? 1 - 0.01 * random.next() ** 2 : f
  )
  return {...model, loadings: {...model.loadings, failure}}
}

function difference(model: Model, evidence: Evidence): number {
  const ours = createInference(model, {method: 'message-passing', tolerance: 1e-8}).posterior(evidence).probabilities
  return naivePosterior(model, evidence, 1e-8).reduce((top, p, i) => Math.max(top, Math.abs(p - ours[i])), 0)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Belief propagation on a tree and noisy-or words, dense, messages and beliefs as log-odds; parents stand first. */
function naivePosterior({latents, network, loadings}: Model, evidence: Evidence, tolerance = TOLERANCE): number[] {
  const {parents, cpt} = network
  const {wordCount: n, failure: f, leak} = loadings
  const present = new Set(evidence.words)
  const fired = new Set(evidence.anchors)
  const belief = latents.map(({truePositive: t, falsePositive: e}, i) => {
    let sum = fired.has(i) ? Math.log(t / e) : Math.log((1 - t) / (1 - e))
    for (let j = 0; j < n; j++) if (!present.has(j)) sum += Math.log(f[i * n + j])
    return parents[i].length === 0 ? sum + Math.log(cpt[i][0] / (1 - cpt[i][0])) : sum
  })
  const fromWord = evidence.words.map(() => latents.map(() => 0))
  const fromParent = latents.map(() => 0)
  const fromChild = latents.map(() => 0)
  const edges = [...latents.keys()].filter(i => parents[i].length > 0)
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
      const off = latents.map((_, k) => 1 - sigmoid(belief[k] - fromWord[at][k]) * (1 - f[k * n + j]))
      const all = off.reduce((product, factor) => product * factor, 1 - leak[j])
      latents.forEach((_, i) => {
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

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x))
}
