import type {Command} from 'commander'
import {nameList} from '../../../base/text/index.ts'
import {type Counts, countsToBytes} from '../../../read/counts/index.ts'
import {
  countingDefaults,
  countWith,
  type DocumentGroups,
  groupsEngine,
  readGroups
} from '../../../read/engines/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {
  addCommonOptions,
  type CommonOptions,
  outputOf,
  positiveNumber,
  refuseReadingOptions,
  share,
  usageError
} from '../common-options.ts'
import {addCommand, required} from '../declare.ts'
import type {Output} from '../output.ts'
import {resolveAnchors} from '../read-anchors.ts'
import {reportCounts} from './count.ts'

type ImportOptions = CommonOptions & {
  readonly output: string
  readonly anchors?: string
  readonly like?: string
  readonly vocabulary: number
  readonly maxShare: number
  readonly skipBadAnchors?: true
}

export function addImportCountsCommand(program: Command): void {
  const {vocabulary, maxShare} = countingDefaults
  const command = addCommand(program, {
    output: required,
    vocabulary: {read: positiveNumber, preset: vocabulary},
    maxShare: {read: share, preset: maxShare}
  })`
import-counts: make counts from two GROUP BY queries of any database
Make counts from two tables that any database can compute: the number of documents with each set of anchor features (columns mask, documents), and the
number of these with each word (mask, word, documents).
  <groups...>          the tables, in any number of files and any order: CSV, TSV, JSON Lines or Parquet
  -o, --output <file>  counts file to write
  --anchors <file>     JSON file with the anchor of each concept; the vocabulary is chosen from the words in the tables
  --like <file>        reuse the anchors and vocabulary of this counts or model file
  --vocabulary <n>     with --anchors: most frequent words to keep
  --max-share <share>  with --anchors: drop words that occur in more than this share of documents
  --skip-bad-anchors   leave out anchors that cannot work, and report them, instead of stopping

Example:
  adfa import-counts groups.csv words-*.csv.gz --anchors anchors.json -o all.counts
Queries for Spark, BigQuery and Snowflake: docs/SCALE.md.`
  addCommonOptions(command).action(async (paths: string[], options: ImportOptions, command: Command) => {
    const output = outputOf(options, command)
    const counts = await importCounts(paths, options, command, output)
    await writeAtomically(options.output, countsToBytes(counts))
    reportCounts(counts, options.output, output)
  })
}

async function importCounts(
  paths: readonly string[],
  options: ImportOptions,
  command: Command,
  output: Output
): Promise<Counts> {
  const {anchors, like, vocabulary, maxShare, seed} = options
  if ((anchors === undefined) === (like === undefined))
    throw usageError(
      `${anchors === undefined ? 'no anchors given' : 'anchors given in two ways'}; use exactly one of --anchors FILE and --like FILE`
    )
  const resolved = await resolveAnchors(options)
  if (resolved.source.kind === 'lexicon') refuseReadingOptions(command, [], '--like settles which words are counted')
  const groups = await readGroups(paths)
  const counts = await countWith(groupsEngine(groups), resolved.source, {
    fields: [],
    vocabulary,
    maxShare,
    skipBadAnchors: options.skipBadAnchors === true,
    seed: resolved.like?.seed ?? seed
  })
  noteLike(counts, resolved.like?.labelShare ?? 0, output)
  noteAbsent(counts, groups, output)
  return counts
}

/** Notes properties of --like that grouped tables cannot provide. */
function noteLike(counts: Counts, labelShare: number, output: Output): void {
  const {filter} = counts.lexicon
  if (labelShare > 0) output.note('groups hold no labels: these counts have none, unlike those of --like')
  if (filter !== undefined)
    output.note(
      `the counts of --like are of documents with at least ${filter.minTags} of ${filter.tags.length} tags; ` +
        'the queries must leave the others out as well'
    )
}

/** Notes anchors and words that occur in no group, which may be due to a faulty query. */
function noteAbsent({lexicon}: Counts, {groups, words}: DocumentGroups, output: Output): void {
  const note = (names: readonly string[], of: number, what: string, question: string) => {
    if (names.length === 0) return
    output.note(`${names.length} of ${of} ${what} in no group: ${nameList(names, 3)}; ${question}`)
  }
  const masked = new Set(groups.flatMap(({mask}) => mask))
  const named = [...new Set(lexicon.anchors.flatMap(({any}) => any))].filter(
    name => !/^([^/:]+:)?\/.+\/[a-z]*$/s.test(name)
  )
  note(
    named.filter(name => !masked.has(name)),
    named.length,
    'features of anchors occur',
    'does the first query look for all of them?'
  )
  const known = new Set(words)
  note(
    lexicon.words.filter(word => !known.has(word)),
    lexicon.words.length,
    'words of the vocabulary occur',
    'does the second query keep all of them?'
  )
}
