import type {Golden} from '../../../test/golden.ts'
import {type BayesNetwork, logPrior, parentState, topologicalOrder} from '../../base/network/index.ts'
import {type Rng, randomIndex} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Concept, Model} from '../model/index.ts'
import {smallParts} from '../model/test-small-model.ts'

/** What kind of model {@link randomModel} draws. */
export interface RandomModelOptions {
  readonly conceptCount: number
  readonly wordCount: number
  /** The largest number of parents of a concept; 0 makes concepts independent, 1 makes a forest. */
  readonly parentLimit: number
  /** The share of failures that differ from 1. */
  readonly density: number
  readonly zeroLeaks?: boolean
  /** Whether a child is present in 50% to 95% of cases with a parent present, and in 0.2% to 2% without. */
  readonly strongTies?: boolean
  /** Failures that differ from 1 lie between this and 0.99. */
  readonly strongest?: number
}

export function composeTestModel(
  concepts: readonly Omit<Concept, 'name' | 'prevalence'>[],
  network: BayesNetwork,
  loadings: {readonly failure: readonly (readonly number[])[]; readonly leak: readonly number[]}
): Model<BayesNetwork> {
  return {
    ...smallParts,
    lexicon: {...smallParts.lexicon, anchors: [], words: []},
    concepts: concepts.map((rates, i) => ({name: `concept ${i}`, prevalence: 0.5, ...rates})),
    network,
    loadings: {
      conceptCount: concepts.length,
      wordCount: loadings.leak.length,
      failure: Float64Array.from(loadings.failure.flat()),
      leak: Float64Array.from(loadings.leak)
    },
    wordModel: {kind: 'noisy-or'}
  }
}

/** Returns the true model of a golden file. */
export function goldenModel({parents, cpt, failures, leak, q0, q1}: Golden['truth']): Model<BayesNetwork> {
  return composeTestModel(
    q1.map((truePositive, i) => ({truePositive, falsePositive: q0[i]})),
    {parents, cpt: cpt.map(table => Float64Array.from(table))},
    {failure: failures, leak}
  )
}

/** Returns the indices of the 1s in a string of 0s and 1s. */
export function onBits(bits: string): number[] {
  return [...bits].flatMap((bit, at) => (bit === '1' ? [at] : []))
}

/** Draws a model with prevalences of 3% to 30%, anchors of moderate quality, failures of 0.1 to 0.99 and leaks of 0.2% to 10%. */
export function randomModel(random: Rng, options: RandomModelOptions): Model<BayesNetwork> {
  const {conceptCount, wordCount, parentLimit, density, zeroLeaks, strongTies, strongest = 0.1} = options
  const between = (low: number, high: number) => low + (high - low) * random.next()
  const rows = <T>(make: (i: number) => T) => Array.from({length: conceptCount}, (_, i) => make(i))
  const parents = rows(i => {
    const list: number[] = []
    for (let slot = 0; slot < Math.min(i, parentLimit); slot++) {
      const k = randomIndex(random, i)
      if (!list.includes(k) && random.next() < 0.8) list.push(k)
    }
    return list
  })
  const cpt = parents.map(list =>
    Float64Array.from({length: 2 ** list.length}, (_, s) => {
      if (strongTies) return s === 0 ? between(0.002, 0.02) : between(0.5, 0.95)
      return s === 0 ? between(0.03, 0.3) : between(0.05, 0.8)
    })
  )
  return composeTestModel(
    rows(() => ({truePositive: between(0.3, 0.8), falsePositive: between(0.005, 0.05)})),
    {parents, cpt},
    {
      failure: rows(() =>
        Array.from({length: wordCount}, () => (random.next() < density ? between(strongest, 0.99) : 1))
      ),
      leak: Array.from({length: wordCount}, () =>
        zeroLeaks && random.next() < 0.5 ? 0 : 10 ** between(Math.log10(0.002), -1)
      )
    }
  )
}

/** Draws a document from the model; returns it with its concepts. */
export function randomDocument(model: Model<BayesNetwork>, random: Rng): {evidence: Evidence; y: Int8Array} {
  const {concepts, network, loadings} = model
  const y = new Int8Array(concepts.length)
  for (const i of topologicalOrder(network.parents) ?? [])
    y[i] = random.next() < network.cpt[i][parentState(network.parents[i], y)] ? 1 : 0
  const words: number[] = []
  for (let j = 0; j < loadings.wordCount; j++) if (random.next() < wordChance(model, y, j)) words.push(j)
  const anchors = concepts
    .map((_, i) => i)
    .filter(i => random.next() < (y[i] === 1 ? concepts[i].truePositive : concepts[i].falsePositive))
  return {evidence: {words, anchors, members: []}, y}
}

function wordChance({loadings}: Model, y: ArrayLike<number>, j: number): number {
  let off = 1 - loadings.leak[j]
  for (let i = 0; i < y.length; i++) if (y[i]) off *= loadings.failure[i * loadings.wordCount + j]
  return 1 - off
}

/** Returns log P(x, a, y), the sum of all terms in the definition of the model. */
export function plainLogJoint(
  model: Model<BayesNetwork>,
  evidence: Evidence,
  y: ArrayLike<number>,
  {anchors = true, words = true} = {}
): number {
  let log = logPrior(model.network, y)
  if (words)
    for (let j = 0; j < model.loadings.wordCount; j++) {
      const p = wordChance(model, y, j)
      log += Math.log(evidence.words.includes(j) ? p : 1 - p)
    }
  if (anchors)
    model.concepts.forEach(({truePositive, falsePositive}, i) => {
      const p = y[i] ? truePositive : falsePositive
      log += Math.log(evidence.anchors.includes(i) ? p : 1 - p)
    })
  return log
}

/** Computes P(Y_i = 1 | document) and log P(document) by summing over all states that agree with `known`. */
export function plainPosterior(
  model: Model<BayesNetwork>,
  evidence: Evidence,
  use: {anchors?: boolean; words?: boolean; known?: readonly number[]} = {}
): {probabilities: number[]; logEvidence: number} {
  const m = model.concepts.length
  const sums = new Array<number>(m).fill(0)
  let total = 0
  for (let state = 0; state < 2 ** m; state++) {
    const y = Array.from({length: m}, (_, i) => (state >> i) & 1)
    if (use.known?.some((tag, i) => tag !== -1 && tag !== y[i])) continue
    const weight = Math.exp(plainLogJoint(model, evidence, y, use))
    total += weight
    for (let i = 0; i < m; i++) if (y[i] === 1) sums[i] += weight
  }
  return {probabilities: sums.map(sum => sum / total), logEvidence: Math.log(total)}
}

/** Renumbers the concepts of a model: concept i becomes concept `to[i]`. */
export function renameConcepts(model: Model<BayesNetwork>, to: readonly number[]): Model<BayesNetwork> {
  const from = to.map((_, place) => to.indexOf(place))
  const {wordCount, failure, leak} = model.loadings
  return composeTestModel(
    from.map(i => model.concepts[i]),
    {parents: from.map(i => model.network.parents[i].map(k => to[k])), cpt: from.map(i => model.network.cpt[i])},
    {failure: from.map(i => [...failure.subarray(i * wordCount, (i + 1) * wordCount)]), leak: [...leak]}
  )
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let top = 0
  for (let i = 0; i < a.length; i++) top = Math.max(top, Math.abs(a[i] - b[i]))
  return top
}
