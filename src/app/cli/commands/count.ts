import {basename} from 'node:path'
import {type Command, InvalidArgumentError} from 'commander'
import {counted, printableLine} from '../../../base/text/index.ts'
import {countsToBytes, missingShards, mostShards} from '../../../read/counts/index.ts'
import {type TextOptions, textDefaults} from '../../../read/data/index.ts'
import {type DocumentShard, writeAtomically} from '../../../read/files/index.ts'
import {type Protocol, protocolMark, protocolToText} from '../../../read/pooling/index.ts'
import {printCountSql, type SqlDatabase, sqlDialects} from '../../../read/sql/index.ts'
import {flagOf} from '../../project/index.ts'
import {
  countingOptions,
  inputOptions,
  missingOutput,
  outputOf,
  refuseReadingOptions,
  typedOptions,
  usageError
} from '../common-options.ts'
import {type EngineOptions, engineOptions} from '../count/open-engine.ts'
import {type ReleaseOptionValues, releaseAsked, releaseOptions, writeRelease} from '../count/release-options.ts'
import {addCommand} from '../declare.ts'
import {readProtocol, resolveAnchors} from '../read-anchors.ts'
import {describeCounts, type InputOptions, noteSkipped, withDocuments} from '../read-input.ts'

interface CountCommandOptions extends InputOptions, ReleaseOptionValues, EngineOptions {
  readonly output?: string
  readonly printSql?: SqlDatabase
}

export function addCountCommand(program: Command): void {
  addCommand(program, {printSql: Object.keys(sqlDialects), shard: parseShard}, [
    ...inputOptions,
    ...releaseOptions,
    ...engineOptions
  ])`
count: count documents once; other commands read the counts
Group documents by anchor pattern (which members of anchors fire) and count words in each group: all that learning needs.
  <docs...>            document files (JSON Lines, CSV, Parquet, ..., also compressed) or -; file patterns with --engine duckdb;
      clickhouse://host:8123/database/table with --engine clickhouse; results of the statements of --print-sql; its table
  -o, --output <file>  the counts file to write
  --protocol <file>    agreement of several sites: anchors, words and what may be shared; without -o, it is written from these documents
    --print-sql <database>  print the statements that count a table there, or write them to the file of -o
    --shard <k/n>      count only part k of n of the documents, to be added up by adfa merge; needs --like or --protocol
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
  adfa count sample.jsonl --anchors anchors.json --max-order 2 --min-cell 10 --protocol protocol.json   # for all sites
  adfa count notes.jsonl --protocol protocol.json --site North --dry-run -o north.tables   # what would be disclosed?`.action(
    runCount
  )
}

async function runCount(paths: string[], options: CountCommandOptions, command: Command): Promise<void> {
  const {output: file, printSql: database, audit, shard} = options
  if (database !== undefined) return printSql(paths, {...options, printSql: database}, command)
  if (file === undefined) return options.protocol ? writeProtocol(paths, options, command) : missingOutput(command)
  const output = outputOf(options, command, [audit])
  const protocol = options.protocol === undefined ? undefined : await readProtocol(options.protocol)
  if (protocol !== undefined) refuseContradictions(command, protocol)
  const release = releaseAsked(options, protocol?.release)
  if (shard !== undefined) checkShard(options, release !== undefined)
  const task = {paths, options: {...options, counting: options}, command, output}
  const mark = protocol && {protocol: protocolMark(protocol)}
  const counts = await withDocuments(task, async ({counts}) => ({...counts, ...mark}))
  const {lexicon, documentCount, patternCount, shards} = counts
  noteSkipped(lexicon, output)
  if (release !== undefined) return writeRelease(counts, release, {...options, output: file}, output)
  await writeAtomically(file, countsToBytes(counts))
  if (shard !== undefined && shard.of > 1)
    output.note(`this is shard ${shard.shard} of ${shard.of}; adfa merge adds up all shards`)
  if (shard !== undefined && documentCount === 0)
    output.note(`shard ${shard.shard} of ${shard.of} holds no document; that is fine, merge it like the others`)
  output.json({
    file,
    documents: documentCount,
    concepts: lexicon.anchors.length,
    words: lexicon.words.length,
    patterns: patternCount,
    skippedAnchors: lexicon.skipped,
    ...(shards && {shards: {...shards, missing: missingShards(shards)}})
  })
  output.print(`${describeCounts(counts)}\nwrote ${file}`)
}

