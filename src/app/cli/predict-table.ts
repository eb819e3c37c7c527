import {jsonText, listed} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {keyFields, type Row} from '../../read/data/index.ts'
import type {DocumentSource, TableFormat} from '../../read/files/index.ts'
import {
  type Cell,
  ColumnSurvey,
  cellReader,
  listCell,
  recordOf,
  type TableColumn,
  type TableLayout
} from '../../read/reading/index.ts'
import {tagsFrom} from '../../use/prediction/index.ts'
import type {Output} from './output.ts'
import {progressOf} from './read-input.ts'

/** Decimals of a probability in a file for people; JSON Lines and Parquet have all. */
const DECIMALS = 3
/** Characters of a row of a spreadsheet: a text of the documents, and the tags. */
const TEXT_WIDTH = 80
const TAGS_WIDTH = 30

/** A table of predictions: the columns of the documents, `tags`, and a column per concept. */
export interface TaggedTable extends TableLayout {
  cells(row: Row, number: number, probabilities: ArrayLike<number>): Cell[]
}

export interface TaggedOptions {
  readonly format: TableFormat
  /** The probability from which a concept is a tag. */
  readonly threshold: number
  /** Separates tags, and the items of other lists. */
  readonly separator: string
  readonly onlyTags?: true | undefined
}

/** Looks at the documents for their columns, which a table needs first. */
export async function taggedTable(
  model: Model,
  source: DocumentSource,
  options: TaggedOptions,
  output: Output
): Promise<TaggedTable> {
  const {threshold, separator, onlyTags} = options
  const survey = await surveyColumns(source, options, output)
  const columns: readonly TableColumn[] = onlyTags
    ? [{name: 'id', kind: 'text'}]
    : survey.columns().map(column => (isText(column, model) ? {...column, width: TEXT_WIDTH} : column))
  const own = onlyTags ? ['tags'] : ['tags', ...model.concepts.map(({name}) => name)]
  const names = ownNames(
    own,
    columns.map(({name}) => name)
  )
  const changed = names.filter((name, at) => name !== own[at]).map(name => `"${name}"`)
  if (changed.length > 0)
    output.note(`the documents have columns of the same name, so those added are called ${listed(changed)}`)
  const read = cellReader(columns, separator)
  return {
    columns: [
      ...columns,
      ...names.map(
        (name, at): TableColumn =>
          at === 0 ? {name, kind: 'text', width: TAGS_WIDTH} : {name, kind: 'number', decimals: DECIMALS}
      )
    ],
    dialect: survey.dialect,
    cells(row, number, probabilities) {
      const tags = tagsFrom(model, probabilities, threshold)
      const given = onlyTags ? [String(row.id ?? number)] : read(recordOf(row))
      return [...given, listCell(tags, separator), ...(onlyTags ? [] : Array.from(probabilities))]
    }
  }
}

/** A line of JSON: all fields of the document, its tags and probabilities. */
export function taggedLine(model: Model, row: Row, probabilities: ArrayLike<number>, threshold: number): string {
  const {columns, values} = recordOf(row)
  const {id} = keyFields(model.lexicon.text)
  // The id as read has all its digits.
  const fields = columns.map((name, at) => `${jsonText(name)}:${jsonText(name === id ? row.id : values[at])}`)
  const [tags, posterior] = ownNames(['tags', 'posterior'], columns).map(name => jsonText(name))
  const shares = model.concepts.map(({name}, i) => `${jsonText(name)}:${probabilities[i]}`)
  fields.push(`${tags}:${jsonText(tagsFrom(model, probabilities, threshold))}`, `${posterior}:{${shares.join(',')}}`)
  return `{${fields.join(',')}}\n`
}

function isText({name, kind}: TableColumn, {lexicon}: Model): boolean {
  return kind === 'text' && lexicon.text.fields.some(field => field.toLowerCase() === name.trim().toLowerCase())
}

async function surveyColumns(
  source: DocumentSource,
  {format, onlyTags}: TaggedOptions,
  output: Output
): Promise<ColumnSurvey> {
  const survey = new ColumnSurvey()
  const onProgress = progressOf(source, output)
  // Text has no types, and every record of a table the same columns.
  const needsTypes = (format === 'xlsx' || format === 'parquet') && !onlyTags
  let count = 0
  for await (const batch of source.batches()) {
    for (const row of batch) survey.add(recordOf(row))
    if (survey.dialect !== undefined && source.names.length === 1 && !needsTypes) break
    if (onlyTags) break
    count += batch.length
    onProgress('reading the columns', count)
  }
  return survey
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
