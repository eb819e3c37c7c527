import type {Command} from 'commander'
import {type Counts, countsToBytes} from '../../../read/counts/index.ts'
import {type TextOptions, textDefaults} from '../../../read/data/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {protocolMark} from '../../../read/pooling/index.ts'
import {printCountSql, type SqlDatabase, sqlDialects} from '../../../read/sql/index.ts'
import {addInputOptions, countingOptions, flagOf, outputOf, typedOptions, usageError} from '../common-options.ts'
import {addEngineOptions, type EngineOptions} from '../count/open-engine.ts'
import {addReleaseOptions, planRelease, type ReleasePlanOptions, writeRelease} from '../count/release-options.ts'
import {addShardOption, checkShardOption, noteShard, shardsJson} from '../count/shard-option.ts'
import {addCommand} from '../declare.ts'
import type {Output} from '../output.ts'
import {resolveAnchors} from '../read-anchors.ts'
import {describeCounts, type InputOptions, noteSkipped, withDocuments} from '../read-input.ts'

interface CountCommandOptions extends InputOptions, ReleasePlanOptions, EngineOptions {
  readonly output?: string
  readonly printSql?: SqlDatabase
}

export function addCountCommand(program: Command): void {
  const command = addCommand(program, {printSql: Object.keys(sqlDialects)})`
count: count documents once; other commands read the counts
Group documents by anchor pattern (which members of anchors fire) and count words in each group: all that learning needs.
  <docs...>            document files (JSON Lines, CSV, Parquet, ..., also compressed) or -; file patterns with --engine duckdb;
      clickhouse://host:8123/database/table with --engine clickhouse; results of the statements of --print-sql; its table
  -o, --output <file>  the counts file to write
  --protocol <file>    agreement of several sites, from adfa protocol: anchors, words and what may be shared
    --print-sql <database>  print the statements that count a table there, or write them to the file of -o
  --dry-run            show what the tables would disclose, without writing them

Examples:
  adfa count notes.jsonl.gz --anchors anchors.json -o notes.counts
  adfa count questions.jsonl --anchors-from-tags title --top-tags 50 --min-tags 2 --label-share 1 -o q.counts
  adfa count visits.csv --anchors anchors.json --text note --category sex --number age:18,40,65 -o v.counts
  adfa count more.jsonl --like notes.counts -o more.counts   # same words and anchors, so that both can be merged
  adfa count clinic.notes --print-sql snowflake --text '' --anchors anchors.json > count.sql   # where the documents are
  adfa count groups.csv words-*.csv.gz --text '' --anchors anchors.json -o notes.counts   # the results of its statements
  adfa count 'notes-*.parquet' --engine duckdb --memory 2GB --anchors anchors.json -o notes.counts
  adfa count clickhouse://db:8123/clinic/notes --engine clickhouse --anchors anchors.json -o notes.counts
  adfa count notes.jsonl --shard 2/8 --like notes.counts -o notes-2.counts   # part 2 of 8, on any computer
  adfa count notes.jsonl --like agreed.counts --max-order 2 --min-cell 10 --site North -o north.tables   # tables to pool
  adfa count notes.jsonl --protocol protocol.json --site North --dry-run -o north.tables   # what would be disclosed?`
  addEngineOptions(addReleaseOptions(addShardOption(addInputOptions(command)))).action(runCount)
}

async function runCount(paths: string[], options: CountCommandOptions, command: Command): Promise<void> {
  const {output: file, printSql: database, ...others} = options
  if (database !== undefined) {
    const sqlOutput = outputOf({...options, output: file ?? '-'}, command)
    return printSql(paths, {...options, printSql: database}, command, sqlOutput)
  }
  if (file === undefined) return command.error("error: required option '-o, --output <file>' not specified")
  await countDocuments(paths, {...others, output: file}, command)
}

async function countDocuments(
  paths: string[],
  options: CountCommandOptions & {readonly output: string},
  command: Command
): Promise<void> {
  const output = outputOf(options, command, [options.audit])
  const {protocol, release} = await planRelease(options, command)
  checkShardOption(options, command, release !== undefined)
  const mark = protocol && {protocol: protocolMark(protocol)}
  const task = {paths, options: {...options, counting: options}, command, output}
  const counts = await withDocuments(task, async ({counts}) => ({...counts, ...mark}))
  if (release !== undefined) {
    noteSkipped(counts.lexicon, output)
    return writeRelease(counts, release, options, output)
  }
  await writeAtomically(options.output, countsToBytes(counts))
  noteShard(counts, options, output)
  reportCounts(counts, options.output, output)
}

function reportCounts(counts: Counts, file: string, output: Output): void {
  const {anchors, words, skipped} = counts.lexicon
  output.json({
    file,
    documents: counts.documentCount,
    concepts: anchors.length,
    words: words.length,
    patterns: counts.patternCount,
    skippedAnchors: skipped,
    ...shardsJson(counts.shards)
  })
  noteSkipped(counts.lexicon, output)
  output.print(`${describeCounts(counts)}\nwrote ${file}`)
}

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
  ...['format', 'separator', 'worksheet', 'encoding', 'shard', 'workers', 'maxOrder', 'minCell', 'site'],
  ...['audit', 'dryRun', 'engine', 'memory', 'timeLimit', 'id', 'tags', 'tagSeparator']
]

/** Prints the statements that count the documents of a table in its database, or writes them to a file. */
export async function printSql(paths: readonly string[], options: PrintOptions, command: Command, output: Output) {
  const [table, ...others] = paths
  if (table === undefined)
    throw usageError(
      `--print-sql needs the name of a table, as the database knows it: adfa count clinic.notes --print-sql ${options.printSql}`
    )
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
