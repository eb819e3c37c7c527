import {log} from '../../base/numeric/index.ts'
import type {Model} from './model.ts'

/** A word that a concept switches on. */
export interface TopWord {
  readonly word: string
  readonly failure: number
  /** P(X_j = 1) of the whole model, concepts taken as independent. */
  readonly frequency: number
  /** How much the word tells of the concept, in nats: KL(with the concept, without knowing). */
  readonly weight: number
}

/**
 * The words that speak most for concept i: ranked by the divergence between the word's chance in documents that have the
 * concept, 1 - (1 - frequency) f, and its frequency. Failure alone, as in the paper's tables, ranks words by how common
 * they are and puts "in" and "how" first. Ties between concepts are left out of the frequency: in the emergency model that
 * is off by at most 4% of itself, and one of 184 words would not be among the first eight.
 */
export function topWords(model: Model, i: number, count: number): TopWord[] {
  const {failure, leak, wordCount: n} = model.loadings
  const words = model.lexicon.words.map((word, j): TopWord => {
    const f = failure[i * n + j]
    let absence = 1 - leak[j]
    for (let k = 0; k < model.concepts.length; k++) {
      const p = model.concepts[k].prevalence
      absence *= 1 - p + p * failure[k * n + j]
    }
    const frequency = 1 - absence
    const p = 1 - absence * f
    const weight = p * log(p / frequency) + absence * f * log(f)
    return {word, failure: f, frequency, weight}
  })
  return words
    .filter(({failure: f, frequency}) => f < 1 && frequency > 0)
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .slice(0, count)
}
