import {listed} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {DocumentSource, TableFormat} from '../../read/files/index.ts'
import {ColumnSurvey, recordOf} from '../../read/reading/index.ts'
import {type TaggedOptions, type TaggedTable, taggedTable} from '../../use/prediction/index.ts'
import type {Output} from './output.ts'
import type {DocumentColumns} from './predict-blocks.ts'
import {progressOf} from './read-input.ts'

interface FileOptions extends TaggedOptions {
  readonly format: TableFormat
}

/** Looks at the documents for their columns, which a table needs first. */
export async function openTaggedTable(
  model: Model,
  source: DocumentSource,
  options: FileOptions,
  output: Output
): Promise<{readonly table: TaggedTable; readonly found: DocumentColumns}> {
  const survey = await surveyColumns(source, options, output)
  const table = taggedTable(model, survey, options)
  const changed = table.renamed.map(name => `"${name}"`)
  if (changed.length > 0)
    output.note(`the documents have columns of the same name, so those added are called ${listed(changed)}`)
  return {table, found: {columns: survey.columns(), dialect: survey.dialect}}
}

async function surveyColumns(
  source: DocumentSource,
  {format, onlyTags}: FileOptions,
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
