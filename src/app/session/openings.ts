/** The documents that are open, and the reading of others in slices, so that the session keeps answering. */
import {AdfaError} from '../../base/checks/index.ts'
import {counted, grouped} from '../../base/text/index.ts'
import {type Reading, readOptionsOf} from '../project/index.ts'
import {Documents} from './documents.ts'
import {Job, type Work} from './job.ts'
import type {Source} from './sources.ts'
import type {Opened} from './views.ts'

export interface OpenDocuments {
  readonly source: Source
  readonly reading: Reading
  readonly documents: Documents
  /** What was noticed when they were read. */
  readonly notes: readonly string[]
}

export class Openings {
  readonly #work: Work
  #open: OpenDocuments | undefined
  /** The reading under way. */
  #job: Job | undefined

  constructor(work: Work) {
    this.#work = work
  }

  get current(): OpenDocuments | undefined {
    return this.#open
  }

  /** Stop the reading under way; what was open stays. */
  cancel(): void {
    this.#job?.stop()
  }

  /** The open documents; a project that reads them otherwise reads them again. */
  async by(reading: Reading): Promise<OpenDocuments | undefined> {
    const open = this.#open
    if (open === undefined || JSON.stringify(open.reading) === JSON.stringify(reading)) return open
    return this.read(open.source, reading)
  }

  async read(source: Source, reading: Reading): Promise<OpenDocuments> {
    const options = readOptionsOf(reading)
    const documents = new Documents(options, reading.holdOut)
    const notes: string[] = []
    this.cancel()
    const job = new Job(this.#work, 'reading was stopped; everything is as it was before')
    this.#job = job
    const onNote = (note: string) => notes.push(note)
    for await (const {rows, share} of source.batches(reading, options, onNote)) {
      await job.each(rows.length, at => documents.add(rows[at]))
      await this.#work.wait(0)
      job.check()
      this.#work.progress({words: 'reading documents', share})
    }
    if (documents.count === 0)
      throw new AdfaError('bad-document', 'the files have no documents to learn from; choose others')
    if (documents.repeated > 0) notes.push(`${repeatedWords(documents)}; they cannot be labelled`)
    this.#open = {source, reading, documents, notes}
    return this.#open
  }
}

/** Why documents with repeated ids cannot be labelled. */
export function repeatedWords({repeated, count}: Documents): string {
  return `${grouped(repeated)} of the ${counted(count, 'document')} have the id of an earlier one`
}

const SHOWN_TAGS = 100

/** What the page is told of documents that were read in so many seconds. */
export function openedView({documents, notes}: OpenDocuments, seconds: number): Opened {
  return {
    documents: documents.count,
    heldOut: documents.heldOut.size,
    hash: documents.hash(),
    notes,
    seconds,
    tagged: documents.tagged,
    tags: documents.tags().slice(0, SHOWN_TAGS)
  }
}
