import type {SourceFile} from './source-file.ts'

/** A file in memory. */
export function testSource(name: string, content: string | Uint8Array): SourceFile {
  return new File([content as Uint8Array<ArrayBuffer>], name)
}