/** Writes the protocol that several sites count by: anchors and words, and nothing else learned from these documents. */
async function writeProtocol(paths: readonly string[], options: CountCommandOptions, command: Command): Promise<void> {
  const {protocol: file = '', labels: _, ...reading} = options
  const forSites = typedOptions(command, ['labels', 'shard', 'site', 'audit', 'dryRun']).map(flagOf)
  if (forSites.length > 0)
    throw usageError(
      `${forSites.join(', ')} is for counting, and without -o a protocol is written; name a file with -o`
    )
  const output = outputOf({...options, output: file}, command)
  const release = releaseAsked(options)
  const task = {paths, options: {...reading, counting: options}, command, output}
  const {lexicon, labelShare, seed} = await withDocuments(task, async ({counts}) => counts)
  noteSkipped(lexicon, output)
  const protocol: Protocol = {name: basename(file).replace(/\.json$/, ''), lexicon, labelShare, seed, release}
  await writeAtomically(file, protocolToText(protocol))
  const {name, fingerprint} = protocolMark(protocol)
  const [concepts, words] = [lexicon.anchors.length, lexicon.words.length]
  output.json({file, name, fingerprint, concepts, words, ...release})
  output.note(`its ${counted(words, 'word')} come from documents and go to every site; check them first`)
  const small = release && release.minCell > 1 ? `cells below ${release.minCell} withheld` : 'no cell withheld'
  const tables = release && `tables of at most ${release.maxOrder} anchors and words, ${small}`
  output.print(
    [
      `protocol "${printableLine(name)}", fingerprint ${fingerprint}`,
      `${counted(concepts, 'concept')}, ${counted(words, 'word')}; ${tables ?? 'whole counts'}`,
      `wrote ${file}; every site counts with: adfa count DOCS --protocol ${file} ${release ? '--site NAME -o NAME.tables' : '-o NAME.counts'}`
    ].join('\n')
  )
}

function parseShard(text: string): DocumentShard {
  const [, k, n] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const [shard, of] = [Number(k), Number(n)]
  if (!(shard >= 1 && shard <= of && of <= mostShards))
    throw new InvalidArgumentError('It must be a part and their number, from 1/n to n/n: 2/8 is the second of eight.')
  return {shard, of}
}

/** Refuses a shard that would not add up with the others; `hasTables`: tables to share are requested instead of counts. */
function checkShard({like, protocol}: InputOptions, hasTables: boolean): void {
  const why = '--shard makes one part of a larger count'
  if (like === undefined && protocol === undefined)
    throw usageError(
      `${why}, and all parts need the same words and anchors; otherwise each would learn its own words; ` +
        'give --like FILE (counts of a sample, made with adfa count, or a model) or --protocol FILE'
    )
  if (hasTables)
    throw usageError(
      `${why}, and tables to share are made from all documents; count whole shards, and give --max-order to adfa merge`
    )
}

/** Refuses options on the command line that the protocol settles; a site may only withhold more than agreed. */
function refuseContradictions(command: Command, {name, labelShare, release}: Protocol): void {
  const settled = ['anchors', 'anchorsFromTags', 'like', 'skipBadAnchors', 'labelShare', 'seed', 'maxOrder']
  const ofTables = release === undefined ? ['minCell', 'site'] : []
  const ofLabels = labelShare === 1 ? [] : ['labels']
  refuseReadingOptions(command, [...settled, ...ofTables, ...ofLabels], `the protocol "${name}" settles it`)
  const {minCell} = command.opts<CountCommandOptions>()
  if (release !== undefined && minCell !== undefined && minCell < release.minCell)
    throw usageError(
      `--min-cell: the protocol "${name}" withholds cells below ${release.minCell}; a site may withhold more, not less`
    )
}

/** Options that statements follow. */
const FOLLOWED = [
  ...['anchors', 'like', 'text', 'category', 'number', 'list', 'vocabulary', 'maxShare', 'keepCase', 'negation'],
  ...['negationScope', 'skipBadAnchors', 'output', 'printSql', 'project', 'json', 'quiet', 'seed']
]

/** Prints the statements that count the documents of a table in its database, or writes them to a file. */
async function printSql(
  paths: readonly string[],
  options: InputOptions & {readonly output?: string; readonly printSql: SqlDatabase},
  command: Command
): Promise<void> {
  const {output: file = '-', printSql: database} = options
  const output = outputOf({...options, output: file}, command)
  const [table, ...others] = paths
  if (table === undefined)
    throw usageError(
      `--print-sql needs the name of a table, as the database knows it: adfa count clinic.notes --print-sql ${database}`
    )
  if (others.length > 0) throw usageError('--print-sql takes one table; make a view with UNION ALL over several')
  const names = command.options.map(option => option.attributeName()).filter(name => !FOLLOWED.includes(name))
  const useless = typedOptions(command, names).map(flagOf)
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
  const counted = source.kind === 'given' ? {anchors: source.anchors, phrases: [], reading} : source.lexicon
  await writeAtomically(file, printCountSql({...counted, table}, database))
  output.json({file, database, concepts: counted.anchors.length})
  if (file !== '-') output.print(`wrote ${file}`)
}
