import {byteOrderMarkLength, checkUtf8, recordLimit, tooLong} from './text-limits.ts'

/** Some whole lines of a file. */
export interface LineBlock {
  readonly bytes: Buffer
  /** The number of the first of them, from 1. */
  readonly firstLine: number
}

/** Cut pieces of bytes at line ends. Every line lies whole in one block; a byte order mark at the start is dropped. */
export async function* lineBlocks(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<LineBlock> {
  let pending: Uint8Array[] = []
  let pendingLength = 0
  let firstLine = 1
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10) + 1
    if (pendingLength + (end > 0 ? chunk.indexOf(10) : chunk.length) > recordLimit)
      throw tooLong(name, firstLine, 'line', 'check that this is the right file and the right format')
    if (end > 0) {
      const block = toBlock([...pending, chunk.subarray(0, end)], firstLine)
      yield block
      firstLine += countLines(block.bytes)
      pending = []
      pendingLength = 0
    }
    if (end < chunk.length) {
      pending.push(chunk.subarray(end))
      pendingLength += chunk.length - end
    }
  }
  if (pendingLength > 0) yield toBlock(pending, firstLine)
}

/** Call `visit` with the text and number of every line that is not blank, without its line end. */
export function eachLine(block: LineBlock, name: string, visit: (text: string, line: number) => void): void {
  const {bytes} = block
  eachLineRange(block, name, (from, to, line) => {
    // Decoded line by line, not as one string, so that a word kept by the caller does not keep the whole block alive.
    const text = bytes.toString('utf8', from, to)
    if (text.trim() !== '') visit(text, line)
  })
}

/** Call `visit` with the place in `block.bytes` and the number of every line that is not empty, without its line end. */
export function eachLineRange(
  block: LineBlock,
  name: string,
  visit: (from: number, to: number, line: number) => void
): void {
  const {bytes} = block
  checkUtf8(bytes, name, block.firstLine)
  let line = block.firstLine
  for (let from = 0; from < bytes.length; line++) {
    const newline = bytes.indexOf(10, from)
    const end = newline < 0 ? bytes.length : newline
    const to = end > from && bytes[end - 1] === 13 ? end - 1 : end
    if (to > from) visit(from, to, line)
    from = end + 1
  }
}

function toBlock(parts: readonly Uint8Array[], firstLine: number): LineBlock {
  const joined = parts.length === 1 ? parts[0] : Buffer.concat(parts)
  const bytes = Buffer.from(joined.buffer, joined.byteOffset, joined.byteLength)
  return {bytes: firstLine === 1 ? bytes.subarray(byteOrderMarkLength(bytes)) : bytes, firstLine}
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}
