import {expect, test} from 'vitest'
import {goldenRates, readGolden, sampleCounts} from '../test-golden.ts'
import {withLargerTables} from './larger-tables.ts'
import {permuteTable} from './moments.ts'
import {recoverMoments} from './recover-moments.ts'
import {recoverTable} from './recover-table.ts'

const golden = readGolden('m8')
const counts = sampleCounts(golden)
const noise = goldenRates(golden, golden.sample.pyFromSingles)
const options = {pull: 0.01, divergence: 'kl'} as const
const pairs = recoverMoments(counts, noise, options)
const moments = withLargerTables(pairs, 2, counts, noise, options)

test('withLargerTables(...) recovers tables beyond the order alone, their concepts in whatever order is asked for', () => {
  const {mu} = recoverTable(counts, noise, {latents: [1, 3, 4, 6]}, options)
  expect(moments.table([1, 3, 4, 6])).toEqual(mu)
  expect(moments.table([6, 1, 4, 3])).toEqual(permuteTable(mu, [1, 3, 4, 6], [6, 1, 4, 3]))
})

test('withLargerTables(...) keeps the moments it has, and gives fresh tables', () => {
  expect(moments.table([5, 2])).toEqual(pairs.pair(5, 2))
  expect(moments.certificate).toBe(pairs.certificate)
  const before = moments.table([0, 1, 2])
  moments.table([0, 1, 2]).fill(9)
  expect(moments.table([0, 1, 2])).toEqual(before)
})

test('permuteTable(...) moves the bits of the cells', () => {
  expect([...permuteTable([0, 1, 2, 3, 4, 5, 6, 7], [4, 7, 9], [9, 4, 7])]).toEqual([0, 2, 4, 6, 1, 3, 5, 7])
})
