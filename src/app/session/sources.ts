/** Where documents come from: files, or the generated emergency visits. */
import {rng} from '../../base/numeric/index.ts'
import {anchorsWithRates} from '../../learn/model/index.ts'
import {type Anchors, parseRow, type Row, type RowReading} from '../../read/data/index.ts'
import {parseFormat, readDocuments, type SourceFile} from '../../read/reading/index.ts'
import {emergencyModel, generateDocuments} from '../../use/synthetic/index.ts'
import type {Reading} from '../project/index.ts'

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

/** How generated visits are read: they have ready-made features only. */
export const DEMO_READING: Reading = {text: []}
export const DEMO_NAME = 'emergency visits'
const BATCH = 1000

/** Visits of a synthetic emergency department, as `adfa demo emergency` draws them. */
export function demoSource(count: number): Source {
  return {
    names: ['train.jsonl'],
    async *batches(_, fields) {
      const rows = generateDocuments(emergencyModel(), count, rng(0).stream('documents'))
      let batch: Row[] = []
      let done = 0
      for (const row of rows) {
        batch.push(parseRow(row, fields, `train.jsonl:${++done}`))
        if (batch.length < BATCH && done < count) continue
        yield {rows: batch, share: done / count}
        batch = []
      }
    }
  }
}

/** The concept with a misspelt member. */
export const DEMO_CONCEPT = 'alcohol'
const MISSPELT = 'alcohol intoxicaton'

/** The anchors of the demo; one member is misspelt, for the doctor to find. Rates are left to be estimated. */
export function demoAnchors(): Anchors {
  return anchorsWithRates(emergencyModel()).map(({rates: _, ...anchor}) => ({
    ...anchor,
    any: anchor.concept === DEMO_CONCEPT ? [...anchor.any, MISSPELT] : anchor.any,
    rates: undefined
  }))
}

/** Documents in files. */
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
