import {randomBytes} from 'node:crypto'
import {expect, test} from 'vitest'
import {bufferedSink, fileSink, gzipSink, type Sink} from './sink.ts'

const noise = Uint8Array.from({length: 400_000}, (_, index) => (index * index * 31) >> 3)

function collector(): Sink & {writes: Buffer[]} {
  const writes: Buffer[] = []
  return {
    writes,
    write: async bytes => void writes.push(Buffer.from(bytes)),
    end: async () => {}
  }
}

test('fileSink(file) goes on when the system takes only a part', async () => {
  const taken: number[] = []
  const file = {
    async write(bytes: Uint8Array, at: number, length: number) {
      const bytesWritten = Math.min(length, 3)
      taken.push(...bytes.subarray(at, at + bytesWritten))
      return {bytesWritten, buffer: bytes}
    }
  }
  await fileSink(file).write(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
  expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('gzipSink(below) reports the error of a write that failed earlier', async () => {
  const full = new Error('disk full')
  const sink = gzipSink({write: () => Promise.reject(full), end: async () => {}})
  const writes = async () => {
    for (;;) {
      await sink.write(noise)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  await expect(writes()).rejects.toBe(full)
  await expect(sink.write(noise)).rejects.toBe(full)
  await expect(sink.end()).rejects.toBe(full)
})

test('gzipSink(below) does not wait for ever when the disk fills up in the middle of a large write', async () => {
  const full = new Error('disk full')
  let room = 2
  const sink = gzipSink({
    write: async () => {
      await new Promise(resolve => setImmediate(resolve))
      if (room-- === 0) throw full
    },
    end: async () => {}
  })
  await expect(sink.write(randomBytes(1_000_000))).rejects.toBe(full)
  await expect(sink.end()).rejects.toBe(full)
})

test('bufferedSink(below) gathers small writes and keeps their order', async () => {
  const below = collector()
  const sink = bufferedSink(below)
  for (let index = 0; index < 50_000; index++) await sink.write(Buffer.from(`${index},`))
  await sink.write(noise)
  await sink.write(Buffer.from('end'))
  await sink.end()
  const numbers = Array.from({length: 50_000}, (_, index) => `${index},`).join('')
  expect(
    Buffer.compare(Buffer.concat(below.writes), Buffer.concat([Buffer.from(numbers), noise, Buffer.from('end')]))
  ).toBe(0)
  expect(below.writes.length).toBeLessThan(10)
})
