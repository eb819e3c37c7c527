import type {AdfaError} from '../../base/checks/index.ts'
import {fileError} from './document-error.ts'
import type {DocumentFormat} from './format.ts'

/** Formats of documents that need Node, in words. */
const NEEDS_NODE = {
  parquet: 'a Parquet file',
  xlsx: 'a spreadsheet (.xlsx)'
} as const satisfies Partial<Record<DocumentFormat, string>>

export type RefusedFormat = keyof typeof NEEDS_NODE

export function isRefused(format: DocumentFormat): format is RefusedFormat {
  return format in NEEDS_NODE
}

export function refusedFormat(name: string, format: RefusedFormat, readsTables = false): AdfaError {
  return refused(name, NEEDS_NODE[format], readsTables)
}

/** A file that the command line reads and browsers do not. */
export function refused(name: string, what: string, readsTables = false): AdfaError {
  const file = /^[\w./-]+$/.test(name) ? name : `"${name}"`
  return fileError(
    name,
    `this is ${what}, which a browser does not read; ${readHere(readsTables)}; ` +
      `the command line reads it (adfa init ${file}); or save it as CSV`
  )
}

/** A file that is none of the formats. */
export function unknownFile(name: string, readsTables: boolean): AdfaError {
  return fileError(
    name,
    `neither the name nor the content shows what it is; ${readHere(readsTables)}; check that it is the right file, or save it as CSV`
  )
}

function readHere(readsTables: boolean): string {
  return `a browser reads JSON Lines, JSON, CSV, TSV, svmlight and text, plain or gzip${readsTables ? ', and .xlsx and Parquet' : ''}`
}
