import {
  type Counts,
  countsFromBytes,
  isReleaseFile,
  releaseFromBytes,
  releaseToCounts,
  requireComplete
} from '../index.ts'
import {readBinaryFile} from '../node.ts'

/** Counts to learn from: of a counts file that lacks nothing, or put together from released tables. */
export async function readCounts(path: string): Promise<Counts> {
  const bytes = await readBinaryFile(path)
  if (isReleaseFile(bytes)) return releaseToCounts(releaseFromBytes(bytes, path))
  const counts = countsFromBytes(bytes, path)
  requireComplete(counts, path)
  return counts
}
