import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {PatternTable} from './pattern-table.ts'

const anyMembers = fc.subarray([0, 1, 2, 3, 12, 100, 4_000_000_000], {maxLength: 4})

function numbersOf(table: PatternTable, patterns: readonly (readonly number[])[]): number[] {
  // Behind another list, so that places count.
  const members = Uint32Array.from([7, ...patterns.flat()])
  let at = 1
  return patterns.map(pattern => {
    at += pattern.length
    return table.numberOf(members, at - pattern.length, at)
  })
}

/** Member by member, a shorter pattern before those that continue it. */
function slowOrder(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((member, place) => member !== b[place])
  return at < 0 || at >= b.length ? a.length - b.length : a[at] - b[at]
}

function membersOf(table: PatternTable, pattern: number): number[] {
  const {members, memberStarts} = table.rows()
  return [...members.subarray(memberStarts[pattern], memberStarts[pattern + 1])]
}

test('PatternTable numbers patterns as they are first met, and knows them again', () => {
  fc.assert(
    fc.property(fc.array(anyMembers, {maxLength: 40}), patterns => {
      const table = new PatternTable()
      const names = patterns.map(pattern => pattern.join())
      const distinct = [...new Set(names)]
      expect(numbersOf(table, patterns)).toEqual(names.map(name => distinct.indexOf(name)))
      expect(table.size).toBe(distinct.length)
      expect([...table.sorted()].map(pattern => membersOf(table, pattern))).toEqual(
        distinct.map(name => (name === '' ? [] : name.split(',').map(Number))).sort(slowOrder)
      )
    })
  )
})

test('PatternTable tells 50,000 patterns apart, beyond the size it begins with', () => {
  const random = rng(1)
  const patterns = Array.from({length: 50_000}, (_, at) => [at % 1000, 1000 + Math.floor(at / 1000), 5000])
  const table = new PatternTable()
  expect(numbersOf(table, patterns)).toEqual(patterns.map((_, at) => at))
  for (let draw = 0; draw < 1000; draw++) {
    const at = Math.floor(random.next() * patterns.length)
    expect(numbersOf(table, [patterns[at]])).toEqual([at])
    expect(membersOf(table, at)).toEqual(patterns[at])
  }
})

test('PatternTable tells patterns of the same hash apart', () => {
  // Found by search: both have the hash 538560542.
  const patterns = [
    [0, 1],
    [8940, 23633]
  ]
  const table = new PatternTable()
  expect(numbersOf(table, [...patterns, ...patterns])).toEqual([0, 1, 0, 1])
})
