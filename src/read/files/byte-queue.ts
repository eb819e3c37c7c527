/** Bytes that arrive in pieces of any size, taken in pieces of the size wanted. */
export interface ByteQueue {
  /** The next `count` bytes; throws the error of `cutShort` when there are fewer. */
  take(count: number): Promise<Buffer>
  /** As `take`, but undefined when not a single byte is left. */
  takeOrEnd(count: number): Promise<Buffer | undefined>
  skip(count: number): Promise<void>
  close(): Promise<void>
}

export function byteQueue(chunks: AsyncIterable<Uint8Array>, cutShort: () => Error): ByteQueue {
  const source = chunks[Symbol.asyncIterator]()
  let current: Buffer = Buffer.alloc(0)

  /** Up to `count` bytes, never none unless the source has ended. */
  async function takeSome(count: number): Promise<Buffer> {
    while (current.length === 0) {
      const next = await source.next()
      if (next.done) return current
      current = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength)
    }
    const taken = current.subarray(0, count)
    current = current.subarray(taken.length)
    return taken
  }

  async function takeOrEnd(count: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = []
    for (let missing = count; missing > 0; ) {
      const part = await takeSome(missing)
      if (part.length === 0 && parts.length === 0) return undefined
      if (part.length === 0) throw cutShort()
      parts.push(part)
      missing -= part.length
    }
    return parts.length === 1 ? parts[0] : Buffer.concat(parts)
  }

  return {
    takeOrEnd,
    async take(count) {
      const bytes = await takeOrEnd(count)
      if (bytes === undefined) throw cutShort()
      return bytes
    },
    async skip(count) {
      for (let missing = count; missing > 0; ) {
        const part = await takeSome(missing)
        if (part.length === 0) throw cutShort()
        missing -= part.length
      }
    },
    async close() {
      await source.return?.()
    }
  }
}
