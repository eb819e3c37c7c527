import {AdfaError} from '../../base/checks/index.ts'
import {type Counts, countPackedRange, type PackedCorpus} from '../counts/index.ts'
import {type CountWorkers, sumAnswers} from './worker-engine.ts'

/** How packed documents are counted. */
export interface PackedControl {
  /** Threads that each count a range of the documents; without them, this one counts all. */
  readonly workers?: CountWorkers
  readonly signal?: AbortSignal
}

/**
 * Count documents that are already parsed and packed (`packCorpus`, `DocumentPacker`). For threads they must be in shared
 * memory, which none of them copies.
 */
export async function countPacked(packed: PackedCorpus, {workers, signal}: PackedControl = {}): Promise<Counts> {
  const {header, labelled, ...documents} = packed
  const {documentCount} = documents
  if (workers === undefined) return countPackedRange(header, documents, 0, documentCount, labelled)
  if (!(documents.words.buffer instanceof SharedArrayBuffer))
    throw new AdfaError(
      'bad-option',
      'these documents are not in shared memory, and threads would each copy them; pack them with {isShared: true}'
    )
  const edge = (at: number) => Math.floor((documentCount * at) / workers.count)
  const answers = await workers.run(
    threads =>
      Promise.all(
        threads.map((thread, at) => thread.ask('packed', {header, documents, from: edge(at), to: edge(at + 1)}))
      ),
    signal
  )
  return {...sumAnswers(header, answers), labelled}
}
