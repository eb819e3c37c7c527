import {availableParallelism} from 'node:os'
import type {DocumentSource} from '../files/index.ts'
import type {CountingEngine} from './counting-engine.ts'
import {memoryEngine} from './memory-engine.ts'
import {workerEngine} from './worker-engine.ts'
import {openCountWorkers} from './worker-pool.ts'

/** Below this, starting threads costs more than they save. */
const LARGE_INPUT = 20_000_000
/** Beyond this the one thread that reads the files is the slowest. */
const MOST_WORKERS = 8

/**
 * Counts documents on so many threads of its own, 0 for none; by default one a core, and none for small files and where the
 * size is not known. Closing the engine ends them.
 */
export function documentsEngine(
  documents: DocumentSource,
  workers = usualWorkers(documents.byteCount)
): CountingEngine {
  if (workers === 0) return memoryEngine(documents)
  const threads = openCountWorkers(workers)
  return {...workerEngine(documents, threads), close: () => threads.close()}
}

/** The number of threads for documents of so many bytes; undefined when their size is not known. */
export function usualWorkers(byteCount: number | undefined, cores = availableParallelism()): number {
  return byteCount === undefined || byteCount < LARGE_INPUT || cores === 1 ? 0 : Math.min(cores, MOST_WORKERS)
}
