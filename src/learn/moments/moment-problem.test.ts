import {describe, expect, test} from 'vitest'
import {goldenNames, goldenRates, readGolden, sampleCounts} from '../../../test/golden.ts'
import {anchorTable} from '../../read/counts/index.ts'
import {forEachTable, type MomentOrder} from '../polytopes/index.ts'
import {momentProblem} from './moment-problem.ts'
import {independentTable, ratesOf} from './recover-table.ts'

describe.each(goldenNames)('momentProblem on %s', name => {
  const golden = readGolden(name)
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)
  const N = counts.documentCount

  test.each([1, 2, 3] as const)('momentProblem(...) of order %i has the observed table of every set', order => {
    const {layout, observed} = made(order)
    let tables = 0
    forEachTable(layout, (concepts, start) => {
      const table = anchorTable(counts, concepts)
      // Equal to the last bit, so that cells without documents are 0 and not nearly.
      expect([...observed.subarray(start, start + table.length)]).toEqual(Array.from(table, cell => cell / N))
      tables++
    })
    expect(tables).toBe(layout.tableCount(1) + layout.tableCount(2) + layout.tableCount(3))
    expect(observed).toHaveLength(layout.size)
  })

  test.each([1, 2, 3] as const)('momentProblem(...) of order %i shrinkages with lambda times independence', order => {
    const {layout, shrinkageWeights, lambda} = made(order)
    expect(lambda).toBe(10 / N)
    forEachTable(layout, (concepts, start) => {
      const independent = independentTable(concepts.map(i => noise.prevalence[i]))
      expect(shrinkageWeights.slice(start, start + independent.length)).toEqual(
        independent.map(share => lambda * share)
      )
    })
  })

  test('momentProblem(...) keeps the rates and the divergence, and has no weights without a shrinkage', () => {
    const {rates, divergence} = made(3)
    expect(rates).toEqual(Array.from({length: golden.m}, (_, i) => ratesOf(noise, i)))
    expect(divergence).toBe('kl')
    const free = momentProblem(counts, noise, {order: 3, shrinkage: 0, divergence: 'l2'})
    expect(free.divergence).toBe('l2')
    expect(Math.max(...free.shrinkageWeights)).toBe(0)
  })

  function made(order: MomentOrder) {
    return momentProblem(counts, noise, {order, shrinkage: '10/N', divergence: 'kl'})
  }
})
