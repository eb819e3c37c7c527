import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import {textDefaults} from '../data/index.ts'
import {releaseCounts} from './release-counts.ts'
import {attack, attackGrowing, attackSite} from './test-attack.ts'
import {anyAttackedCorpus, countSite, siteDocument, siteLexicon} from './test-sites.ts'

let solver: LinearSolver
beforeAll(async () => {
  solver = await loadLinearSolver()
})

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

  test('it finds out numbers from growing data, but none where the new documents are a site of their own', () => {
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

  type Kind = readonly [anchors: readonly number[], times: number, labels: readonly number[]]
  test.each<[string, readonly Kind[]]>([
    [
      'whose anchors exclude each other',
      [
        [[0], 60, [1, 0, 0]],
        [[1], 38, [0, 1, 0]],
        [[2], 2, [0, 0, 1]],
        [[2], 20, [0, 1, 0]],
        [[], 20, [1, 0, 0]]
      ]
    ],
    [
      'whose anchors fire together in few documents',
      [
        [[0], 40, [1, 0]],
        [[], 20, [1, 0]],
        [[0], 10, [0, 1]],
        [[0, 1], 4, [0, 1]],
        [[1], 30, [0, 1]]
      ]
    ]
  ])('labels of exclusive concepts %s give nothing away', (_, kinds) => {
    const size = kinds[0][2].length
    const lexicon = siteLexicon(size, 0)
    const documents = kinds.flatMap(([fired, times, labels], kind) => {
      const members = fired.map(i => 2 * i)
      return Array.from({length: times}, (_, at) => siteDocument(`${kind}-${at}`, members, [], labels))
    })
    const anchors = lexicon.anchors.map(anchor => ({...anchor, exclusive: {group: 0, size}}))
    const corpus = {site: {lexicon: {...lexicon, anchors}, documents}, blocks: [], tied: [...anchors.keys()]}
    const found = attackSite(solver, corpus, rules)
    expect(found.attacked).toBeGreaterThan(0)
    expect(found).toMatchObject({pinned: [], open: found.attacked})
  })

  test('it finds out a number that follows from the others of its block', () => {
    const words = ['ward:a', 'ward:b', 'ward:c']
    const reading = {...textDefaults, category: ['ward']}
    const site = {
      lexicon: {...siteLexicon(0, 0), words, reading},
      documents: [60, 35, 5].flatMap((size, j) =>
        Array.from({length: size}, (_, at) => siteDocument(`${j}-${at}`, [], [j]))
      )
    }
    const corpus = {site, blocks: [{words: [0, 1, 2], anchors: []}], tied: []}
    const release = releaseCounts(countSite(site), {maxOrder: 1, minCell: 10})
    const told = {...release, low: Float64Array.of(100, 60, 35, 1), high: Float64Array.of(100, 60, 35, 9)}
    expect(attack(solver, corpus, [told], [site]).pinned.join()).toMatch(/"has":\[2\].*: 5/)
    expect(attack(solver, corpus, [release], [site]).pinned).toEqual([])
  })
})
