import {jsonText} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Row} from '../../read/data/index.ts'
import {
  type Cell,
  type ColumnSurvey,
  cellReader,
  listCell,
  recordOf,
  type TableColumn,
  type TableLayout
} from '../../read/reading/index.ts'
import {byProbability, likelyFrom, measuredConcepts, type TagRule, tagsFrom} from './tags-from.ts'

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
  const {id} = model.lexicon.reading
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

/** Decimals of a probability in a file for people; JSON Lines and Parquet have all. */
const DECIMALS = 3
/** Characters of a row of a spreadsheet: a text of the documents, and the tags. */
const TEXT_WIDTH = 80
const TAGS_WIDTH = 30

/** A table of predictions: the columns of the documents, `tags`, `likely` and a column per concept, called a score if not measured. `tableLines` writes it as CSV. */
export interface TaggedTable extends TableLayout {
  /** Added columns that the documents have already, under the names that they get instead. */
  readonly renamed: readonly string[]
  cells(row: Row, probabilities: ArrayLike<number>, anchored: readonly number[]): Cell[]
}

export interface TaggedOptions {
  readonly rule: TagRule
  /** Separates tags, and the items of other lists. */
  readonly separator: string
  readonly onlyTags?: boolean | undefined
}

/** The table for documents with these columns, read with `keepsRecords`. */
export function taggedTable(
  model: Model,
  survey: Pick<ColumnSurvey, 'columns' | 'dialect'>,
  {rule, separator, onlyTags}: TaggedOptions
): TaggedTable {
  const columns: readonly TableColumn[] = onlyTags
    ? [{name: 'id', kind: 'text'}]
    : survey.columns().map(column => (isText(column, model) ? {...column, width: TEXT_WIDTH} : column))
  const measured = measuredConcepts(model)
  // Without labels a probability only ranks documents.
  const scores = model.concepts.map(({name}, i) => (measured[i] ? name : `${name} (score)`))
  const hasLikely = !onlyTags && rule.likely.some(Number.isFinite)
  const lists = hasLikely ? ['tags', 'likely'] : ['tags']
  const own = onlyTags ? lists : [...lists, ...scores]
  const names = ownNames(
    own,
    columns.map(({name}) => name)
  )
  const read = cellReader(columns, separator)
  return {
    columns: [
      ...columns,
      ...names.map(
        (name, at): TableColumn =>
          at < lists.length ? {name, kind: 'text', width: TAGS_WIDTH} : {name, kind: 'number', decimals: DECIMALS}
      )
    ],
    dialect: survey.dialect,
    renamed: names.filter((name, at) => name !== own[at]),
    cells(row, probabilities, anchored) {
      const chosen = [tagsFrom, ...(hasLikely ? [likelyFrom] : [])]
      const found = chosen.map(list => listCell(list(model, probabilities, anchored, rule), separator))
      const given = onlyTags ? [String(row.id ?? '')] : read(recordOf(row))
      return [...given, ...found, ...(onlyTags ? [] : Array.from(probabilities))]
    }
  }
}

function isText({name, kind}: TableColumn, {lexicon}: Model): boolean {
  return kind === 'text' && lexicon.reading.text.some(field => field.toLowerCase() === name.trim().toLowerCase())
}

/** The names of added columns: as they are, or with "(adfa)" where the documents have a column of that name in any case. */
function ownNames(names: readonly string[], columns: readonly string[]): string[] {
  const taken = new Set(columns.map(name => name.toLowerCase()))
  return names.map(name => {
    const isFree = (candidate: string) => !taken.has(candidate.toLowerCase())
    let free = isFree(name) ? name : `${name} (adfa)`
    for (let count = 2; !isFree(free); count++) free = `${name} (adfa ${count})`
    taken.add(free.toLowerCase())
    return free
  })
}
