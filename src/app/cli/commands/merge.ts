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
  adfa merge january.counts february.counts --max-order 2 --min-cell 10 --site North -o north.tables`.action(runMerge)
}

async function runMerge(paths: string[], options: MergeOptions, command: Command): Promise<void> {
  const output = outputOf(options, command)
  const {output: file} = options
  refuseTwice(paths)
  const parts = await readParts(paths)
  const counts = parts.filter((part): part is Part<Counts> => 'documentCount' in part.content)
  const tables = parts.filter((part): part is Part<Release> => !('documentCount' in part.content))
  if (counts.length > 0 && tables.length > 0)
    throw new AdfaError(
      'mismatch',
      `${tables[0].file} holds released tables and ${counts[0].file} whole counts, which do not add up; give one kind, or make tables of the counts with --max-order`
    )
  if (counts.length > 0) {
    const merged = mergeCounts(...columnsOf(counts))
    const asked = releaseAsked(options)
    if (asked !== undefined) return writeRelease(merged, asked, options, output)
    await writeAtomically(file, countsToBytes(merged))
    return reportCounts(merged, counts, file, output)
  }
  const [given] = typedOptions(command, ['maxOrder', 'minCell', 'site', 'audit'])
  if (given !== undefined)
    throw usageError(`${flagOf(given)} cannot change tables that were released already; leave it out`)
  const pooled = poolReleases(...columnsOf(tables))
  await writeAtomically(file, releaseToBytes(pooled))
  reportTables(pooled, tables, file, output)
}

/** What a file holds. */
interface Part<T> {
  readonly file: string
  readonly content: T
}

function columnsOf<T>(parts: readonly Part<T>[]): [contents: T[], names: string[]] {
  return [parts.map(({content}) => content), parts.map(({file}) => file)]
}

function reportCounts(merged: Counts, parts: readonly Part<Counts>[], file: string, output: Output): void {
  const {documentCount: documents, patternCount: patterns, shards} = merged
  const added = parts.map(({file, content: {documentCount: documents, shards}}) => ({
    file,
    documents,
    ...(shards && {shards: shards.done})
  }))
  const partial = shards && {shards: {...shards, missing: missingShards(shards)}}
  output.json({file, documents, patterns, isComplete: shards === undefined, ...partial, added})
  output.aside(
    textTable(
      parts.map(({file, content: {documentCount, shards}}) => [
        `added ${file}`,
        counted(documentCount, 'document'),
        shards === undefined ? '' : describeShards(shards)
      ])
    )
  )
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

function reportTables(pooled: Release, parts: readonly Part<Release>[], file: string, output: Output): void {
  output.json({file, ...releaseJson(pooled)})
  const cells = (minCell: number) => (minCell > 1 ? `cells of ${minCell} or more` : 'all cells')
  output.aside(
    textTable(
      parts.map(({file, content: {low, sites}}) => [
        `added ${file}`,
        counted(low[0], 'document'),
        sites.map(({name, minCell}) => `${name} (${cells(minCell)})`).join(', ')
      ])
    )
  )
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

/** Reads the files one by one; the error names all unusable files, so that they can be made again together. */
async function readParts(paths: readonly string[]): Promise<Part<Counts | Release>[]> {
  const parts: Part<Counts | Release>[] = []
  const refused: AdfaError[] = []
  for (const file of paths)
    try {
      const bytes = await readBinaryFile(file)
      parts.push({file, content: isReleaseFile(bytes) ? releaseFromBytes(bytes, file) : countsFromBytes(bytes, file)})
    } catch (error) {
      if (!(error instanceof AdfaError)) throw error
      refused.push(error)
    }
  if (refused.length === 1) throw refused[0]
  if (refused.length > 1)
    throw new AdfaError(
      refused[0].code,
      `${refused.length} of ${paths.length} files cannot be used:${refused.map(({message}) => `\n  ${printableLine(message)}`).join('')}`,
      {cause: refused[0], details: {isList: true}}
    )
  return parts
}
