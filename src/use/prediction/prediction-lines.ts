import {type ByteText, jsonText} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {keyFields, type Row} from '../../read/data/index.ts'
import {recordOf} from '../../read/reading/index.ts'
import {ownNames} from './tagged-table.ts'
import {byProbability, tagsFrom} from './tags-from.ts'

export interface PredictionLineOptions {
  /** Only this many concepts in `posterior`, the most probable, highest first; by default all, in the model's order. */
  readonly top?: number | undefined
  /** Adds `tags`: the concepts with at least this probability, most probable first, whatever `top` is. */
  readonly threshold?: number | undefined
  /** Leaves `posterior` out. */
  readonly onlyTags?: boolean | undefined
}

/** Where the id of a prediction line begins. */
export const idPlace = '{"id":'.length

/**
 * Writes lines of `predictions.jsonl`: `{"id", "posterior": {concept: P(Y=1|document)}}`, or with a threshold
 * `{"id", "tags": [concepts], "posterior"}`. An id that is undefined leaves its place empty. Written by hand, since an object
 * would put names such as "2020" first.
 */
export function predictionWriter(
  model: Model,
  {top = Number.POSITIVE_INFINITY, threshold, onlyTags = false}: PredictionLineOptions = {}
): (out: ByteText, id: string | number | undefined, probabilities: ArrayLike<number>) => void {
  const writePosterior = posteriorWriter(model)
  const isShort = top < model.concepts.length
  return (out, id, probabilities) => {
    out.text('{"id":')
    if (id !== undefined) out.text(jsonText(id))
    if (threshold !== undefined) out.text(`,"tags":${jsonText(tagsFrom(model, probabilities, threshold))}`)
    if (!onlyTags) {
      out.text(',"posterior":')
      writePosterior(out, probabilities, isShort ? byProbability(probabilities).slice(0, top) : undefined)
    }
    out.text('}\n')
  }
}

/** Writes lines of JSON with all fields of a document, its tags and probabilities. */
export function taggedWriter(
  model: Model,
  threshold: number
): (out: ByteText, row: Row, probabilities: ArrayLike<number>) => void {
  const {id} = keyFields(model.lexicon.text)
  const writePosterior = posteriorWriter(model)
  return (out, row, probabilities) => {
    const {columns, values} = recordOf(row)
    const [tags, posterior] = ownNames(['tags', 'posterior'], columns).map(name => jsonText(name))
    // The id as read has all its digits.
    const fields = columns.map((name, at) => `${jsonText(name)}:${jsonText(name === id ? row.id : values[at])}`)
    fields.push(`${tags}:${jsonText(tagsFrom(model, probabilities, threshold))}`)
    out.text(`{${fields.join(',')},${posterior}:`)
    writePosterior(out, probabilities)
    out.text('}\n')
  }
}

/** Writes `{concept: probability}`, of all concepts or of these. */
function posteriorWriter({concepts}: Model) {
  const encoder = new TextEncoder()
  const names = concepts.map(({name}) => encoder.encode(`,${jsonText(name)}:`))
  const firstNames = names.map(name => name.subarray(1))
  const all = concepts.map((_, i) => i)
  return (out: ByteText, probabilities: ArrayLike<number>, shown: readonly number[] = all) => {
    out.text('{')
    for (let at = 0; at < shown.length; at++) {
      const i = shown[at]
      out.bytes(at === 0 ? firstNames[i] : names[i])
      out.number(probabilities[i])
    }
    out.text('}')
  }
}
