import {createEncoder, parseRow} from '../data/index.ts'
import type {Model} from '../model/index.ts'
import {infer} from './infer.ts'
import type {InferenceOptions} from './options.ts'

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
  return Object.fromEntries(model.latents.map(({name}, i) => [name, probabilities[i]]))
}
