import {createHash} from 'node:crypto'
import {realpathSync} from 'node:fs'
import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import {counted, printableLine} from '../../../base/text/index.ts'
import {type Counts, countsFromBytes, countsToBytes, describeShards, mergeCounts} from '../../../read/counts/index.ts'
import {readBinaryFile, readFileHead, writeAtomically} from '../../../read/files/index.ts'
import {isReleaseFile, poolReleases, type Release, releaseToBytes} from '../../../read/pooling/index.ts'
import {textTable} from '../../present/index.ts'
import {addCommonOptions, type CommonOptions, flagOf, outputOf, typedOptions, usageError} from '../common-options.ts'
import {
  addReleaseOptions,
  describeRelease,
  type ReleaseOptionValues,
  readRelease,
  releaseAsked,
  releaseJson,
  writeRelease
} from '../count/release-options.ts'
import {partialText, shardsJson} from '../count/shard-option.ts'
import {addCommand, required} from '../declare.ts'
import type {Output} from '../output.ts'
import {describeCounts} from '../read-input.ts'

interface MergeOptions extends CommonOptions, ReleaseOptionValues {
  readonly output: string
  readonly audit?: string
}

export function addMergeCommand(program: Command): void {
  const command = addCommand(program, {output: required})`
merge: add up counts of several files, shards or sites
Add up counts. The result is identical, byte for byte, to counting all documents together.
  <counts...>          counts files made with the same anchors, vocabulary and options
  -o, --output <file>  the counts file to write

Examples:
  adfa merge january.counts february.counts -o both.counts
  adfa merge shard-*.counts -o all.counts   # from adfa count --shard; reports missing ones
  adfa merge north.tables south.tables -o both.tables   # tables of two sites, from adfa count --max-order
  adfa merge january.counts february.counts --max-order 2 --min-cell 10 --site North -o north.tables
  adfa merge march.counts --earlier north.tables --site North -o north-2.tables   # what was added since`
  addCommonOptions(addReleaseOptions(command)).action(
    async (paths: string[], options: MergeOptions, command: Command) => {
      const output = outputOf(options, command)
      refuseTwice(paths)
      const asked = releaseAsked(options)
      if (await areReleases(paths)) {
        const [given] = typedOptions(command, ['maxOrder', 'minCell', 'site', 'earlier', 'audit'])
        if (given !== undefined)
          throw usageError(`${flagOf(given)} cannot change tables that were released already; leave it out`)
        return mergeReleases(paths, options.output, output)
      }
      if (asked !== undefined) return writeRelease(mergeParts(await readParts(paths)), asked, options, output)
      if (options.audit !== undefined)
        throw usageError('--audit is for tables; add --max-order 2 to make tables of the counts')
      return mergeFiles(paths, options.output, output)
    }
  )
}

async function mergeFiles(paths: readonly string[], file: string, output: Output): Promise<void> {
  const parts = await readParts(paths)
  noteCopies(parts, output)
  const merged = mergeParts(parts)
  await writeAtomically(file, countsToBytes(merged))
  const {documentCount: documents, patternCount: patterns, shards} = merged
  const added = parts.map(({file, counts}) => ({
    file,
    documents: counts.documentCount,
    ...(counts.shards && {shards: counts.shards.done})
  }))
  output.json({file, documents, patterns, isComplete: shards === undefined, ...shardsJson(shards), added})
  const shardsOf = ({shards}: Counts) => (shards === undefined ? '' : describeShards(shards))
  noteAdded(
    parts.map(({file, counts}) => [file, counts.documentCount, shardsOf(counts)]),
    output
  )
  output.print(`${describeCounts(merged)}\nwrote ${file}${partialText(merged, file)}`)
}

function noteAdded(parts: readonly (readonly [file: string, documents: number, what: string])[], output: Output): void {
  output.aside(
    textTable(parts.map(([file, documents, what]) => [`added ${file}`, counted(documents, 'document'), what]))
  )
}

function mergeParts(parts: readonly MergePart[]): Counts {
  return mergeCounts(
    parts.map(({counts}) => counts),
    parts.map(({file}) => file)
  )
}

interface MergePart {
  readonly file: string
  readonly counts: Counts
  /** The same for files with the same content. */
  readonly digest: string
}

/** Refuses a file that is named twice, even by different paths. */
function refuseTwice(paths: readonly string[]): void {
  const named = new Map<string, string>()
  for (const path of paths) {
    const place = realPath(path)
    const before = named.get(place)
    if (before !== undefined)
      throw usageError(
        `${before === path ? `${path} is given twice` : `${before} and ${path} are one file`}; its documents would count twice; name it once`
      )
    named.set(place, path)
  }
}

/** Reads the files one by one; the error names all unusable files, so that they can be made again together. */
async function readParts(paths: readonly string[]): Promise<MergePart[]> {
  const parts: MergePart[] = []
  const refused: AdfaError[] = []
  for (const file of paths)
    try {
      const bytes = await readBinaryFile(file)
      const digest = createHash('sha256').update(bytes).digest('hex')
      parts.push({file, counts: countsFromBytes(bytes, file), digest})
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
  return parts
}

/** Notes files with identical content. Shards need no note: a repeated shard is refused. */
function noteCopies(parts: readonly MergePart[], output: Output): void {
  const first = new Map<string, string>()
  for (const {file, counts, digest} of parts) {
    if (counts.shards !== undefined) continue
    const before = first.get(digest)
    if (before === undefined) first.set(digest, file)
    else output.note(`${before} and ${file} hold identical counts; is one a copy of the other?`)
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Reading it reports the problem.
    return path
  }
}

/** Whether the files are released tables, not whole counts; a mixture is refused. */
async function areReleases(paths: readonly string[]): Promise<boolean> {
  // A file that cannot be read is neither: merging names all of those.
  const kinds = await Promise.all(paths.map(path => readFileHead(path).then(isReleaseFile, () => undefined)))
  const [tables, whole] = [true, false].map(kind => paths.find((_, at) => kinds[at] === kind))
  if (tables === undefined || whole === undefined) return tables !== undefined
  throw new AdfaError(
    'mismatch',
    `${tables} holds released tables and ${whole} whole counts, which do not add up; give one kind, or make tables of the counts with --max-order`
  )
}

/** Adds up the tables of several sites. */
async function mergeReleases(paths: readonly string[], file: string, output: Output): Promise<void> {
  const releases = await Promise.all(paths.map(readRelease))
  const pooled = poolReleases(releases, paths)
  await writeAtomically(file, releaseToBytes(pooled))
  output.json({file, ...releaseJson(pooled)})
  const cells = (minCell: number) => (minCell > 1 ? `cells of ${minCell} or more` : 'all cells')
  const sitesOf = ({sites}: Release) => sites.map(({name, minCell}) => `${name} (${cells(minCell)})`).join(', ')
  noteAdded(
    releases.map((release, at) => [paths[at], release.low[0], sitesOf(release)]),
    output
  )
  output.print(`${describeRelease(pooled)}\nwrote ${file}`)
}
