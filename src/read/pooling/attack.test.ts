import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import {type Anchors, type CorpusDocument, textDefaults} from '../data/index.ts'
import {releaseCounts} from './release-counts.ts'
import {attack, attackGrowing, attackSite} from './test-attack.ts'
import {type AttackedCorpus, anyAttackedCorpus, countSite, siteLexicon} from './test-sites.ts'

let solver: LinearSolver
beforeAll(async () => {
  solver = await loadLinearSolver()
})

/** Documents of one kind: their concepts, words and labels, and how many there are. */
type Kind = readonly [
  anchors: readonly number[],
  words: readonly number[],
  labels: readonly number[] | undefined,
  times: number
]

function corpusOf(
  {names = [], words = [], exclusive}: {names?: string[][]; words?: string[]; exclusive?: Anchors[number]['exclusive']},
  blocks: AttackedCorpus['blocks'],
  kinds: readonly Kind[]
): AttackedCorpus {
  const anchors = names.map((any, i) => ({
    concept: `c${i}`,
    any,
    not: [],
    rates: undefined,
    ...(exclusive && {exclusive})
  }))
  const first = names.map((_, i) => names.slice(0, i).reduce((sum, any) => sum + any.length, 0))
  const documents = kinds.flatMap(([fired, words, labels, times], kind) =>
    Array.from(
      {length: times},
      (_, at): CorpusDocument => ({
        key: `${kind}-${at}`,
        anchors: fired,
        members: fired.map(i => first[i]),
        words,
        labels: labels && Int8Array.from(labels)
      })
    )
  )
  const lexicon = {...siteLexicon(0, 0), anchors, words, text: {...textDefaults, categories: ['ward']}}
  return {site: {lexicon, documents}, blocks, tied: [...anchors.keys()]}
}

const rules = {maxOrder: 2, minCell: 5}

describe('attacks on releases', () => {
  test('an integer program finds out no number that releaseCounts(...) withholds and no small cell', () => {
    let attacked = 0
    fc.assert(
      fc.property(
        anyAttackedCorpus,
        fc.integer({min: 1, max: 3}),
        fc.integer({min: 2, max: 8}),
        (corpus, maxOrder, minCell) => {
          fc.pre(corpus.site.documents.length >= Math.max(3, minCell))
          const found = attackSite(solver, corpus, {maxOrder, minCell})
          expect(found.pinned).toEqual([])
          // Each is proved open by two integer points.
          expect(found.open).toBe(found.attacked)
          attacked += found.attacked
        }
      ),
      {seed: 1, numRuns: 30}
    )
    expect(attacked).toBeGreaterThan(500)
  }, 120_000)

  test('it finds out numbers from growing data, but none where the second release continues the first', () => {
    let found = 0
    fc.assert(
      fc.property(anyAttackedCorpus, corpus => {
        expect(attackGrowing(solver, corpus, rules, true)?.pinned ?? []).toEqual([])
        found += attackGrowing(solver, corpus, rules, false)?.pinned.length ?? 0
      }),
      {seed: 2, numRuns: 6}
    )
    expect(found).toBeGreaterThan(20)
  }, 120_000)

  test.each<[string, AttackedCorpus]>([
    [
      'the votes of one source',
      corpusOf(
        {words: ['votes:nurse=A', 'votes:nurse=B', 'votes:nurse=C']},
        [{words: [0, 1, 2], anchors: []}],
        [
          [[], [0], undefined, 60],
          [[], [1], undefined, 39],
          [[], [2], undefined, 1]
        ]
      )
    ],
    [
      'the values of a category',
      corpusOf(
        {words: ['ward:a', 'ward:b', 'ward:c']},
        [{words: [0, 1, 2], anchors: []}],
        [
          [[], [0], undefined, 60],
          [[], [1], undefined, 38],
          [[], [2], undefined, 2]
        ]
      )
    ],
    [
      'labels of exclusive concepts',
      corpusOf(
        {names: [['a'], ['b'], ['c']], exclusive: {group: 0, size: 3}},
        [],
        [
          [[0], [], [1, 0, 0], 60],
          [[1], [], [0, 1, 0], 38],
          [[2], [], [0, 0, 1], 2],
          [[2], [], [0, 1, 0], 20],
          [[], [], [1, 0, 0], 20]
        ]
      )
    ],
    [
      'labels of some of the documents',
      corpusOf(
        {names: [['a']]},
        [],
        [
          [[0], [], [1], 102],
          [[0], [], undefined, 1],
          [[], [], [0], 40],
          [[], [], undefined, 20]
        ]
      )
    ],
    [
      'an anchor that mixes a value and a word',
      corpusOf(
        {names: [['b'], ['ward:icu', 'tube']], words: ['ward:a', 'ward:b', 'ward:c']},
        [{words: [0, 1, 2], anchors: [1]}],
        [
          [[1], [1], undefined, 4],
          [[0, 1], [0], undefined, 8],
          [[0], [2], undefined, 3]
        ]
      )
    ],
    [
      'an expression that implies another',
      corpusOf(
        {names: [['/pain/'], ['/chest pain/']]},
        [],
        [
          [[0], [], undefined, 3],
          [[0, 1], [], undefined, 40],
          [[], [], undefined, 57]
        ]
      )
    ]
  ])('%s give nothing away', (_, corpus) => {
    const found = attackSite(solver, corpus, rules)
    expect(found.attacked).toBeGreaterThan(0)
    expect(found).toMatchObject({pinned: [], open: found.attacked})
  })

  test('the twin finds a number that follows from the others of its block', () => {
    const corpus = corpusOf(
      {words: ['ward:a', 'ward:b', 'ward:c']},
      [{words: [0, 1, 2], anchors: []}],
      [
        [[], [0], undefined, 60],
        [[], [1], undefined, 35],
        [[], [2], undefined, 5]
      ]
    )
    const release = releaseCounts(countSite(corpus.site), {maxOrder: 1, minCell: 10})
    const told = {...release, wordLow: Float64Array.of(60, 35, 1), wordHigh: Float64Array.of(60, 35, 9)}
    expect(attack(solver, corpus, [told], [corpus.site]).pinned.join()).toMatch(/"has":\[2\].*: 5/)
    expect(attack(solver, corpus, [release], [corpus.site]).pinned).toEqual([])
  })
})
