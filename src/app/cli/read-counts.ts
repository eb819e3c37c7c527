import {type Counts, countsFromBytes, requireComplete} from '../../read/counts/index.ts'
import {readBinaryFile} from '../../read/files/index.ts'
import {isReleaseFile, releaseFromBytes, releaseToCounts} from '../../read/pooling/index.ts'

/** Counts to learn from: of a counts file that lacks nothing, or put together from released tables. */
export async function readCounts(path: string): Promise<Counts> {
  const bytes = await readBinaryFile(path)
  if (isReleaseFile(bytes)) return releaseToCounts(releaseFromBytes(bytes, path))
  const counts = countsFromBytes(bytes, path)
  requireComplete(counts, path)
  return counts
}
