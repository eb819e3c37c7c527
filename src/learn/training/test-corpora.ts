import {rng} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument, Evidence} from '../../read/data/index.ts'
import {logJoint} from '../../use/prediction/index.ts'
import {randomModel, sampleModel} from '../../use/synthetic/index.ts'
import type {Model} from '../model/index.ts'

/** A small model with known truth, and documents drawn from it. */
export function smallModel(seed: number, concepts = 4, words = 10): Model {
  return randomModel(
    {concepts, words, wordsPerConcept: Math.ceil(words / 2), prevalence: [0.1, 0.4], failure: [0.2, 0.9]},
    rng(seed)
  )
}

export function drawCorpus(model: Model, count: number, seed: number): Pick<Corpus, 'documents'> {
  const documents = Array.from(
    sampleModel(model, count, rng(seed)),
    ({y, evidence}, at): CorpusDocument => ({key: String(at), ...evidence, labels: Int8Array.from(y)})
  )
  return {documents}
}

/** The same model with failures and leaks moved a good way off, to start from. */
export function disturbed(model: Model, seed: number, size = 0.5): Model {
  const random = rng(seed)
  const {failure, leak} = model.loadings
  const between = (low: number, high: number) => low + (high - low) * random.next()
  return {
    ...model,
    loadings: {
      ...model.loadings,
      failure: failure.map(f => (f === 1 ? 1 : (1 - size) * f + size * between(0.05, 0.99))),
      leak: leak.map(l => l * between(1 - size, 1 + size))
    }
  }
}

/** log P(x, a) by adding up the joint of every state: the slow, obvious twin. */
export function plainLogEvidence(model: Model, evidence: Evidence): number {
  const m = model.concepts.length
  let sum = 0
  for (let state = 0; state < 2 ** m; state++) {
    const y = Array.from({length: m}, (_, i) => (state >> i) & 1)
    sum += Math.exp(logJoint(model, evidence, y))
  }
  return Math.log(sum)
}

export function meanLogLikelihood(model: Model, {documents}: Pick<Corpus, 'documents'>): number {
  return documents.reduce((sum, document) => sum + plainLogEvidence(model, document), 0) / documents.length
}

/** Root mean square error of the failures of edges that exist. */
export function failureError(model: Model, truth: Model): number {
  let square = 0
  let count = 0
  truth.loadings.failure.forEach((f, cell) => {
    if (f === 1) return
    square += (model.loadings.failure[cell] - f) ** 2
    count++
  })
  return Math.sqrt(square / count)
}
