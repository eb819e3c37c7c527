/** Documents in files, and those of them that are open. */
import {AdfaError} from '../../base/checks/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {counted, grouped} from '../../base/text/index.ts'
import {anchorsWithRates} from '../../learn/model/index.ts'
import {anchorsToJson, type Row, type RowReading} from '../../read/data/index.ts'
import {parseFormat, readDocuments, type SourceFile} from '../../read/reading/index.ts'
import {emergencyModel, generateDocuments} from '../../use/synthetic/index.ts'
import {type Reading, readOptionsOf} from '../project/index.ts'
import {Documents} from './documents.ts'
import type {Job, Work} from './job.ts'

interface Batch {
  readonly rows: readonly Row[]
  readonly share: number
}

/** Documents that can be read again and again. */
export interface Source {
  /** The names of its files, as a command would have them. */
  readonly names: readonly string[]
  /** All rows in batches, each with the share of the documents that is read by then. */
  batches(reading: Reading, fields: RowReading, onNote?: (note: string) => void): AsyncIterable<Batch>
}

export function fileSource(files: readonly SourceFile[]): Source {
  return {
    names: files.map(({name}) => name),
    async *batches({format, encoding}, fields, onNote) {
      let share = 0
      const onProgress = (bytes: number, of: number) => {
        share = of === 0 ? 1 : bytes / of
      }
      const options = {...fields, encoding, onNote, format: format === undefined ? undefined : parseFormat(format)}
      for await (const rows of readDocuments(files, options, {onProgress})) yield {rows, share}
    }
  }
}

export interface OpenDocuments {
  readonly source: Source
  readonly reading: Reading
  readonly documents: Documents
  /** What was noticed when they were read. */
  readonly notes: readonly string[]
}

/** Reads all documents in slices, so that the session keeps answering. */
export async function openDocuments(work: Work, job: Job, source: Source, reading: Reading): Promise<OpenDocuments> {
  const options = readOptionsOf(reading)
  const documents = new Documents(options, reading.holdOut)
  const notes: string[] = []
  for await (const {rows, share} of source.batches(reading, options, note => notes.push(note))) {
    await job.each(rows.length, at => documents.add(rows[at]))
    await work.wait(0)
    job.check()
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

/** What to call the project of the demo, and the concept with a misspelt member. */
export const demo = {name: 'emergency visits', concept: 'alcohol'}
const MISSPELT = 'alcohol intoxicaton'

/**
 * Visits of a synthetic emergency department, as `adfa demo emergency` draws them, and their anchors without rates. One member is
 * misspelt, for the doctor to find.
 */
export function demoFiles(count: number): SourceFile[] {
  const model = emergencyModel()
  const visits = generateDocuments(model, count, rng(0).stream('documents'))
  const anchors = anchorsWithRates(model).map(({rates: _, ...anchor}) => ({
    ...anchor,
    any: anchor.concept === demo.concept ? [...anchor.any, MISSPELT] : anchor.any,
    rates: undefined
  }))
  return [
    fileOf('train.jsonl', Array.from(visits, visit => `${JSON.stringify(visit)}\n`).join('')),
    fileOf('anchors.json', JSON.stringify(anchorsToJson(anchors)))
  ]
}

function fileOf(name: string, text: string): SourceFile {
  const bytes = new TextEncoder().encode(text)
  return {name, size: bytes.length, slice: (from, to) => ({arrayBuffer: async () => bytes.slice(from, to).buffer})}
}
