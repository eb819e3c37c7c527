import {AdfaError} from '../../../base/checks/index.ts'
import {readBinaryFile, readFileHead, withAtomicWriter} from '../../../read/files/index.ts'
import {isReleaseFile, poolReleases, releaseFromBytes, releaseToBytes} from '../../../read/pooling/index.ts'
import {describeRelease, releaseJson} from '../count/release-options.ts'
import type {Output} from '../output.ts'
import {counted, textTable} from '../text.ts'

/** Whether the files are releases of sites, and not whole counts; some of each are refused. */
export async function areReleases(paths: readonly string[]): Promise<boolean> {
  // A file that cannot be read is of no kind: merging names all of those.
  const kinds = await Promise.all(paths.map(path => readFileHead(path).then(isReleaseFile, () => undefined)))
  const [tables, whole] = [true, false].map(kind => paths.find((_, at) => kinds[at] === kind))
  if (tables === undefined || whole === undefined) return tables !== undefined
  throw new AdfaError(
    'mismatch',
    `${tables} holds released tables and ${whole} whole counts, which do not add up; give one kind, or make tables of the counts with --max-order`
  )
}

/** Add the tables of several sites up. */
export async function mergeReleases(paths: readonly string[], file: string, output: Output): Promise<void> {
  const {releases, pooled} = await withAtomicWriter(file, async writer => {
    const releases = await Promise.all(paths.map(async path => releaseFromBytes(await readBinaryFile(path), path)))
    const pooled = poolReleases(releases, paths)
    await writer.write(releaseToBytes(pooled))
    return {releases, pooled}
  })
  output.json({file, ...releaseJson(pooled)})
  const added = releases.map(({sites, low}, at) => [
    `added ${paths[at]}`,
    counted(low[0], 'document'),
    sites.map(({name, minCell}) => `${name} (${minCell > 1 ? `cells from ${minCell} on` : 'all cells'})`).join(', ')
  ])
  output.note(textTable(added))
  output.print(`${describeRelease(pooled)}\nwrote ${file}`)
}
