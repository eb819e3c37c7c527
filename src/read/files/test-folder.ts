import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, expect} from 'vitest'
import {AdfaError, type ErrorCode} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import type {SourceFile} from '../reading/index.ts'
import {type DocumentOptions, openDocuments} from './open-documents.ts'

/** A folder for the tests of one file, removed after them. */
export function testFolder(): {path: string; file(name: string, content: string | Uint8Array): string} {
  const path = mkdtempSync(join(tmpdir(), 'adfa-test-'))
  afterAll(() => rmSync(path, {recursive: true, force: true}))
  return {
    path,
    file(name, content) {
      writeFileSync(join(path, name), content)
      return join(path, name)
    }
  }
}

/** The path of a file in fixtures/documents. */
export function documentFixture(name: string): string {
  return fileURLToPath(new URL(`../../../fixtures/documents/${name}`, import.meta.url))
}

/** All documents of a file. */
export async function readAll(path: string, options: Partial<DocumentOptions> = {}): Promise<Row[]> {
  const source = openDocuments([path], {text: ['title', 'text'], ...options})
  const rows: Row[] = []
  for await (const batch of source.batches()) rows.push(...batch)
  return rows
}

/** The error that `work` ends with; it must be one meant for the user. */
export async function failureOf(work: () => unknown): Promise<AdfaError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof AdfaError) return error
    throw error
  }
  throw new Error('it did not fail')
}

/** The message of the error that `work` ends with, which has this code. */
export async function refusalOf(work: () => unknown, code: ErrorCode = 'bad-document'): Promise<string> {
  const error = await failureOf(work)
  expect(error.code).toBe(code)
  return error.message
}

/** Bytes in pieces of the given size, as a reader may get them. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The case of a test of permissions, which the root user always has. */
export function unlessRoot<T extends unknown[]>(...example: T): T[] {
  return process.getuid?.() === 0 ? [] : [example]
}

/** A file in memory. */
export function testSource(name: string, content: string | Uint8Array): SourceFile {
  return new File([content as Uint8Array<ArrayBuffer>], name)
}
