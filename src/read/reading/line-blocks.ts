import {type ByteTools, type ByteView, joined, portableTools} from './bytes.ts'
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
  isFileStart = true,
  tools: ByteTools = portableTools
): AsyncGenerator<LineBlock & File> {
  let pending: Uint8Array[] = []
  let pendingLength = 0
  let firstLine = 1
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10) + 1
    if (pendingLength + (end > 0 ? chunk.indexOf(10) : chunk.length) > recordLimit)
      throw tooLong(file.name, firstLine, 'line', 'check that this is the right file and the right format')
    if (end > 0) {
      const bytes = copied([...pending, chunk.subarray(0, end)], isFileStart && firstLine === 1)
      const block = {...file, bytes, firstLine}
      // Before the block, and perhaps its bytes, is given away.
      firstLine += countLines(tools.view(bytes))
      yield block
      pending = []
      pendingLength = 0
    }
    if (end < chunk.length) {
      pending.push(chunk.subarray(end))
      pendingLength += chunk.length - end
    }
  }
  if (pendingLength > 0) yield {...file, bytes: copied(pending, isFileStart && firstLine === 1), firstLine}
}

/** Call `visit` with the text and number of every line that is not blank, without its line end. */
export function eachLine(
  block: LineBlock,
  visit: (text: string, line: number) => void,
  tools: ByteTools = portableTools
): void {
  const view = tools.view(block.bytes)
  const range = (from: number, to: number, line: number) => {
    // Decoded line by line, not as one string, so that a word kept by the caller does not keep the whole block alive.
    const text = view.text(from, to)
    if (text.trim() !== '') visit(text, line)
  }
  eachLineRange(block, range, tools)
}

/** Whether a line passes the test; stops at the first that does. */
export function someLine({bytes}: LineBlock, test: (text: string) => boolean): boolean {
  const view = portableTools.view(bytes)
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(10, from)
    const end = newline < 0 ? bytes.length : newline
    if (test(view.text(from, end))) return true
    from = end + 1
  }
  return false
}

/** Call `visit` with the place in `block.bytes` and the number of every line that is not empty, without its line end. */
export function eachLineRange(
  {bytes, name, firstLine}: LineBlock,
  visit: (from: number, to: number, line: number) => void,
  tools: ByteTools = portableTools
): void {
  const view = tools.view(bytes)
  checkUtf8(bytes, name, firstLine, tools)
  let line = firstLine
  for (let from = 0; from < bytes.length; line++) {
    const newline = view.indexOf(10, from)
    const end = newline < 0 ? bytes.length : newline
    const to = end > from && bytes[end - 1] === 13 ? end - 1 : end
    if (to > from) visit(from, to, line)
    from = end + 1
  }
}

/** In an ArrayBuffer of its own. */
function copied(parts: readonly Uint8Array[], isFileStart: boolean): Uint8Array {
  const bytes = parts.length === 1 ? new Uint8Array(parts[0]) : joined(parts)
  const start = isFileStart ? byteOrderMarkLength(bytes) : 0
  return start > 0 ? bytes.slice(start) : bytes
}

function countLines(view: ByteView): number {
  let count = 0
  for (let at = view.indexOf(10, 0); at >= 0; at = view.indexOf(10, at + 1)) count++
  return count
}
