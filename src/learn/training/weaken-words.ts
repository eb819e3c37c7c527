import {exp, log} from '../../base/numeric/index.ts'
import type {Model} from '../model/index.ts'

/**
 * The same model with words that say less: every failure f becomes f^strength, so that the log-odds that a word's absence
 * takes from a concept shrink by that factor. Words of real text repeat each other, which a model that takes them as
 * independent does not know. Leaks grow so that each word is as frequent as before, concepts taken as independent:
 * 1 - l' = (1 - l) prod_i (1 - p_i (1 - f_i)) / prod_i (1 - p_i (1 - f_i^strength)). Strength 1 changes nothing.
 */
export function weakenWords(model: Model, strength: number): Model {
  if (strength === 1) return model
  const {concepts, loadings} = model
  const {conceptCount: m, wordCount: n} = loadings
  const failure = loadings.failure.map(f => (f === 1 ? 1 : exp(strength * log(f))))
  const leak = loadings.leak.map((l, j) => {
    let ratio = 1
    for (let i = 0; i < m; i++) {
      const p = concepts[i].prevalence
      const cell = i * n + j
      ratio *= (1 - p * (1 - loadings.failure[cell])) / (1 - p * (1 - failure[cell]))
    }
    return 1 - (1 - l) * ratio
  })
  return {...model, loadings: {conceptCount: m, wordCount: n, failure, leak}}
}
