import type {Command} from 'commander'
import {tableFormatOf, writeAtomically} from '../../read/files/index.ts'
import {ruleFacts, type ScoringDatabase, scoreSql} from '../../use/prediction/index.ts'
import {flagOf, readModel, typedOptions, usageError} from './common-options.ts'
import type {Output} from './output.ts'
import {readRule, type ThresholdOptions} from './predict-threshold.ts'

/** Options that a query cannot follow, or does not need. */
const OTHERS = ['top', 'onlyTags', 'hideAnchors', 'known', 'words', 'method', 'format', 'separator']

export async function writeSql(
  modelPath: string,
  paths: readonly string[],
  command: Command,
  output: Output
): Promise<void> {
  const options = command.opts<ThresholdOptions & {readonly output: string; readonly sql: ScoringDatabase}>()
  const {output: file, sql: database} = options
  const given = [...(paths.length > 0 ? ['documents'] : []), ...typedOptions(command, OTHERS).map(flagOf)]
  if (given.length > 0)
    throw usageError(`--sql writes a query for the table "documents", which takes no ${given.join(', ')}; leave it out`)
  if (tableFormatOf(file) !== undefined)
    throw usageError('--sql writes a query, not a table; give -o a name that ends in .sql')
  const model = await readModel(modelPath)
  const rule = readRule(model, options.threshold, options)
  await writeAtomically(file, scoreSql(model, database, rule))
  output.json({file, database, concepts: model.concepts.length, ...ruleFacts(rule)})
  if (file !== '-') output.print(`wrote ${file}`)
}
