import {log} from '../../base/numeric/index.ts'
import type {Model} from './model.ts'

/** A word that a concept switches on. */
export interface TopWord {
  readonly word: string
  readonly failure: number
  /** P(X_j = 1), with concepts taken as independent. */
  readonly frequency: number
  /** KL divergence, in nats, of the word given the concept from the word alone. */
  readonly weight: number
}

/**
 * The most typical words of concept i: ranked by the divergence between the word's probability in documents that have
 * the concept, 1 - (1 - frequency) f, and its frequency. Failure alone, as in the paper's tables, ranks words by how
 * common they are and puts "in" and "how" first. The frequency ignores dependences between concepts: in the emergency
 * model this changes it by at most 4%, and one of 184 words would drop out of the top eight.
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
