import {describe, expect, it} from 'vitest'
import {buildTables} from '../../learn/inference/index.ts'
import {composeTestModel} from '../../learn/inference/test-models.ts'
import {absentWords, presentWords, sharedWords} from './explain-noisy-or.ts'

const rates = {truePositive: 0.5, falsePositive: 0.01}
const model = composeTestModel(
  [rates, rates],
  {parents: [[], []], cpt: [Float64Array.of(0.1), Float64Array.of(0.2)]},
  {
    failure: [
      [0.9, 0.5, 1, 0.7, 0.99, 0.2],
      [0.8, 0.6, 0.3, 0.7, 0.5, 1]
    ],
    leak: [0.1, 0.1, 0.1, 0.1, 0.1, 0]
  }
)
const tables = buildTables(model)
const usual = Float64Array.of(0.1, 0.2)

describe('presentWords(...)', () => {
  it('presentWords(...) compares with what causes the word as a rule, the strongest first', () => {
    const shares = presentWords(tables, [0, 1, 2, 5], 0, usual)
    const against = (f: number, otherOff: number) => Math.log((1 - f * otherOff) / (1 - otherOff))
    expect(shares).toEqual([
      {word: 5, logOdds: Number.POSITIVE_INFINITY},
      {word: 1, logOdds: expect.closeTo(against(0.5, 0.9 * 0.92), 12)},
      {word: 0, logOdds: expect.closeTo(against(0.9, 0.9 * 0.96), 12)}
    ])
  })
})

describe('absentWords(...)', () => {
  it('absentWords(...) names the strongest, as many as are asked for and worth it, and adds up the others', () => {
    const named = [5, 1, 3, 0].map(word => ({
      word,
      logOdds: expect.closeTo(Math.log([0.9, 0.5, 1, 0.7, 0.99, 0.2][word]), 12)
    }))
    const left = (...failures: number[]) => ({
      count: failures.length,
      logOdds: expect.closeTo(
        failures.reduce((sum, f) => sum + Math.log(f), 0),
        12
      )
    })
    expect(absentWords(tables, [], 0, 9)).toEqual({named, rest: left(0.99)})
    expect(absentWords(tables, [], 0, 2)).toEqual({named: named.slice(0, 2), rest: left(0.7, 0.9, 0.99)})
    expect(absentWords(tables, [1, 5], 0, 1)).toEqual({named: [named[2]], rest: left(0.9, 0.99)})
  })
})

describe('sharedWords(...)', () => {
  it('sharedWords(...) are those that both can cause, the strongest first, three at most', () => {
    // Products of weights: 0.02, 0.2, none, 0.09, 0.005, none.
    expect(sharedWords(tables, [0, 1, 2, 3, 4, 5], 0, 1)).toEqual([1, 3, 0])
    expect(sharedWords(tables, [2, 4, 5], 0, 1)).toEqual([4])
  })
})
