import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import {textDefaults} from '../data/index.ts'
import {releaseCounts} from './release.ts'
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
