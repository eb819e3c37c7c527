import type {AdfaError} from '../../base/checks/index.ts'
import {fileError} from './document-error.ts'
import type {DocumentFormat} from './format.ts'

/** Formats of documents that need Node, in words. */
const NEEDS_NODE = {
  parquet: 'a Parquet file',
  xlsx: 'a spreadsheet (.xlsx)',
  mtx: 'a Matrix Market file',
  arff: 'an ARFF file',
  stackexchange: 'a Stack Exchange dump',
  wrench: 'a WRENCH file'
} as const satisfies Partial<Record<DocumentFormat, string>>

export type RefusedFormat = keyof typeof NEEDS_NODE

export function isRefused(format: DocumentFormat): format is RefusedFormat {
  return format in NEEDS_NODE
}

export function refusedFormat(name: string, format: RefusedFormat): AdfaError {
  return refused(name, NEEDS_NODE[format])
}

/** A file that the command line reads and browsers do not. */
export function refused(name: string, what: string): AdfaError {
  const file = /^[\w./-]+$/.test(name) ? name : `"${name}"`
  return fileError(
    name,
    `this is ${what}, which a browser does not read; it reads JSON Lines, JSON, CSV, TSV, svmlight and text, plain or gzip; ` +
      `the command line reads it (adfa init ${file}); or save it as CSV`
  )
}
