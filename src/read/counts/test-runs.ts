import fc from 'fast-check'
import type {RunSpace, RunStore} from './runs.ts'

/** A store that keeps copies in memory, as many as `size` says. */
export function testStore(): RunStore & {readonly size: number} {
  const kept: Uint8Array[] = []
  return {
    get size() {
      return kept.length
    },
    put: bytes => ({file: 'test', offset: kept.push(bytes.slice()) - 1}),
    get({offset}, length) {
      if (kept[offset].length !== length) throw new Error('another length was put')
      return kept[offset]
    },
    async close() {
      kept.length = 0
    }
  }
}

/** Spaces so small that runs of a few documents fill them; with and without a store. */
export const anySpace: fc.Arbitrary<RunSpace> = fc.record({
  limit: fc.constantFrom(0, 1, 30, 10_000),
  store: fc.boolean().map(hasStore => (hasStore ? testStore() : undefined)),
  isShared: fc.boolean(),
  pieceSize: fc.constantFrom(1, 20, 1000)
})
