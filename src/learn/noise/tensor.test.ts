import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {goldenNames} from '../../../test/golden.ts'
import {type Conditional, type Decomposition, decomposeTensor, standardErrors} from './two-anchors.ts'

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

  test('decomposeTensor(...) has no components for covariances whose signs no two have', () => {
    // First with second and with third positive, second with third negative.
    expect(decomposeTensor([100, 300, 300, 100, 100, 500, 500, 300])).toBe(undefined)
  })
})

test('standardErrors(...) are those of binomial shares and of a covariance', () => {
  const cells = table(example, 1000)
  const mean = (of: readonly number[], value: (cell: number) => number) =>
    of.reduce((sum, documents, cell) => sum + documents * value(cell), 0) / of.reduce((sum, count) => sum + count, 0)
  const [isFirst, isSecond] = [(cell: number) => cell >> 2, (cell: number) => (cell >> 1) & 1]
  const [share, covariance] = standardErrors(cells, of => [
    mean(of, isFirst),
    mean(of, cell => isFirst(cell) * isSecond(cell)) - mean(of, isFirst) * mean(of, isSecond)
  ])
  const [a, b] = [mean(cells, isFirst), mean(cells, isSecond)]
  expect(share).toBeCloseTo(Math.sqrt((a * (1 - a)) / 1000), 8)
  const product = (cell: number) => (isFirst(cell) - a) * (isSecond(cell) - b)
  const variance = mean(cells, cell => product(cell) ** 2) - mean(cells, product) ** 2
  expect(covariance).toBeCloseTo(Math.sqrt(variance / 1000), 8)
})

/** The table of documents at `4*first + 2*second + third`. */
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
  if (found === undefined) throw new Error('no components')
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
