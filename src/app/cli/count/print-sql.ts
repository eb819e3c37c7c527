import type {Command} from 'commander'
import {type TextOptions, textDefaults} from '../../../read/data/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {printCountSql, type SqlDatabase} from '../../../read/sql/index.ts'
import {countingOptions, flagOf, typedOptions, usageError} from '../common-options.ts'
import type {Output} from '../output.ts'
import {resolveAnchors} from '../read-anchors.ts'
import type {InputOptions} from '../read-input.ts'

interface PrintOptions extends InputOptions {
  readonly output?: string
  readonly printSql: SqlDatabase
}

/** Options that statements cannot follow, or do not need. */
const OTHERS = [
  ...[
    'anchorsFromTags',
    'protocol',
    'bigrams',
    'minTags',
    'ofTop',
    'topTags',
    'labels',
    'labelShare',
    'holdOut',
    'votes'
  ],
  ...[
    'format',
    'separator',
    'worksheet',
    'encoding',
    'shard',
    'workers',
    'distinctWords',
    'maxOrder',
    'minCell',
    'site'
  ],
  ...['audit', 'dryRun', 'engine', 'memory', 'credentials', 'timeLimit', 'id', 'tags', 'tagSeparator']
]

/** Prints the statements that count the documents of a table in its database, or writes them to a file. */
export async function printSql(paths: readonly string[], options: PrintOptions, command: Command, output: Output) {
  const [table, ...others] = paths
  if (others.length > 0) throw usageError('--print-sql takes one table; make a view with UNION ALL over several')
  const useless = typedOptions(command, OTHERS).map(flagOf)
  if (useless.length > 0)
    throw usageError(
      `--print-sql writes statements for the table ${table}, which take no ${useless.join(', ')}; leave it out, and choose documents in a view`
    )
  if (options.anchors === undefined && options.like === undefined)
    throw usageError('no anchors given; use --anchors FILE, or --like FILE')
  const {source} = await resolveAnchors(options)
  if (source.kind !== 'given' && source.kind !== 'lexicon')
    throw usageError('votes are in several columns, which the statements do not read; count the documents in memory')
  const reading: TextOptions = {...textDefaults, ...countingOptions(options)}
  const counted =
    source.kind === 'given'
      ? {anchors: source.anchors, phrases: [], reading}
      : {...source.lexicon, words: source.lexicon.words}
  const statements = printCountSql({...counted, table}, options.printSql)
  await writeAtomically(options.output ?? '-', statements)
  output.json({file: options.output ?? '-', database: options.printSql, concepts: counted.anchors.length})
  if (options.output !== undefined && options.output !== '-') output.print(`wrote ${options.output}`)
}
