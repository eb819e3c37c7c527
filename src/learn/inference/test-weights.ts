import {rng} from '../../base/numeric/index.ts'
import {randomModel} from '../../use/synthetic/index.ts'
import type {Model} from '../model/index.ts'
import type {WordWeights} from '../words/index.ts'

export interface LogOddsModel extends Model {
  readonly wordModel: WordWeights
}

/** A random tree model with random word weights: nothing agrees by chance. */
export function logOddsModel(seed: number, concepts: number, words: number): LogOddsModel {
  const random = rng(seed)
  const list = (length: number) => Array.from({length}, () => 2 * random.next() - 1)
  const table = (height: number, width: number) => Array.from({length: height}, () => list(width))
  return {
    ...randomModel({concepts, words, wordsPerConcept: Math.ceil(words / 4)}, rng(seed)),
    wordModel: {
      kind: 'weights',
      weights: table(concepts, words),
      length: {power: 0.3, typical: 3},
      silent: list(concepts),
      fired: list(concepts),
      hidden: list(concepts),
      firedShare: 0.3,
      threshold: 0.4,
      certificate: {source: 'documents', documents: 1000, rounds: 3, residual: 0.001, expectedF1: 0.8}
    }
  }
}
