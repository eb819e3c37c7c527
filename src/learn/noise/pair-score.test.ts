import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {memberFlags} from '../../read/counts/index.ts'
import {choosePairScore} from './pair-score.ts'
import {type MemberWorld, randomWorld, sampleWorld} from './test-members.ts'

const alike: MemberWorld = {
  ...randomWorld(rng(5), 2, 15),
  members: [
    [0.03, 0.5],
    [0.03, 0.5]
  ]
}

type Disturb = (members: Uint8Array, words: Uint8Array) => void

test('choosePairScore(...) weighs a word that goes against the concept by the opposite sign', () => {
  const world = randomWorld(rng(1), 2, 5)
  const word = 5 + world.failures[0].findIndex(failure => failure < 0.8)
  const flipped = scoreOf(world, (_, words) => {
    words[word - 5] = 1 - words[word - 5]
  })
  expect(flipped.used).toContain(word)
  expect(flipped.weights[word]).toBeLessThan(0)
  expect(flipped.weights[word]).toBeCloseTo(-scoreOf(world).weights[word], 12)
})

test('choosePairScore(...) takes no word that goes with one member and against the other', () => {
  const {used, rejected} = scoreOf(alike, (members, words) => {
    words[0] = members[0] > members[1] ? 1 : 0
  })
  expect([...used, ...rejected]).not.toContain(5)
})

test('choosePairScore(...) rejects a word that comes with both members together, though it favours neither', () => {
  const {rejected} = scoreOf(alike, (members, words) => {
    if (members[0] === 1 && members[1] === 1) words[0] = 1
  })
  expect(rejected).toEqual([5])
})

test('choosePairScore(...) rejects a word that comes with one member alone', () => {
  const random = rng(4)
  const {rejected} = scoreOf(alike, (members, words) => {
    if (members[0] > members[1] && random.next() < 0.25) words[0] = 1
  })
  expect(rejected).toEqual([5])
})

test('choosePairScore(...) finds disagreement of about 1 among sound words, and more where each has ways of its own', () => {
  const random = rng(3)
  const sound = scoreOf(alike)
  const unsound = scoreOf(alike, (members, words) => {
    for (let j = 0; j < words.length; j++) if (members[j % 2] === 1 && random.next() < 0.06) words[j] = 1
  })
  expect(sound.disagreement).toBeGreaterThan(0.6)
  expect(sound.disagreement).toBeLessThan(1.4)
  expect(unsound.disagreement).toBeGreaterThan(1.4)
})

function scoreOf(world: MemberWorld, disturb?: Disturb) {
  const counts = sampleWorld(world, 20000, rng(2), disturb)
  return choosePairScore(counts, {concept: 0, memberCount: 2, flags: memberFlags(counts, 0)}, [0, 1])
}
