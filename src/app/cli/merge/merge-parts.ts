import {createHash} from 'node:crypto'
import {realpathSync} from 'node:fs'
import {AdfaError} from '../../../base/checks/index.ts'
import {type Counts, countsFromBytes, describeShards} from '../../../read/counts/index.ts'
import {readBinaryFile} from '../../../read/files/index.ts'
import {counted, textTable} from '../text.ts'

/** One of the files that are added up. */
export interface MergePart {
  readonly file: string
  readonly counts: Counts
  /** The same for files with the same content. */
  readonly digest: string
}

/** Refuse a file that is named twice, by whatever path. */
export function refuseTwice(paths: readonly string[]): void {
  const named = new Map<string, string>()
  for (const path of paths) {
    const place = realPath(path)
    const before = named.get(place)
    if (before !== undefined)
      throw new AdfaError(
        'bad-option',
        `${before === path ? `${path} is given twice` : `${before} and ${path} are one file`}; its documents would count twice; name it once`
      )
    named.set(place, path)
  }
}

/** Read the files one by one. All that cannot be used are named, so that they can be made again together. */
export async function readParts(paths: readonly string[]): Promise<MergePart[]> {
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
      `${refused.length} of ${paths.length} files cannot be used:${refused.map(({message}) => `\n  ${message}`).join('')}`,
      {cause: refused[0]}
    )
  return parts
}

/** A remark on every file whose content another one has too. Shards need none: one that comes twice is refused. */
export function copiesAmong(parts: readonly MergePart[]): string[] {
  const first = new Map<string, string>()
  const remarks: string[] = []
  for (const {file, counts, digest} of parts) {
    if (counts.shards !== undefined) continue
    const before = first.get(digest)
    if (before === undefined) first.set(digest, file)
    else remarks.push(`${before} and ${file} hold the very same counts; is one a copy of the other?`)
  }
  return remarks
}

/** What was added: file, documents and, for shards, which. */
export function addedText(parts: readonly MergePart[]): string {
  return textTable(
    parts.map(({file, counts}) => [
      `added ${file}`,
      counted(counts.documentCount, 'document'),
      counts.shards === undefined ? '' : describeShards(counts.shards)
    ])
  )
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Reading it will say what is wrong.
    return path
  }
}
