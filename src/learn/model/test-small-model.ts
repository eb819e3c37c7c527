import {type BayesNetwork, type PairNetwork, pairNetwork} from '../../base/network/index.ts'
import {textDefaults} from '../../read/data/index.ts'
import type {WordWeights} from '../robust/index.ts'
import {composeModel, type Model} from './model.ts'

/** A model of three concepts in a chain and two words, with numbers that need all their digits. */
export const smallParts: Omit<Model<BayesNetwork>, 'wordModel'> = {
  concepts: [
    {name: 'fever', truePositive: 0.7, falsePositive: 0.1 + 0.2 - 0.29, prevalence: 1 / 3},
    {name: 'cough', truePositive: 0.5, falsePositive: 1e-9, prevalence: 0.2},
    {name: 'flu', truePositive: 1 - 2 ** -53, falsePositive: 0.02, prevalence: 0.1}
  ],
  network: {
    parents: [[2], [2], []],
    cpt: [Float64Array.of(0.1, 2 / 3), Float64Array.of(1e-6, 1 - 1e-6), Float64Array.of(1 / 7)]
  },
  loadings: {
    conceptCount: 3,
    wordCount: 2,
    failure: Float64Array.of(0.9, 1, Math.SQRT1_2, 1e-3, 1, 0.3),
    leak: Float64Array.of(0, 0.1)
  },
  lexicon: {
    anchors: [
      {
        concept: 'fever',
        any: ['text:fever', '/t(emp)? 39/'],
        not: ['text:no fever'],
        rates: {kind: 'rates', truePositive: 0.7, falsePositive: 0.01}
      },
      {concept: 'cough', any: ['text:cough'], not: [], rates: undefined},
      {concept: 'flu', any: ['influenza'], not: [], rates: {kind: 'shares', prevalence: 0.1, precision: 0.9}}
    ],
    words: ['text:pale', 'text:tired'],
    phrases: ['chest pain'],
    reading: {...textDefaults, text: ['text'], vocabulary: 12},
    filter: {minTags: 2, tags: ['fever', 'flu']},
    skipped: [{concept: 'gout', reason: 'its anchor never fires'}]
  },
  seed: 7,
  options: {preset: 'robust', shrinkage: '10/N', words: 'weights'},
  certificate: {moments: {gap: 1e-12, status: 'optimal'}}
}

/** Word weights for the same concepts. */
export const smallWeights: WordWeights = {
  kind: 'weights',
  weights: [
    [0.25, 0],
    [1 / 7, -1],
    [0, 0]
  ],
  scale: {idf: [1.5, 2.25], typical: 7.5, usualIdf: 2},
  silent: [-1, -2, -3],
  fired: [1, 2, 3],
  hidden: [0, 0.5, 1 / 7],
  firedShare: 0.3,
  threshold: 0.35,
  certificate: {source: 'counts', documents: 100, rounds: 2, residual: 1e-4}
}

/** Standard errors of some of these weights. */
export const smallErrors = [
  [0.05, 0],
  [0, 0.2],
  [0, 0]
]

/** A pair network over the same concepts. */
export const smallPairs: PairNetwork = pairNetwork({
  prevalence: Float64Array.from(smallParts.concepts, ({prevalence}) => prevalence),
  couplings: Float64Array.of(0, 1 / 3, -0.7, 1 / 3, 0, 0, -0.7, 0, 0),
  low: Float64Array.of(1, 1.1, 0.3, 1.1, 1, 0.9, 0.3, 0.9, 1),
  high: Float64Array.of(1, 5 / 3, 0.8, 5 / 3, 1, 1.2, 0.8, 1.2, 1)
})

export function smallModel(change: Partial<Model> = {}): Model {
  return composeModel({...smallParts, ...change})
}
