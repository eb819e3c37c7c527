import {byteOrderMarkLength, checkUtf8, recordLimit, tooLong} from './utf8.ts'

export interface LineBlock {
  /** What errors call the file. */
  readonly name: string
  readonly bytes: Uint8Array
  /** The number of the first of them, from 1. */
  readonly firstLine: number
}

/**
 * Cut pieces of bytes at line ends. Every line is whole in one block; a byte order mark at the start of the file is dropped.
 * A block also has what `file` has. Its bytes are a copy in their own ArrayBuffer: they may be transferred to another thread while the next block
 * is read.
 */
export async function* lineBlocks<File extends {readonly name: string}>(
  chunks: AsyncIterable<Uint8Array>,
  file: File,
  isFileStart = true
): AsyncGenerator<LineBlock & File> {
  let pending: Uint8Array[] = []
  let pendingLength = 0
  let firstLine = 1
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10) + 1
    if (pendingLength + (end > 0 ? chunk.indexOf(10) : chunk.length) > recordLimit)
      throw tooLong(file.name, firstLine, 'line', 'check that this is the right file and the right format')
    if (end > 0) {
      const bytes = joined([...pending, chunk.subarray(0, end)], isFileStart && firstLine === 1)
      const block = {...file, bytes, firstLine}
      // Before the block, and perhaps its bytes, is given away.
      firstLine += countLines(asBuffer(block))
      yield block
      pending = []
      pendingLength = 0
    }
    if (end < chunk.length) {
      pending.push(chunk.subarray(end))
      pendingLength += chunk.length - end
    }
  }
  if (pendingLength > 0) yield {...file, bytes: joined(pending, isFileStart && firstLine === 1), firstLine}
}

/** Call `visit` with the text and number of every line that is not blank, without its line end. */
export function eachLine(block: LineBlock, visit: (text: string, line: number) => void): void {
  const bytes = asBuffer(block)
  eachLineRange(block, (from, to, line) => {
    // Decoded line by line, not as one string, so that a word kept by the caller does not keep the whole block alive.
    const text = bytes.toString('utf8', from, to)
    if (text.trim() !== '') visit(text, line)
  })
}

/** Whether a line passes the test; stops at the first that does. */
export function someLine(block: LineBlock, test: (text: string) => boolean): boolean {
  const bytes = asBuffer(block)
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(10, from)
    const end = newline < 0 ? bytes.length : newline
    if (test(bytes.toString('utf8', from, end))) return true
    from = end + 1
  }
  return false
}

/** Call `visit` with the place in `block.bytes` and the number of every line that is not empty, without its line end. */
export function eachLineRange(block: LineBlock, visit: (from: number, to: number, line: number) => void): void {
  const bytes = asBuffer(block)
  checkUtf8(bytes, block.name, block.firstLine)
  let line = block.firstLine
  for (let from = 0; from < bytes.length; line++) {
    const newline = bytes.indexOf(10, from)
    const end = newline < 0 ? bytes.length : newline
    const to = end > from && bytes[end - 1] === 13 ? end - 1 : end
    if (to > from) visit(from, to, line)
    from = end + 1
  }
}

function joined(parts: readonly Uint8Array[], isFileStart: boolean): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  const start = isFileStart ? byteOrderMarkLength(bytes) : 0
  return start > 0 ? bytes.slice(start) : bytes
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}

export function lineText(block: LineBlock, from: number, to: number): string {
  return asBuffer(block).toString('utf8', from, to)
}

/** The same bytes as a Buffer, which searches and decodes faster. */
function asBuffer({bytes}: LineBlock): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
