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
import {likelyFrom, measuredConcepts, type TagRule, tagsFrom} from './tags-from.ts'

/** Decimals of a probability in a file for people; JSON Lines and Parquet have all. */
const DECIMALS = 3
/** Characters of a row of a spreadsheet: a text of the documents, and the tags. */
const TEXT_WIDTH = 80
const TAGS_WIDTH = 30

/** A table of predictions: the columns of the documents, `tags`, `likely` and a column per concept, called a score if not measured. `tableLines` writes it as CSV. */
export interface TaggedTable extends TableLayout {
  /** Added columns that the documents have already, under the names that they get instead. */
  readonly renamed: readonly string[]
  /** `number` is the id of a row without one. */
  cells(row: Row, number: number | '', probabilities: ArrayLike<number>, anchored: readonly number[]): Cell[]
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
    cells(row, number, probabilities, anchored) {
      const chosen = [tagsFrom, ...(hasLikely ? [likelyFrom] : [])]
      const found = chosen.map(list => listCell(list(model, probabilities, anchored, rule), separator))
      const given = onlyTags ? [String(row.id ?? number)] : read(recordOf(row))
      return [...given, ...found, ...(onlyTags ? [] : Array.from(probabilities))]
    }
  }
}

function isText({name, kind}: TableColumn, {lexicon}: Model): boolean {
  return kind === 'text' && lexicon.reading.text.some(field => field.toLowerCase() === name.trim().toLowerCase())
}

/** The names of added columns: as they are, or with "(adfa)" where the documents have a column of that name in any case. */
export function ownNames(names: readonly string[], columns: readonly string[]): string[] {
  const taken = new Set(columns.map(name => name.toLowerCase()))
  return names.map(name => {
    const isFree = (candidate: string) => !taken.has(candidate.toLowerCase())
    let free = isFree(name) ? name : `${name} (adfa)`
    for (let count = 2; !isFree(free); count++) free = `${name} (adfa ${count})`
    taken.add(free.toLowerCase())
    return free
  })
}
