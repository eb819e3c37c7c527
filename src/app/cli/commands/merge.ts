import {createHash} from 'node:crypto'
import {existsSync, realpathSync} from 'node:fs'
import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import {counted, printableLine} from '../../../base/text/index.ts'
import {
  type Counts,
  countsFromBytes,
  countsToBytes,
  describeShards,
  mergeCounts,
  missingShards,
  shardList
} from '../../../read/counts/index.ts'
import {readBinaryFile, writeAtomically} from '../../../read/files/index.ts'
import {
  isReleaseFile,
  poolReleases,
  type Release,
  releaseFromBytes,
  releaseToBytes
} from '../../../read/pooling/index.ts'
import {textTable} from '../../present/index.ts'
import {flagOf} from '../../project/index.ts'
import {type CommonOptions, commonOptions, outputOf, typedOptions, usageError} from '../common-options.ts'
import {
  describeRelease,
  type ReleaseOptionValues,
  releaseAsked,
  releaseJson,
  releaseOptions,
  writeRelease
} from '../count/release-options.ts'
import {addCommand, required} from '../declare.ts'
import type {Output} from '../output.ts'
import {describeCounts} from '../read-input.ts'

interface MergeOptions extends CommonOptions, ReleaseOptionValues {
  readonly output: string
}

export function addMergeCommand(program: Command): void {
  addCommand(program, {output: required}, [...releaseOptions, ...commonOptions])`
merge: add up counts of several files, shards or sites
Add up counts. The result is identical, byte for byte, to counting all documents together.
  <counts...>          counts files made with the same anchors, vocabulary and options
  -o, --output <file>  the counts file to write

Examples:
  adfa merge january.counts february.counts -o both.counts
  adfa merge shard-*.counts -o all.counts   # from adfa count --shard; reports missing ones
  adfa merge north.tables south.tables -o both.tables   # tables of two sites, from adfa count --max-order
  adfa merge january.counts february.counts --max-order 2 --min-cell 10 --site North -o north.tables`.action(
    async (paths: string[], options: MergeOptions, command: Command) => {
      const output = outputOf(options, command)
      refuseTwice(paths)
      const {counts, tables} = await readParts(paths, output)
      if (tables.length === 0) {
        const asked = releaseAsked(options)
        if (asked === undefined) return mergeFiles(counts, options.output, output)
        return writeRelease(mergeCounts(...columnsOf(counts)), asked, options, output)
      }
      if (counts.length > 0)
        throw new AdfaError(
          'mismatch',
          `${tables[0].file} holds released tables and ${counts[0].file} whole counts, which do not add up; give one kind, or make tables of the counts with --max-order`
        )
      const [given] = typedOptions(command, ['maxOrder', 'minCell', 'site', 'audit'])
      if (given !== undefined)
        throw usageError(`${flagOf(given)} cannot change tables that were released already; leave it out`)
      await mergeTables(tables, options.output, output)
    }
  )
}

/** What a file holds. */
interface Part<T> {
  readonly file: string
  readonly content: T
}

function columnsOf<T>(parts: readonly Part<T>[]): [contents: T[], names: string[]] {
  return [parts.map(({content}) => content), parts.map(({file}) => file)]
}

async function mergeFiles(parts: readonly Part<Counts>[], file: string, output: Output): Promise<void> {
  const merged = mergeCounts(...columnsOf(parts))
  await writeAtomically(file, countsToBytes(merged))
  const {documentCount: documents, patternCount: patterns, shards} = merged
  const added = parts.map(({file, content}) => ({
    file,
    documents: content.documentCount,
    ...(content.shards && {shards: content.shards.done})
  }))
  const partial = shards && {shards: {...shards, missing: missingShards(shards)}}
  output.json({file, documents, patterns, isComplete: shards === undefined, ...partial, added})
  const rows = parts.map(({file, content: {documentCount, shards}}) => [
    ...[`added ${file}`, counted(documentCount, 'document')],
    shards === undefined ? '' : describeShards(shards)
  ])
  output.aside(textTable(rows))
  output.print(`${describeCounts(merged)}\nwrote ${file}${partialText(merged, file)}`)
}

/** The missing shards and the command to count the first one; empty for complete counts. */
function partialText({shards, protocol}: Counts, file: string): string {
  if (shards === undefined) return ''
  const missing = missingShards(shards)
  const words = protocol === undefined ? `--like ${file}` : '--protocol PROTOCOL'
  return [
    `\npartial: ${describeShards(shards)}; missing ${shardList(missing)}`,
    `count ${missing.length === 1 ? 'it' : 'each of them'} from the same files in the same order, then merge:`,
    `  adfa count DOCS --shard ${missing[0]}/${shards.of} ${words} -o shard-${missing[0]}.counts`
  ].join('\n')
}

/** Adds up the tables of several sites. */
async function mergeTables(parts: readonly Part<Release>[], file: string, output: Output): Promise<void> {
  const pooled = poolReleases(...columnsOf(parts))
  await writeAtomically(file, releaseToBytes(pooled))
  output.json({file, ...releaseJson(pooled)})
  const cells = (minCell: number) => (minCell > 1 ? `cells of ${minCell} or more` : 'all cells')
  const rows = parts.map(({file, content: {low, sites}}) => [
    ...[`added ${file}`, counted(low[0], 'document')],
    sites.map(({name, minCell}) => `${name} (${cells(minCell)})`).join(', ')
  ])
  output.aside(textTable(rows))
  output.print(`${describeRelease(pooled)}\nwrote ${file}`)
}

/** Refuses a file that is named twice, even by different paths. */
function refuseTwice(paths: readonly string[]): void {
  const named = new Map<string, string>()
  for (const path of paths) {
    // Reading a file that is not there reports the problem.
    const place = existsSync(path) ? realpathSync(path) : path
    const before = named.get(place)
    if (before !== undefined)
      throw usageError(
        `${before === path ? `${path} is given twice` : `${before} and ${path} are one file`}; its documents would count twice; name it once`
      )
    named.set(place, path)
  }
}

/**
 * Reads the files one by one; the error names all unusable files, so that they can be made again together. Notes counts with
 * the same content, except shards: a repeated shard is refused.
 */
async function readParts(paths: readonly string[], output: Output) {
  const counts: Part<Counts>[] = []
  const tables: Part<Release>[] = []
  const refused: AdfaError[] = []
  const known = new Map<string, string>()
  for (const file of paths)
    try {
      const bytes = await readBinaryFile(file)
      if (isReleaseFile(bytes)) {
        tables.push({file, content: releaseFromBytes(bytes, file)})
        continue
      }
      const content = countsFromBytes(bytes, file)
      const digest = createHash('sha256').update(bytes).digest('hex')
      const copied = known.get(digest)
      if (copied !== undefined && content.shards === undefined)
        output.note(`${copied} and ${file} hold identical counts; is one a copy of the other?`)
      known.set(digest, file)
      counts.push({file, content})
    } catch (error) {
      if (!(error instanceof AdfaError) || error.code === 'cancelled') throw error
      refused.push(error)
    }
  if (refused.length === 1) throw refused[0]
  if (refused.length > 1)
    throw new AdfaError(
      refused[0].code,
      `${refused.length} of ${paths.length} files cannot be used:${refused.map(({message}) => `\n  ${printableLine(message)}`).join('')}`,
      {cause: refused[0], details: {isList: true}}
    )
  return {counts, tables}
}
