import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Rng, randomIndex, rng, shuffled} from './rng.ts'
import {chiSquare, histogram} from './test-chi-square.ts'

const draw = (random: Rng, count: number) => Array.from({length: count}, () => random.next())

/** Pairs of numbers, by the eighth of the unit interval that each lies in. */
function pairCells(pairs: Iterable<readonly [number, number]>): number[] {
  const cells = new Array<number>(64).fill(0)
  for (const [a, b] of pairs) cells[8 * Math.floor(8 * a) + Math.floor(8 * b)]++
  return cells
}

function expectUniform(cells: readonly number[]): void {
  const {statistic, bound} = chiSquare(cells)
  expect(statistic).toBeLessThan(bound)
}

describe('rng', () => {
  test('rng(seed) repeats itself, and another seed gives other numbers, 0 being a seed like any other', () => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        expect(draw(rng(seed), 20)).toEqual(draw(rng(seed), 20))
        expect(draw(rng(seed), 5)).not.toEqual(draw(rng(seed ^ 1), 5))
      }),
      {seed: 1, examples: [[0]]}
    )
  })

  test('rng(seed) never changes its numbers', () => {
    expect(draw(rng(7), 3)).toEqual([0.35457050004923807, 0.600055012150848, 0.4764838592414138])
    expect(draw(rng(7).stream('words'), 2)).toEqual([0.5038764536525914, 0.5108977542401312])
  })

  test('rng(seed).next() is uniform in [0, 1), one by one and in pairs', () => {
    const values = draw(rng(11), 100_000)
    expect(values.every(value => value >= 0 && value < 1)).toBe(true)
    expectUniform(histogram(values, 100))
    expectUniform(pairCells(values.slice(1).map((value, at) => [values[at], value])))
  })
})

describe('rng(seed).stream(name)', () => {
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

  test('stream(name) is independent of its source, of its siblings and of the same name under another seed', () => {
    const count = 50_000
    const pairs = (a: Rng, b: Rng) => Array.from({length: count}, () => [a.next(), b.next()] as const)
    expectUniform(pairCells(pairs(rng(5), rng(5).stream('a'))))
    expectUniform(pairCells(pairs(rng(5).stream('a'), rng(5).stream('b'))))
    expectUniform(pairCells(pairs(rng(5).stream('a'), rng(6).stream('a'))))
    expectUniform(pairCells(pairs(rng(5).stream('a'), rng(5).stream('a').stream('a'))))
  })
})

describe('randomIndex and shuffled', () => {
  test('randomIndex(random, limit) stays below the limit at the largest number that can be drawn', () => {
    const largest: Rng = {next: () => 1 - 2 ** -53, stream: () => largest}
    for (let limit = 1; limit < 5000; limit++) expect(randomIndex(largest, limit)).toBe(limit - 1)
  })

  test('shuffled(items, random) gives each of the 24 orders of four equally often', () => {
    const random = rng(22)
    const counts = new Map<string, number>()
    for (let at = 0; at < 24_000; at++) {
      const order = shuffled(['a', 'b', 'c', 'd'], random).join('')
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    expect(counts.size).toBe(24)
    expectUniform([...counts.values()])
  })
})
