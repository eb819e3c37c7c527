import type {Command} from 'commander'
import {counted} from '../../../base/text/index.ts'
import {type Counts, countsFileParts} from '../../../read/counts/index.ts'
import type {Lexicon} from '../../../read/data/index.ts'
import {withAtomicWriter} from '../../../read/files/index.ts'
import {protocolMark} from '../../../read/pooling/index.ts'
import {type SqlDatabase, sqlDialects} from '../../../read/sql/index.ts'
import {addInputOptions, outputOf} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import type {Output} from '../output.ts'
import {type InputOptions, withDocuments} from '../read-input.ts'
import {addEngineOptions, type EngineOptions} from './open-engine.ts'
import {printSql} from './print-sql.ts'
import {addReleaseOptions, planRelease, type ReleasePlanOptions, writeRelease} from './release-options.ts'

import {addShardOption, checkShardOption, noteShard, shardsJson} from './shard-option.ts'

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
  await writeCounts(options.output, counts)
  noteShard(counts, options, output)
  reportCounts(counts, options.output, output)
}

/** Write a counts file piece by piece. */
export async function writeCounts(file: string, counts: Counts): Promise<void> {
  await withAtomicWriter(file, async writer => {
    for (const part of countsFileParts(counts)) await writer.write(part)
  })
}

export function noteSkipped({anchors, skipped}: Lexicon, output: Output): void {
  for (const {concept, reason} of skipped) {
    const isKept = anchors.some(anchor => anchor.concept === concept)
    output.note(`${isKept ? 'kept with fewer members' : 'left out'}: concept "${concept}": ${reason}`)
  }
}

export function reportCounts(counts: Counts, file: string, output: Output): void {
  const {anchors, words, skipped, vocabularyError} = counts.lexicon
  output.json({
    file,
    documents: counts.documentCount,
    concepts: anchors.length,
    words: words.length,
    patterns: counts.patternCount,
    skippedAnchors: skipped,
    ...(vocabularyError !== undefined && {vocabularyError}),
    ...shardsJson(counts.shards)
  })
  noteSkipped(counts.lexicon, output)
  output.print(`${describeCounts(counts)}\nwrote ${file}`)
}

export function describeCounts({documentCount, patternCount, lexicon}: Counts): string {
  return [
    counted(documentCount, 'document'),
    counted(lexicon.anchors.length, 'concept'),
    counted(lexicon.words.length, 'word'),
    counted(patternCount, 'anchor pattern')
  ].join(', ')
}
