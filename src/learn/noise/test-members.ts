import type {Rng} from '../../base/numeric/index.ts'
import {Counter, type Counts} from '../../read/counts/index.ts'
import {type Lexicon, textDefaults} from '../../read/data/index.ts'

/**
 * A model of three concepts in a chain. The anchor of the first has several members, which are independent given the concept; the
 * others have one. Each member has P(.=1|Y=0) and P(.=1|Y=1). Words are noisy-or of all three concepts.
 */
export interface MemberWorld {
  readonly prevalence: number
  /** P(Y_1=1|Y_0) and P(Y_2=1|Y_1), each for the values 0 and 1. */
  readonly chain: readonly (readonly [number, number])[]
  readonly members: readonly (readonly [number, number])[]
  readonly others: readonly (readonly [number, number])[]
  /** `failures[i][j]` belongs to concept i and word j, `leaks[j]` to word j. */
  readonly failures: readonly (readonly number[])[]
  readonly leaks: readonly number[]
}

export function randomWorld(random: Rng, memberCount: number, wordCount: number): MemberWorld {
  const between = (low: number, high: number) => low + (high - low) * random.next()
  const rates = () => [between(0.005, 0.05), between(0.35, 0.75)] as const
  return {
    prevalence: between(0.15, 0.35),
    chain: [0, 1].map(() => [between(0.1, 0.2), between(0.3, 0.5)]),
    members: Array.from({length: memberCount}, rates),
    others: [rates(), rates()],
    failures: [0, 1, 2].map(() =>
      Array.from({length: wordCount}, () => (random.next() < 0.5 ? 1 : between(0.5, 0.95)))
    ),
    leaks: Array.from({length: wordCount}, () => between(0.02, 0.2))
  }
}

/** Returns the rates of an anchor that fires when any member does. */
export function unitedRates({members}: MemberWorld): [number, number] {
  const silent = (y: 0 | 1) => members.reduce((product, rates) => product * (1 - rates[y]), 1)
  return [1 - silent(0), 1 - silent(1)]
}

export function worldLexicon({members, others, leaks}: MemberWorld): Lexicon {
  const anchor = (concept: string, count: number) => ({
    concept,
    any: Array.from({length: count}, (_, w) => `${concept}-member-${w}`),
    not: [],
    rates: undefined
  })
  return {
    anchors: [anchor('main', members.length), ...others.map((_, k) => anchor(`other-${k}`, 1))],
    words: leaks.map((_, j) => `word-${String(j).padStart(3, '0')}`),
    phrases: [],
    reading: textDefaults,
    filter: undefined,
    skipped: []
  }
}

/** Draws documents from a world and counts them; `disturb` may change which members fired before that. */
export function sampleWorld(
  world: MemberWorld,
  documentCount: number,
  random: Rng,
  disturb: (members: Uint8Array, words: Uint8Array) => void = () => {}
): Counts {
  const lexicon = worldLexicon(world)
  const counter = new Counter({lexicon, labelShare: 0, seed: 0})
  const M = world.members.length
  const members = new Uint8Array(M + 2)
  const words = new Uint8Array(world.leaks.length)
  const draw = (chance: number): 0 | 1 => (random.next() < chance ? 1 : 0)
  for (let d = 0; d < documentCount; d++) {
    const y0 = draw(world.prevalence)
    const y1 = draw(world.chain[0][y0])
    const y2 = draw(world.chain[1][y1])
    for (let w = 0; w < M; w++) members[w] = draw(world.members[w][y0])
    members[M] = draw(world.others[0][y1])
    members[M + 1] = draw(world.others[1][y2])
    for (let j = 0; j < words.length; j++) words[j] = draw(wordChance(world, j, [y0, y1, y2]))
    disturb(members, words)
    const fired = [...members.keys()].filter(w => members[w] === 1)
    counter.add({members: fired, words: [...words.keys()].filter(j => words[j] === 1)})
  }
  return counter.finish()
}

/** Returns the expected counts of `documentCount` documents, by enumeration. */
export function populationWorld(world: MemberWorld, documentCount: number): Counts {
  const lexicon = worldLexicon(world)
  const M = world.members.length
  const n = world.leaks.length
  const patternCount = 2 ** (M + 2)
  const patternDocuments = new Float64Array(patternCount)
  const wordCounts = new Float64Array(patternCount * n)
  const of = (chance: number, value: number) => (value === 1 ? chance : 1 - chance)
  const fired = Array.from({length: patternCount}, (_, p) =>
    Array.from({length: M + 2}, (_, w) => w).filter(w => (p >> w) & 1)
  )
  for (let state = 0; state < 8; state++) {
    const y = [state & 1, (state >> 1) & 1, state >> 2]
    const prior = of(world.prevalence, y[0]) * of(world.chain[0][y[0]], y[1]) * of(world.chain[1][y[1]], y[2])
    const rates = [...world.members.map(rate => rate[y[0]]), world.others[0][y[1]], world.others[1][y[2]]]
    for (let p = 0; p < patternCount; p++) {
      const documents = rates.reduce((product, rate, w) => product * of(rate, (p >> w) & 1), prior * documentCount)
      patternDocuments[p] += documents
      for (let j = 0; j < n; j++) wordCounts[p * n + j] += documents * wordChance(world, j, y)
    }
  }
  const concepts = fired.map(list => [...new Set(list.map(w => Math.max(0, w - M + 1)))])
  return {
    lexicon,
    labelShare: 0,
    seed: 0,
    documentCount,
    patternCount,
    memberStarts: starts(fired.map(list => list.length)),
    members: Uint32Array.from(fired.flat()),
    conceptStarts: starts(concepts.map(list => list.length)),
    concepts: Uint32Array.from(concepts.flat()),
    patternDocuments,
    wordStarts: starts(fired.map(() => n)),
    wordIds: Uint32Array.from(wordCounts, (_, at) => at % n),
    wordCounts,
    labelled: new Float64Array(12)
  }
}

function wordChance({failures, leaks}: MemberWorld, j: number, y: readonly number[]): number {
  return 1 - y.reduce((absent, on, i) => (on === 1 ? absent * failures[i][j] : absent), 1 - leaks[j])
}

function starts(lengths: readonly number[]): Uint32Array {
  const from = new Uint32Array(lengths.length + 1)
  lengths.forEach((length, at) => {
    from[at + 1] = from[at] + length
  })
  return from
}
