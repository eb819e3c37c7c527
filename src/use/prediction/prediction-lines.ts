import {jsonText} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {keyFields, type Row} from '../../read/data/index.ts'
import {recordOf} from '../../read/reading/index.ts'
import {ownNames} from './tagged-table.ts'
import {byProbability, likelyFrom, type TagRule, tagsFrom} from './tags-from.ts'

export interface PredictionLineOptions {
  /** Only this many concepts in `posterior`, the most probable, highest first; by default all, in the model's order. */
  readonly top?: number | undefined
  /** Adds `tags`: the concepts that are tags by this rule, most probable first, whatever `top` is. */
  readonly rule?: TagRule | undefined
  /** Leaves `posterior` out. */
  readonly onlyTags?: boolean | undefined
}

/** Where the id of a prediction line begins. */
export const idPlace = '{"id":'.length

/**
 * Writes lines of `predictions.jsonl`: `{"id", "posterior": {concept: P(Y=1|document)}}`, or with a rule
 * `{"id", "tags": [concepts], "posterior"}`. An id that is undefined leaves its place empty. Written by hand, since an object
 * would put names such as "2020" first.
 */
export function predictionWriter(
  model: Model,
  {top = Number.POSITIVE_INFINITY, rule, onlyTags = false}: PredictionLineOptions = {}
): (id: string | number | undefined, probabilities: ArrayLike<number>, anchored?: readonly number[]) => string {
  const posteriorOf = posteriorWriter(model)
  const isShort = top < model.concepts.length
  return (id, probabilities, anchored = []) => {
    const tags = rule === undefined ? '' : `,"tags":${jsonText(tagsFrom(model, probabilities, anchored, rule))}`
    const shown = isShort ? byProbability(probabilities).slice(0, top) : undefined
    const posterior = onlyTags ? '' : `,"posterior":${posteriorOf(probabilities, shown)}`
    return `{"id":${id === undefined ? '' : jsonText(id)}${tags}${posterior}}\n`
  }
}

/** Writes lines of JSON with all fields of a document, its tags, the second list and probabilities. */
export function taggedWriter(
  model: Model,
  rule: TagRule
): (row: Row, probabilities: ArrayLike<number>, anchored: readonly number[]) => string {
  const {id} = keyFields(model.lexicon.reading)
  const posteriorOf = posteriorWriter(model)
  return (row, probabilities, anchored) => {
    const {columns, values} = recordOf(row)
    const [tags, likely, posterior] = ownNames(['tags', 'likely', 'posterior'], columns).map(name => jsonText(name))
    // The id as read has all its digits.
    const fields = columns.map((name, at) => `${jsonText(name)}:${jsonText(name === id ? row.id : values[at])}`)
    fields.push(`${tags}:${jsonText(tagsFrom(model, probabilities, anchored, rule))}`)
    fields.push(`${likely}:${jsonText(likelyFrom(model, probabilities, anchored, rule))}`)
    return `{${fields.join(',')},${posterior}:${posteriorOf(probabilities)}}\n`
  }
}

/** Writes `{concept: probability}`, of all concepts or of these. */
function posteriorWriter({concepts}: Model) {
  const names = concepts.map(({name}) => `${jsonText(name)}:`)
  const all = concepts.map((_, i) => i)
  return (probabilities: ArrayLike<number>, shown: readonly number[] = all) => {
    let text = '{'
    for (let at = 0; at < shown.length; at++) {
      const i = shown[at]
      text += `${at === 0 ? '' : ','}${names[i]}${probabilities[i]}`
    }
    return `${text}}`
  }
}
