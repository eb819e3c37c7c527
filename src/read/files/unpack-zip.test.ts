import {describe, expect, test} from 'vitest'
import {zipped} from '../../../test/workbook.ts'
import {refusalOf} from './test-folder.ts'
import {unpackZip} from './unpack-zip.ts'

const unpack = (bytes: Uint8Array, limit = 2 ** 20) =>
  unpackZip(Buffer.from(bytes), 'x.zip', limit, name => name !== 'b')

describe('unpackZip(...)', () => {
  test('gives the files that are wanted', () => {
    const files = unpack(zipped({a: 'hello', b: 'x', 'c/d': ''}))
    expect([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['a', 'hello'],
      ['c/d', '']
    ])
  })

  test('refuses a small archive of many bytes, whatever sizes it states', async () => {
    const bomb = Buffer.from(zipped({a: Buffer.alloc(600_000), c: Buffer.alloc(600_000)}))
    expect(bomb.length).toBeLessThan(5000)
    expect(await refusalOf(() => unpack(bomb), 'bad-file')).toMatch(/over 1 MB, decompressed, and at most that is read/)
    // The sizes in the directory, which a reader might trust, say 1.
    for (let at = bomb.indexOf('PK\x01\x02'); at >= 0; at = bomb.indexOf('PK\x01\x02', at + 1))
      bomb.writeUInt32LE(1, at + 24)
    expect(await refusalOf(() => unpack(bomb), 'bad-file')).toMatch(/over 1 MB/)
    expect(unpack(bomb, 2 ** 21).size).toBe(2)
  })

  test('refuses passwords, and every archive that is cut short or changed', async () => {
    const bytes = Buffer.from(zipped({a: 'some text '.repeat(100)}))
    const locked = Buffer.from(bytes)
    locked[locked.indexOf('PK\x01\x02') + 8] |= 1
    expect(await refusalOf(() => unpack(locked), 'bad-file')).toMatch(/has a password/)
    const changed = Buffer.from(bytes)
    changed[40] ^= 1
    expect(await refusalOf(() => unpack(changed), 'bad-file')).toMatch(/damaged/)
    for (let length = 0; length < bytes.length; length++)
      expect(await refusalOf(() => unpack(bytes.subarray(0, length)), 'bad-file')).toMatch(/damaged or cut short/)
  })
})
