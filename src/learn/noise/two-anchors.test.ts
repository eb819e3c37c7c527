import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {type MemberWorld, populationWorld, randomWorld, sampleWorld, unitedRates} from './test-members.ts'
import {type TwoAnchorRates, twoAnchorRates} from './two-anchors.ts'

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
      expect(found.certificate.pairCount).toBe((memberCount * (memberCount - 1)) / 2)
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
