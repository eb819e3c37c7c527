import type {InferenceOptions} from '../../learn/inference/index.ts'
import {infer} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {createEncoder, parseRow} from '../../read/data/index.ts'

/**
 * The probability of every concept, by name, for one plain document as in a JSON Lines file: `{text: '...'}` or
 * `{features: [...]}`. To read many, make the encoder and the inference once (`createEncoder`, `createInference`).
 */
export function predictDocument(
  model: Model,
  document: unknown,
  options?: Partial<InferenceOptions>
): Record<string, number> {
  const row = parseRow(document, model.lexicon.text, 'document')
  const {probabilities} = infer(model, createEncoder(model.lexicon).encode(row), options)
  return Object.fromEntries(model.concepts.map(({name}, i) => [name, probabilities[i]]))
}
