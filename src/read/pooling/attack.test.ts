import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import {textDefaults} from '../data/index.ts'
import {attackReleases} from './attack.ts'
import {reportAttack} from './attack-report.ts'
import {releaseCounts} from './release-counts.ts'
import {attackGrowing, attackSite, partitionedSites, plainSites} from './test-attack.ts'
import {countSite, siteDocument, siteLexicon} from './test-sites.ts'
import {withholdSmall} from './withhold-small.ts'

let solver: LinearSolver
beforeAll(async () => {
  solver = await loadLinearSolver()
})

/** 100 documents in three wards, of which 40, 55 and 5 are in ward a, b and c; with concept 0 25, 20 and 5. */
const wards = (() => {
  const plain = siteLexicon(1, 0)
  const lexicon = {
    ...plain,
    words: ['ward:a', 'ward:b', 'ward:c'],
    text: {...textDefaults, categories: ['ward']}
  }
  const group = (ward: number, fired: number, size: number) =>
    Array.from({length: size}, (_, at) => siteDocument(`${ward}-${at}`, at < fired ? [0] : [], [ward]))
  return countSite({lexicon, documents: [...group(0, 25, 40), ...group(1, 20, 55), ...group(2, 5, 5)]})
})()

describe('attackReleases', () => {
  test.each([
    ['without partitions', plainSites],
    ['with partitions', partitionedSites]
  ])(
    'attackReleases(...) finds out no number that releaseCounts(...) withholds and no small cell, %s',
    (_, sites) => {
      let [attacked, open] = [0, 0]
      fc.assert(
        fc.property(sites, site => {
          const found = attackSite(solver, site)
          expect(found).toMatchObject({method: 'exact', isConsistent: true, pinned: []})
          attacked += found.attacked
          open += found.open
        }),
        {seed: 1, numRuns: 40}
      )
      expect(attacked).toBeGreaterThan(200)
      // Every one is proved open by two integer points.
      expect(open).toBe(attacked)
    },
    120_000
  )

  test('attackReleases([first, second]) finds out numbers from growing data, but none if the second continues the first', () => {
    let found = 0
    fc.assert(
      fc.property(partitionedSites, site => {
        expect(attackGrowing(solver, site, true)?.pinned ?? []).toEqual([])
        found += attackGrowing(solver, site, false)?.pinned.length ?? 0
      }),
      {seed: 2, numRuns: 15}
    )
    expect(found).toBeGreaterThan(20)
  }, 120_000)

  test('attackReleases(...) finds the number that the others of a category give away, which releaseCounts(...) withholds with another', () => {
    const numbers = {sets: Float64Array.of(100, 50), words: Float64Array.of(40, 55, 5, 25, 20, 5)}
    const release = releaseCounts(wards, {minCell: 10})
    const alone = {...release, ...withholdSmall(numbers, {concepts: 1, words: 3, maxOrder: 2}, 10)}
    const complete = ['ward']
    const {pinned} = attackReleases(solver, {releases: [alone], complete})
    expect(pinned).toContainEqual({documents: 'first', has: [3], lacks: [], value: 5})
    expect(attackReleases(solver, {releases: [release], complete}).pinned).toEqual([])
    expect([release.wordLow[0], release.wordHigh[0]]).not.toEqual([40, 40])
    expect(reportAttack(solver, [alone]).text).toMatch(/values of ward finds \d+:\n(.*\n)*- the word "ward:c": 5\n/)
    expect(reportAttack(solver, [release])).toMatchObject({
      pinned: 0,
      text: expect.stringMatching(/No withheld number/)
    })
  })

  test('attackReleases(...) of many concepts passes bounds on, which finds the rest of a category too', () => {
    const plain = siteLexicon(12, 0)
    const lexicon = {...plain, words: ['ward:a', 'ward:b', 'ward:c'], text: {...textDefaults, categories: ['ward']}}
    const documents = Array.from({length: 100}, (_, at) => siteDocument(`${at}`, [], [at < 5 ? 2 : at % 2]))
    const release = releaseCounts(countSite({lexicon, documents}), {minCell: 10})
    expect(attackReleases(solver, {releases: [release], complete: ['ward']})).toMatchObject({
      method: 'bounds',
      pinned: []
    })
    const told = {...release, wordLow: release.wordLow.slice(), wordHigh: release.wordHigh.slice()}
    told.wordLow.set([47, 48, 1])
    told.wordHigh.set([47, 48, 9])
    const {pinned} = attackReleases(solver, {releases: [told], complete: ['ward']})
    expect(pinned).toContainEqual({documents: 'first', has: [14], lacks: [], value: 5})
  })
})
