import {open} from 'node:fs/promises'
import {throwIfCancelled} from '../../base/checks/index.ts'
import {cannotRead} from './file-error.ts'
import type {ReadBytesOptions} from './read-bytes.ts'

/** Bytes `from` up to, not including, `to`. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

const chunkSize = 1024 * 1024
/** Beyond the range only the rest of one line is wanted. */
const tailSize = 64 * 1024
const newline = 10

/**
 * The lines of a plain file that begin in a range of its bytes, whole, in pieces. Ranges that touch give every line once,
 * however long it is. Read are the byte before the range, which tells whether a line begins with it, the range, and the
 * rest of its last line.
 */
export async function* readLineRange(
  path: string,
  {from, to}: ByteRange,
  {name = path, signal, onRead}: ReadBytesOptions = {}
): AsyncGenerator<Uint8Array> {
  try {
    const file = await open(path, 'r')
    try {
      let isInLine = from === 0
      for (let at = Math.max(0, from - 1); ; ) {
        throwIfCancelled(signal)
        const wanted = at < to ? Math.min(chunkSize, to - at) : tailSize
        const {bytesRead, buffer} = await file.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, at)
        if (bytesRead === 0) return
        const bytes = buffer.subarray(0, bytesRead)
        const start = isInLine ? 0 : bytes.indexOf(newline) + 1
        isInLine ||= start > 0
        onRead?.(Math.max(0, Math.min(to, at + bytesRead) - Math.max(from, at)))
        // The last line of the range ends at the first line end from the range's last byte on.
        const last = at + bytesRead < to ? -1 : bytes.indexOf(newline, Math.max(0, to - 1 - at))
        const end = last < 0 ? bytesRead : last + 1
        if (isInLine) yield bytes.subarray(start, end)
        at += bytesRead
        if (last >= 0 || (!isInLine && at >= to)) return
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw cannotRead(name, error)
  }
}
