import {pairNetwork} from '../../base/network/index.ts'
import {exp, rng} from '../../base/numeric/index.ts'
import {randomModel} from '../../use/synthetic/index.ts'
import type {Model} from '../model/index.ts'
import type {WordWeights} from '../robust/index.ts'

export interface LogOddsModel extends Model {
  readonly wordModel: WordWeights
}

/** Draws a tree model or a model of pairs with random word weights. */
export function logOddsModel(
  seed: number,
  concepts: number,
  words: number,
  kind: 'tree' | 'pairs' = 'tree'
): LogOddsModel {
  const random = rng(seed)
  const list = (length: number) => Array.from({length}, () => 2 * random.next() - 1)
  const table = (height: number, width: number) => Array.from({length: height}, () => list(width))
  const model = randomModel({concepts, words, wordsPerConcept: Math.ceil(words / 4)}, rng(seed))
  const couplings = new Float64Array(concepts * concepts)
  for (let i = 0; i < concepts; i++)
    for (let k = 0; k < i; k++) couplings[i * concepts + k] = couplings[k * concepts + i] = 2 * random.next() - 1
  const ratios = couplings.map(coupling => exp(coupling))
  const prevalence = Float64Array.from(model.concepts, concept => concept.prevalence)
  return {
    ...model,
    network: kind === 'tree' ? model.network : pairNetwork({prevalence, couplings, low: ratios, high: ratios}),
    wordModel: {
      kind: 'weights',
      weights: table(concepts, words),
      errors: Array.from({length: concepts}, (_, i) => Array.from({length: words}, (_, j) => ((i + j) % 3) / 10)),
      scale: {idf: Array.from({length: words}, (_, j) => 1 + (j % 4)), typical: 3, usualIdf: 2.5},
      silent: list(concepts),
      fired: list(concepts),
      hidden: list(concepts),
      firedShare: 0.3,
      threshold: 0.4,
      certificate: {source: 'documents', documents: 1000, rounds: 2, residual: 1e-4}
    }
  }
}

/** Gives the anchors of a model one, two or three members in turn, with random weights. */
export function withMembers(model: LogOddsModel, seed: number): LogOddsModel {
  const random = rng(seed)
  const sizes = model.concepts.map((_, i) => 1 + (i % 3))
  const anchors = model.lexicon.anchors.map((anchor, i) => ({
    ...anchor,
    any: Array.from({length: sizes[i]}, (_, k) => `${anchor.any[0]} ${k}`)
  }))
  const members = sizes.map(size => (size === 1 ? [0] : Array.from({length: size}, () => 2 * random.next() - 1)))
  return {...model, lexicon: {...model.lexicon, anchors}, wordModel: {...model.wordModel, members}}
}
