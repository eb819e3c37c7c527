import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {hashString} from './hash.ts'
import {type Rng, randomIndex, rng, shuffled} from './rng.ts'

const draw = (random: Rng, count: number) => Array.from({length: count}, () => random.next())

/** xoroshiro128+ as its authors define it, in integers of any size. */
function slowDraws(key: string, count: number): number[] {
  const word = (value: bigint) => BigInt.asUintN(64, value)
  const rotate = (value: bigint, by: bigint) => word(value << by) | (value >> (64n - by))
  const [high0, low0, high1, low1] = [1, 2, 3, 4].map(part => BigInt(hashString(key, part)))
  let [s0, s1] = [(high0 << 32n) | low0, (high1 << 32n) | low1]
  const lowBits = (bits: number) => {
    const sum = word(s0 + s1)
    const mixed = s0 ^ s1
    s0 = rotate(s0, 24n) ^ mixed ^ word(mixed << 16n)
    s1 = rotate(mixed, 37n)
    return Number(BigInt.asUintN(bits, sum))
  }
  return Array.from({length: count}, () => lowBits(26) / 2 ** 26 + lowBits(27) / 2 ** 53)
}

describe('rng', () => {
  test('rng(seed) equals the definition of xoroshiro128+, and another seed gives other numbers', () => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        expect(draw(rng(seed), 20)).toEqual(slowDraws(String(seed), 20))
        expect(draw(rng(seed), 5)).not.toEqual(draw(rng(seed ^ 1), 5))
      }),
      {seed: 1, examples: [[0]]}
    )
  })

  test('rng(seed) never changes its numbers', () => {
    expect(draw(rng(7), 3)).toEqual([0.35457050004923807, 0.600055012150848, 0.4764838592414138])
    expect(draw(rng(7).stream('words'), 2)).toEqual([0.5038764536525914, 0.5108977542401312])
  })

  test('stream(name) is the same whatever was drawn before or between', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), fc.nat(50), (seed, name, drawn) => {
        const used = rng(seed)
        draw(used, drawn)
        draw(used.stream('another'), 3)
        expect(draw(used.stream(name), 10)).toEqual(draw(rng(seed).stream(name), 10))
      }),
      {seed: 2}
    )
  })
})

test('randomIndex(random, limit) stays below the limit at the largest number that can be drawn', () => {
  const largest: Rng = {next: () => 1 - 2 ** -53, stream: () => largest}
  for (let limit = 1; limit < 5000; limit++) expect(randomIndex(largest, limit)).toBe(limit - 1)
})

test('shuffled(items, random) draws among all items that are left, from the last place to the second', () => {
  const first: Rng = {next: () => 0, stream: () => first}
  const last: Rng = {next: () => 1 - 2 ** -53, stream: () => last}
  expect(shuffled(['a', 'b', 'c', 'd'], first)).toEqual(['b', 'c', 'd', 'a'])
  expect(shuffled(['a', 'b', 'c', 'd'], last)).toEqual(['a', 'b', 'c', 'd'])
})
