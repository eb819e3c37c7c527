import {createHash} from 'node:crypto'
import {createReadStream, statSync} from 'node:fs'
import {readTextFile} from '../../../read/files/index.ts'
import {usageError} from '../common-options.ts'

interface RunFiles {
  readonly report: string
  readonly tagged: string
  readonly force?: true
}

/** The last line of a report by `adfa run`: the hashes of the tagged documents that it wrote, the latest first. */
const MARK = /<!-- adfa run, tagged documents sha256 ([\da-f ]*)-->\s*$/
/** Tagged documents may have several names, such as tagged.csv and tagged.xlsx. */
const MOST_HASHES = 10

/**
 * Refuses to replace a report or tagged documents that a person may have written or corrected: whatever `adfa run` did not
 * write as it is. Returns the hashes of the tagged documents that it wrote before.
 */
export async function refuseForeign({report, tagged, force}: RunFiles): Promise<readonly string[]> {
  const page = isFile(report) ? await readTextFile(report) : ''
  const mark = MARK.exec(page)
  const hashes = mark?.[1].split(' ').filter(hash => hash !== '') ?? []
  if (force) return hashes
  if (isFile(report) && mark === null)
    throw usageError(
      `${report} exists and was not written by adfa run; name another file with --report, or replace it with --force`
    )
  if (isFile(tagged) && !hashes.includes(await hashOf(tagged)))
    throw usageError(
      `${tagged} exists and is not as adfa run wrote it: it may hold work of yours; rename it, name another file with --tagged, or replace it with --force`
    )
  return hashes
}

/** The page with a mark by which the next run knows both files. */
export async function markedPage(page: string, tagged: string, before: readonly string[]): Promise<string> {
  const hashes = isFile(tagged) ? [...new Set([await hashOf(tagged), ...before])] : before
  return `${page.trimEnd()}\n<!-- adfa run, tagged documents sha256 ${hashes.slice(0, MOST_HASHES).join(' ')} -->\n`
}

/** Not standard output, a pipe or a device. */
function isFile(path: string): boolean {
  return path !== '-' && (statSync(path, {throwIfNoEntry: false})?.isFile() ?? false)
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
