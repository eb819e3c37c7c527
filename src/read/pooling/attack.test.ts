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
type Kind = readonly [anchors: readonly number[], words: readonly number[], times: number, labels?: readonly number[]]

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
  const documents = kinds.flatMap(([fired, words, times, labels], kind) =>
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
  const lexicon = {...siteLexicon(0, 0), anchors, words, reading: {...textDefaults, category: ['ward']}}
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
      {seed: 1, numRuns: 100}
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
      {seed: 2, numRuns: 8}
    )
    expect(found).toBeGreaterThan(20)
  }, 120_000)

  const three = ['ward:a', 'ward:b', 'ward:c']
  const block = [{words: [0, 1, 2], anchors: []}]

  test.each<[string, Parameters<typeof corpusOf>[0], AttackedCorpus['blocks'], readonly Kind[]]>([
    [
      'the votes of one source',
      {words: ['votes:nurse=A', 'votes:nurse=B', 'votes:nurse=C']},
      block,
      [
        [[], [0], 60],
        [[], [1], 39],
        [[], [2], 1]
      ]
    ],
    [
      'labels of exclusive concepts',
      {names: [['a'], ['b'], ['c']], exclusive: {group: 0, size: 3}},
      [],
      [
        [[0], [], 60, [1, 0, 0]],
        [[1], [], 38, [0, 1, 0]],
        [[2], [], 2, [0, 0, 1]],
        [[2], [], 20, [0, 1, 0]],
        [[], [], 20, [1, 0, 0]]
      ]
    ],
    [
      'labels of exclusive concepts whose anchors fire together in few documents',
      {names: [['a'], ['b']], exclusive: {group: 0, size: 2}},
      [],
      [
        [[0], [], 40, [1, 0]],
        [[], [], 20, [1, 0]],
        [[0], [], 10, [0, 1]],
        [[0, 1], [], 4, [0, 1]],
        [[1], [], 30, [0, 1]]
      ]
    ],
    [
      'labels of some of the documents',
      {names: [['a']]},
      [],
      [
        [[0], [], 102, [1]],
        [[0], [], 1],
        [[], [], 40, [0]],
        [[], [], 20]
      ]
    ],
    [
      'an anchor that mixes a value and a word',
      {names: [['b'], ['ward:icu', 'tube']], words: three},
      [{words: [0, 1, 2], anchors: [1]}],
      [
        [[1], [1], 4],
        [[0, 1], [0], 8],
        [[0], [2], 3]
      ]
    ],
    [
      'an expression that implies another',
      {names: [['/pain/'], ['/chest pain/']]},
      [],
      [
        [[0], [], 3],
        [[0, 1], [], 40],
        [[], [], 57]
      ]
    ]
  ])('%s give nothing away', (_, lexicon, blocks, kinds) => {
    const found = attackSite(solver, corpusOf(lexicon, blocks, kinds), rules)
    expect(found.attacked).toBeGreaterThan(0)
    expect(found).toMatchObject({pinned: [], open: found.attacked})
  })

  test('the twin finds a number that follows from the others of its block', () => {
    const corpus = corpusOf({words: three}, block, [
      [[], [0], 60],
      [[], [1], 35],
      [[], [2], 5]
    ])
    const release = releaseCounts(countSite(corpus.site), {maxOrder: 1, minCell: 10})
    const told = {...release, low: Float64Array.of(100, 60, 35, 1), high: Float64Array.of(100, 60, 35, 9)}
    expect(attack(solver, corpus, [told], [corpus.site]).pinned.join()).toMatch(/"has":\[2\].*: 5/)
    expect(attack(solver, corpus, [release], [corpus.site]).pinned).toEqual([])
  })
})
