import {AdfaError} from '../../base/checks/index.ts'
import {type CompactCounts, type Counts, countPackedRange, countsOfRun, type PackedCorpus} from '../counts/index.ts'
import {expandAndClose} from './count-with.ts'
import {mergeOnThreads} from './merge-on-threads.ts'
import {keepingStore, openSharedSpace, reserveSharedSpace} from './run-files.ts'
import type {CountWorkers} from './worker-engine.ts'

export interface PackedControl {
  /** Threads that each count a range of the documents; without them, this one counts all. */
  readonly workers?: CountWorkers
  readonly signal?: AbortSignal
}

/**
 * Count documents that are already parsed and packed (`packCorpus`, `DocumentPacker`). For threads they must be in shared
 * memory, which none of them copies.
 */
export async function countPacked(packed: PackedCorpus, control?: PackedControl): Promise<Counts> {
  return expandAndClose(await countPackedCompact(packed, control))
}

/** {@link countPacked} for counts that are only written to a file. Close their store, if they have one. */
export async function countPackedCompact(
  packed: PackedCorpus,
  {workers, signal}: PackedControl = {}
): Promise<CompactCounts> {
  const {header, labelled, ...documents} = packed
  const {documentCount} = documents
  if (workers === undefined) return countsOfRun(header, countPackedRange(header, documents), labelled)
  if (!(documents.words.buffer instanceof SharedArrayBuffer))
    throw new AdfaError(
      'bad-option',
      'these documents are not in shared memory, and threads would each copy them; pack them with {isShared: true}'
    )
  const edge = (at: number) => Math.floor((documentCount * at) / workers.count)
  const space = reserveSharedSpace(workers.count)
  return keepingStore(openSharedSpace(space).store, async () => {
    const counted = await workers.run(
      threads =>
        Promise.all(
          threads.map((thread, at) =>
            thread.ask('packed', {header, documents, from: edge(at), to: edge(at + 1), space})
          )
        ),
      signal
    )
    return {...(await mergeOnThreads(workers, header, counted, space, signal)), labelled}
  })
}
