import type {Writable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {createGzip} from 'node:zlib'

/** Takes bytes. `end` is called after the last of them. */
export interface Sink {
  write(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
}

/** Node writes less than 2 GB at once. */
const writeLimit = 2 ** 30

/** The part of a file handle that is needed here. */
interface WritableFile {
  write(bytes: Uint8Array, offset: number, length: number): Promise<{readonly bytesWritten: number}>
}

export function fileSink(file: WritableFile): Sink {
  return {
    async write(bytes) {
      // A disk that is nearly full takes a part first, and fails only on the rest.
      for (let at = 0; at < bytes.length; ) {
        const length = Math.min(bytes.length - at, writeLimit)
        at += (await file.write(bytes, at, length)).bytesWritten
      }
    },
    end: async () => {}
  }
}

export function streamSink(stream: Writable): Sink {
  // A stream whose reader has gone fails both the write and its listeners; without a listener the process would end.
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  return {
    write: bytes =>
      new Promise((resolve, reject) => {
        stream.write(bytes, error => (error ? reject(error) : resolve()))
      }),
    end: async () => {}
  }
}

/** Compress on the way to `below`, as one gzip member, since the decompressor of browsers reads only the first. */
export function gzipSink(below: Sink): Sink {
  const gzip = createGzip()
  const done = pipeline(gzip, async (compressed: AsyncIterable<Uint8Array>) => {
    for await (const bytes of compressed) await below.write(bytes)
  })
  // A compressor that is stopped by an error below never calls back for the write that it was working on.
  let fail: (error: unknown) => void = ignore
  done.catch(error => fail(error))
  return {
    async write(bytes) {
      const written = new Promise<void>((resolve, reject) => {
        fail = reject
        gzip.write(bytes, error => (error ? reject(error) : resolve()))
      })
      await written.catch(async error => {
        await done
        throw error
      })
    },
    async end() {
      gzip.end()
      await done
      await below.end()
    }
  }
}

/** Gather small writes until there are 64 KB of them, since each one below costs a system call. */
export function bufferedSink(below: Sink): Sink {
  const limit = 65_536
  let parts: Uint8Array[] = []
  let length = 0
  async function flush(): Promise<void> {
    const bytes = Buffer.concat(parts)
    parts = []
    length = 0
    if (bytes.length > 0) await below.write(bytes)
  }
  return {
    async write(bytes) {
      if (length + bytes.length > limit) await flush()
      if (bytes.length > limit) return below.write(bytes)
      // A copy, since the caller may fill the same array again before it is written.
      parts.push(Uint8Array.from(bytes))
      length += bytes.length
    },
    async end() {
      await flush()
      await below.end()
    }
  }
}

function ignore(): void {}
