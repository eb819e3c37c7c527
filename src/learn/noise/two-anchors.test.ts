import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {goldenNames} from '../../../test/golden.ts'
import {rng} from '../../base/numeric/index.ts'
import {type MemberWorld, populationWorld, randomWorld, sampleWorld, unitedRates} from './test-members.ts'
import {
  type Conditional,
  type Decomposition,
  decomposeTensor,
  type TwoAnchorRates,
  twoAnchorRates
} from './two-anchors.ts'

describe('twoAnchorRates of a population', () => {
  test.each([2, 3, 4])('twoAnchorRates(...) is exact to 1e-9 with %d members', memberCount => {
    for (let seed = 0; seed < 10; seed++) {
      const world = randomWorld(rng(seed), memberCount, 10)
      const found = estimated(twoAnchorRates(populationWorld(world, 1e8), 0))
      numbers(found).forEach((estimate, at) => {
        expect(estimate).toBeCloseTo(truth(world)[at], 9)
      })
      expect(found.certificate.rejectedViews).toEqual([])
      expect(found.certificate.pairSpread).toBeLessThan(1e-9)
    }
  })
})

describe('twoAnchorRates of samples', () => {
  test('twoAnchorRates(...) rejects and names words with a way of their own to a member', () => {
    const world = randomWorld(rng(5), 2, 15)
    const random = rng(6)
    const counts = sampleWorld(world, 20000, rng(7), (members, words) => {
      if (members[0] === 1 && random.next() < 0.3) words[3] = 1
      if (members[0] === 1 && members[1] === 1) words[9] = 1
    })
    const {truePositive, falsePositive, certificate} = estimated(twoAnchorRates(counts, 0))
    expect(certificate.rejectedViews.toSorted()).toEqual(['word-003', 'word-009'])
    const [e, t] = unitedRates(world)
    // About four standard errors of 20,000 documents.
    expect(Math.abs(truePositive - t)).toBeLessThan(0.06)
    expect(Math.abs(falsePositive - e)).toBeLessThan(0.015)
  })

  test('twoAnchorRates(...) takes a word that goes against the concept for as much as its opposite', () => {
    const world = randomWorld(rng(1), 2, 5)
    const word = world.failures[0].findIndex(failure => failure < 0.8)
    const plain = estimated(twoAnchorRates(sampleWorld(world, 20000, rng(2)), 0))
    const flipped = sampleWorld(world, 20000, rng(2), (_, words) => {
      words[word] = 1 - words[word]
    })
    const found = estimated(twoAnchorRates(flipped, 0))
    expect(found.certificate.usedViews).toContain(`word-00${word}`)
    expect(found.prevalence).toBeCloseTo(plain.prevalence, 9)
  })
})

describe('twoAnchorRates refuses', () => {
  const world = randomWorld(rng(12), 2, 5)

  test('twoAnchorRates(...) has nothing to say of an anchor with one member', () => {
    expect(twoAnchorRates(populationWorld(world, 1e6), 1)).toBe('its anchor has one member; two or more are needed')
  })

  test.each([
    {
      fault: /do not occur together more often than by chance/,
      change: {members: [[0.2, 0.2] as const, [0.1, 0.5] as const]}
    },
    {
      fault: /no word or other anchor depends significantly on two of its members/,
      change: {chain: [1, 2].map(() => [0.2, 0.2] as const), failures: [1, 2, 3].map(() => [1, 1, 1, 1, 1])}
    }
  ])('twoAnchorRates(...) is unusable, with the reason: $fault', ({fault, change}) => {
    const found = twoAnchorRates(sampleWorld({...world, ...change}, 5000, rng(13)), 0)
    expect(found).toMatch(fault)
  })

  test('twoAnchorRates(...) does not pass on rates outside [0, 1]', () => {
    const random = rng(14)
    const counts = sampleWorld(world, 20000, rng(15), (members, words) => {
      const pattern = random.next()
      const on = pattern < 0.6 ? [0, 0, 0] : pattern < 0.73 ? [0, 1, 1] : pattern < 0.86 ? [1, 0, 1] : [1, 1, 0]
      members.fill(0)
      members[0] = on[0]
      members[1] = on[1]
      words.fill(on[2])
    })
    expect(twoAnchorRates(counts, 0)).toMatch(/rates outside \[0, 1\]/)
  })
})

function estimated(found: TwoAnchorRates | string): TwoAnchorRates {
  if (typeof found === 'string') throw new Error(found)
  return found
}

function numbers({prevalence, falsePositive, truePositive}: TwoAnchorRates) {
  return [prevalence, falsePositive, truePositive]
}

function truth(world: MemberWorld): number[] {
  return [world.prevalence, ...unitedRates(world)]
}

interface Components {
  readonly prevalence: number
  readonly first: Conditional
  readonly second: Conditional
  readonly third: Conditional
}

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
