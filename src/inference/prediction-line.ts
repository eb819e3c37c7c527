import type {Model} from '../model/index.ts'

/**
 * One line of `predictions.jsonl`: `{"id", "posterior": {concept: P(Y=1|document)}}`, all concepts in the model's order or
 * the `top` most probable, highest first. Written out by hand, since an object would put names such as "2020" first.
 */
export function predictionLine(
  model: Model,
  id: string | number,
  probabilities: ArrayLike<number>,
  top = Number.POSITIVE_INFINITY
): string {
  const order = model.latents.map((_, i) => i)
  const shown = top < order.length ? order.sort((a, b) => probabilities[b] - probabilities[a]).slice(0, top) : order
  const entries = shown.map(i => `${JSON.stringify(model.latents[i].name)}:${probabilities[i]}`)
  return `{"id":${JSON.stringify(id)},"posterior":{${entries.join(',')}}}\n`
}
