/** The documents of files, those of them that were read, and what is found in them. */
import {AdfaError} from '../../base/checks/index.ts'
import {counted, grouped} from '../../base/text/index.ts'
import {
  DocumentIndex,
  isHeldOut,
  labelKey,
  type Row,
  type RowReading,
  type VocabularyOptions
} from '../../read/data/index.ts'
import {parseFormat, readDocuments, type SourceFile} from '../../read/reading/index.ts'
import {documentsHash, type Reading, readOptionsOf} from '../project/index.ts'
import type {Job, Work} from './work.ts'

/** Documents that can be read again and again. */
export type Source = ReturnType<typeof fileSource>

export function fileSource(files: readonly SourceFile[]) {
  return {
    /** The names of its files, as a command would have them. */
    names: files.map(({name}) => name),
    /** All rows in batches, each with the share of the documents that is read by then. */
    async *batches(
      {format, encoding}: Pick<Reading, 'format' | 'encoding'>,
      fields: RowReading,
      onNote?: (note: string) => void
    ) {
      let share = 0
      const onProgress = (bytes: number, of: number) => {
        share = of === 0 ? 1 : bytes / of
      }
      const options = {...fields, encoding, onNote, format: format === undefined ? undefined : parseFormat(format)}
      for await (const rows of readDocuments(files, options, {onProgress})) yield {rows, share}
    }
  }
}

/** The first documents, as they would be read. */
export async function firstRows(source: Source, reading: Reading, count: number): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const batch of source.batches(reading, readOptionsOf(reading))) {
    rows.push(...batch.rows.slice(0, count - rows.length))
    if (rows.length >= count) break
  }
  return rows
}

export type OpenDocuments = Awaited<ReturnType<typeof openDocuments>>

/** Reads all documents in slices, so that the session keeps answering. */
export async function openDocuments(work: Work, job: Job, source: Source, reading: Reading) {
  const options = readOptionsOf(reading)
  const documents = new Documents(options, reading.holdOut)
  const notes: string[] = []
  for await (const {rows, share} of source.batches(reading, options, note => notes.push(note))) {
    await job.each(rows.length, at => documents.add(rows[at]))
    await job.value(work.wait(0))
    work.progress({words: 'reading documents', share})
  }
  if (documents.count === 0)
    throw new AdfaError('bad-document', 'the files have no documents to learn from; choose others')
  if (documents.repeated > 0) notes.push(`${repeatedWords(documents)}; they cannot be labelled`)
  return {source, reading, documents, notes}
}

/** Why documents with repeated ids cannot be labelled. */
export function repeatedWords({repeated, count}: Documents): string {
  return `${grouped(repeated)} of the ${counted(count, 'document')} have the id of an earlier one`
}

/** Documents by their numbers: those that are learned from, then those held out, then those of other files. */
export class Documents {
  readonly options: VocabularyOptions
  readonly #holdsOut: boolean
  /** Of those that are learned from. */
  readonly index: DocumentIndex
  /** Documents that are never learned from. */
  readonly #aside: Row[] = []
  #heldOut = 0
  /** The place among all documents of the files, of those learned from and of those held out. */
  readonly #places: readonly [number[], number[]] = [[], []]
  readonly #tags = new Map<string, number>()
  #tagged = 0
  #numbers: Map<string, number> | undefined
  #repeated: number | undefined

  /** `holdsOut`: a quarter of the tagged documents is kept apart. */
  constructor(options: VocabularyOptions, holdsOut = false) {
    this.options = options
    this.#holdsOut = holdsOut
    this.index = new DocumentIndex(options)
  }

  add(row: Row): void {
    const isAside = this.#holdsOut && isHeldOut(row)
    this.#places[isAside ? 1 : 0].push(this.total)
    if (isAside) {
      this.#heldOut = this.#aside.push(row)
      return
    }
    this.index.add(row)
    if (row.tags !== undefined) this.#tagged++
    for (const tag of new Set(row.tags)) this.#tags.set(tag, (this.#tags.get(tag) ?? 0) + 1)
  }

  /** Documents that are learned from, shown and labelled. */
  get count(): number {
    return this.index.documentCount
  }

  /** Documents that were read and are for evaluation alone. */
  get heldOut(): number {
    return this.#heldOut
  }

  get total(): number {
    return this.count + this.#heldOut
  }

  /** Documents with tags. */
  get tagged(): number {
    return this.#tagged
  }

  /** The most frequent tags first. */
  tags(): {readonly tag: string; readonly documents: number}[] {
    const all = Array.from(this.#tags, ([tag, documents]) => ({tag, documents}))
    return all.sort((a, b) => b.documents - a.documents || (a.tag < b.tag ? -1 : 1))
  }

  /** Other documents to judge on, in place of earlier ones. */
  judgeOn(rows: readonly Row[]): void {
    this.#aside.length = this.#heldOut
    for (const row of rows) this.#aside.push(row)
  }

  /** All documents that have a number. */
  get numbered(): number {
    return this.count + this.#aside.length
  }

  /** The numbers of the documents that were read, held out or not, in the order of the files. */
  inOrder(): number[] {
    const places = this.#places.flat()
    return [...places.keys()].sort((a, b) => places[a] - places[b])
  }

  row(at: number): Row {
    return at < this.count ? this.index.row(at) : this.#aside[at - this.count]
  }

  /** How many documents have the id of an earlier one: labels could not tell them apart. */
  get repeated(): number {
    if (this.#repeated !== undefined) return this.#repeated
    const ids = Array.from({length: this.count}, (_, at) => this.row(at).id).filter(id => id !== undefined)
    this.#repeated = ids.length - new Set(ids.map(String)).size
    return this.#repeated
  }

  /** Its id, or else its number in the files, counted from 1: as in predictions. */
  name(at: number): string {
    const [learned, heldOut] = this.#places
    const place = at < this.count ? learned[at] : (heldOut[at - this.count] ?? at - this.total)
    return String(this.row(at).id ?? place + 1)
  }

  /** The number of the document with this key (`labelKey`); of several, the last. */
  numberOf(key: string): number | undefined {
    this.#numbers ??= new Map(Array.from({length: this.count}, (_, at) => [labelKey(this.row(at)), at]))
    return this.#numbers.get(key)
  }

  /** Identifies the documents, also those held out, whatever their files are called. */
  hash(): string {
    return documentsHash(Array.from({length: this.total}, (_, at) => labelKey(this.row(at))))
  }
}
