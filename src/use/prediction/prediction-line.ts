import type {Model} from '../../learn/model/index.ts'

export interface PredictionLineOptions {
  /** Only so many concepts in `posterior`, the most probable, highest first; all in the model's order without it. */
  readonly top?: number | undefined
  /** Adds `tags`: the concepts with at least this probability, most probable first, whatever `top` is. */
  readonly threshold?: number | undefined
}

/**
 * One line of `predictions.jsonl`: `{"id", "posterior": {concept: P(Y=1|document)}}`, or with a threshold
 * `{"id", "tags": [concepts], "posterior"}`. Written out by hand, since an object would put names such as "2020" first.
 */
export function predictionLine(
  model: Model,
  id: string | number,
  probabilities: ArrayLike<number>,
  {top = Number.POSITIVE_INFINITY, threshold}: PredictionLineOptions = {}
): string {
  const {concepts} = model
  const name = (i: number) => JSON.stringify(concepts[i].name)
  const order = concepts.map((_, i) => i)
  const byProbability = () => order.toSorted((a, b) => probabilities[b] - probabilities[a])
  const shown = top < order.length ? byProbability().slice(0, top) : order
  const posterior = shown.map(i => `${name(i)}:${probabilities[i]}`).join(',')
  const tags =
    threshold === undefined
      ? ''
      : `"tags":[${byProbability()
          .filter(i => probabilities[i] >= threshold)
          .map(name)
          .join(',')}],`
  return `{"id":${JSON.stringify(id)},${tags}"posterior":{${posterior}}}\n`
}
