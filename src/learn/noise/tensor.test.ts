import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {goldenNames} from '../../../test/golden.ts'
import {rng} from '../../base/numeric/index.ts'
import {type Conditional, type Decomposition, decomposeTensor, type PairGroups, solvePair} from './tensor.ts'

interface Components {
  readonly prevalence: number
  readonly first: Conditional
  readonly second: Conditional
  readonly third: Conditional
}

const example: Components = {prevalence: 0.3, first: [0.05, 0.6], second: [0.1, 0.5], third: [0.2, 0.7]}

describe('decomposeTensor', () => {
  test.each(goldenNames)('decomposeTensor(...) recovers the golden components of %s', name => {
    const {tensor_W1_W2_X, expected, recovered} = readTensor(name)
    const found = decomposed(tensor_W1_W2_X.flat(2).map(share => share * 1e9))
    expect(found.prevalence).toBeCloseTo(expected.p1, 9)
    expectPair(found.first, expected.w1)
    expectPair(found.second, expected.w2)
    expectPair(found.third, recovered.x)
  })

  test('decomposeTensor(...) recovers any two components from their table to 1e-9, negative dependences included', () => {
    const rate = fc.double({min: 0.01, max: 0.99, noNaN: true})
    const conditional = fc.tuple(rate, rate).filter(([e, t]) => Math.abs(t - e) > 0.1)
    const components = fc.record({
      prevalence: fc.double({min: 0.05, max: 0.95, noNaN: true}),
      first: conditional.filter(([e, t]) => t > e),
      second: conditional,
      third: conditional
    })
    fc.assert(
      fc.property(components, truth => {
        const found = decomposed(table(truth, 1e9))
        expect(found.prevalence).toBeCloseTo(truth.prevalence, 9)
        expectPair(found.first, truth.first)
        expectPair(found.second, truth.second)
        expectPair(found.third, truth.third)
      })
    )
  })

  test.each([
    {view: 'first', others: 'the first and the second and the first and the third'},
    {view: 'second', others: 'the first and the second and the second and the third'},
    {view: 'third', others: 'the first and the third and the second and the third'}
  ])(
    'decomposeTensor(...) does not use a table whose $view view is not significantly dependent on the others',
    given => {
      const still = table({...example, [given.view]: [0.3, 0.31]}, 10000)
      expect(decomposeTensor(still)).toEqual({
        kind: 'unusable',
        reason: `${given.others} are not significantly dependent`
      })
    }
  )

  test('decomposeTensor(...) does not use covariances whose signs no two components have', () => {
    // First with second and with third positive, second with third negative.
    expect(decomposeTensor([100, 300, 300, 100, 100, 500, 500, 300].map(n => n * 100))).toMatchObject({
      kind: 'unusable',
      reason: expect.stringMatching(/do not fit two components/)
    })
  })

  test('decomposeTensor(...) does not use components that are no probabilities', () => {
    expect(decomposeTensor([600, 5, 5, 200, 5, 200, 200, 5].map(n => n * 100))).toMatchObject({
      kind: 'unusable',
      reason: expect.stringMatching(/outside \[0, 1\]/)
    })
  })
})

function table({prevalence, first, second, third}: Components, documentCount: number): number[] {
  return Array.from({length: 8}, (_, cell) => {
    const of = (rate: number, value: number) => (value === 1 ? rate : 1 - rate)
    const component = (y: 0 | 1) =>
      of(prevalence, y) * of(first[y], cell >> 2) * of(second[y], (cell >> 1) & 1) * of(third[y], cell & 1)
    return documentCount * (component(0) + component(1))
  })
}

function decomposed(documents: readonly number[]): Decomposition {
  const found = decomposeTensor(documents)
  if (found.kind === 'unusable') throw new Error(found.reason)
  return found
}

function expectPair(found: Conditional, expected: Conditional): void {
  expect(found[0]).toBeCloseTo(expected[0], 9)
  expect(found[1]).toBeCloseTo(expected[1], 9)
}

interface GoldenTensor {
  readonly tensor_W1_W2_X: readonly (readonly (readonly number[])[])[]
  readonly expected: {readonly p1: number; readonly w1: Conditional; readonly w2: Conditional}
  readonly recovered: {readonly x: Conditional}
}

function readTensor(name: string): GoldenTensor {
  const golden = JSON.parse(readFileSync(new URL(`../../../fixtures/${name}.json`, import.meta.url), 'utf8'))
  return (golden as {readonly twoAnchorTensor: GoldenTensor}).twoAnchorTensor
}

test('solvePair(...) has the standard errors of its twin, which moves the number of documents of each group', () => {
  const groups = someGroups()
  const {documents} = groups
  const squares = new Float64Array(solved(groups).parameters.length)
  for (let g = 0; g < documents.length; g++) {
    const step = 1e-5 * documents[g]
    const moved = (by: number) => solved({...groups, documents: documents.with(g, documents[g] + by)}).parameters
    const [up, down] = [moved(step), moved(-step)]
    for (let at = 0; at < squares.length; at++) squares[at] += documents[g] * ((up[at] - down[at]) / (2 * step)) ** 2
  }
  solved(groups).standardErrors.forEach((error, at) => {
    expect(error / Math.sqrt(squares[at])).toBeCloseTo(1, 5)
  })
})

test('solvePair(...) takes a group with a variance of its score as two groups without', () => {
  const groups = someGroups()
  const twice = (values: Float64Array) => Float64Array.from([...values, ...values])
  const spread = groups.score.map((_, g) => 0.1 + 0.02 * g)
  const halves = {
    ...groups,
    a: Uint8Array.from([...groups.a, ...groups.a]),
    b: Uint8Array.from([...groups.b, ...groups.b]),
    c: Uint8Array.from([...groups.c, ...groups.c]),
    documents: twice(groups.documents).map(documents => documents / 2),
    score: Float64Array.from([
      ...groups.score.map((s, g) => s - spread[g]),
      ...groups.score.map((s, g) => s + spread[g])
    ]),
    scoreVariance: twice(groups.scoreVariance)
  }
  const whole = solved({...groups, scoreVariance: spread.map(deviation => deviation ** 2)})
  whole.standardErrors.forEach((error, at) => {
    expect(error).toBeCloseTo(solved(halves).standardErrors[at], 10)
    expect(whole.parameters[at]).toBeCloseTo(solved(halves).parameters[at], 10)
  })
})

/** The 8 patterns of three members, and scores that follow a concept behind them, about. */
function someGroups(): PairGroups {
  const random = rng(1)
  const patterns = Array.from({length: 8}, (_, g) => [g >> 2, (g >> 1) & 1, g & 1])
  const share = (rates: readonly number[], fired: readonly number[]) =>
    fired.reduce((product, on, w) => product * (on ? rates[w] : 1 - rates[w]), 1)
  const present = patterns.map(fired => 0.3 * share([0.6, 0.5, 0.7], fired))
  const absent = patterns.map(fired => 0.7 * share([0.05, 0.1, 0.02], fired))
  return {
    a: Uint8Array.from(patterns, ([a]) => a),
    b: Uint8Array.from(patterns, ([, b]) => b),
    c: Uint8Array.from(patterns, ([, , c]) => c),
    documents: Float64Array.from(present, (share, g) => 1000 * (share + absent[g])),
    score: Float64Array.from(present, (share, g) => (2 * share) / (share + absent[g]) + 0.05 * random.next()),
    scoreVariance: new Float64Array(8)
  }
}

function solved(groups: PairGroups) {
  const solution = solvePair(groups)
  if (solution === undefined) throw new Error('no components')
  return solution
}
