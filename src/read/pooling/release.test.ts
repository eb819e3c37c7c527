import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Corpus} from '../data/index.ts'
import {poolReleases, type Release} from './release.ts'

import {releaseCounts} from './release-counts.ts'
import {releaseToBytes} from './release-file.ts'
import {anySite, countSite, drawSite} from './test-sites.ts'

/** The release without the record of its sites. */
function numbersOf({sites: _, ...rest}: Release): Omit<Release, 'sites'> {
  return rest
}

/** The documents dealt out to three sites. */
function sitesOf({lexicon, documents}: Corpus): Corpus[] {
  return [0, 1, 2].map(site => ({lexicon, documents: documents.filter((_, at) => at % 3 === site)}))
}

describe('poolReleases', () => {
  test('poolReleases(sites) without suppression is the release of all documents together', () => {
    fc.assert(
      fc.property(anySite, fc.integer({min: 1, max: 3}), (all, maxOrder) => {
        fc.pre(all.documents.length >= 3)
        const rules = {maxOrder, minCell: 0}
        const parts = sitesOf(all).map((part, at) => releaseCounts(countSite(part), {...rules, site: `${at}`}))
        expect(numbersOf(poolReleases(parts))).toEqual(numbersOf(releaseCounts(countSite(all), rules)))
      }),
      {seed: 1, numRuns: 60}
    )
  })

  test('poolReleases(sites) has the same bytes in every order and grouping, and intervals that hold the sum', () => {
    const all = drawSite(1, 300)
    const [a, b, c] = sitesOf(all).map((part, at) => releaseCounts(countSite(part), {site: 'cab'[at], minCell: 5 + at}))
    const pooled = poolReleases([a, b, c])
    expect(releaseToBytes(poolReleases([c, b, a]))).toEqual(releaseToBytes(pooled))
    expect(releaseToBytes(poolReleases([poolReleases([b, c]), a]))).toEqual(releaseToBytes(pooled))
    expect(pooled.sites.map(({name, minCell}) => [name, minCell])).toEqual([
      ['a', 6],
      ['b', 7],
      ['c', 5]
    ])
    const exact = releaseCounts(countSite(all), {minCell: 0})
    expect(exact.low.every((sum, at) => pooled.low[at] <= sum && sum <= pooled.high[at])).toBe(true)
    expect(pooled.withheldLabels).toEqual(
      a.withheldLabels.map((sum, i) => sum + b.withheldLabels[i] + c.withheldLabels[i])
    )
  })

  test('poolReleases(...) refuses nothing, the same site twice, and tables that were made otherwise', () => {
    const release = (seed: number, options = {}, words = 30) =>
      releaseCounts(countSite(drawSite(seed, 100, 6, words)), options)
    expect(() => poolReleases([])).toThrow(/no releases to pool/)
    expect(() => poolReleases([release(1), release(1)])).toThrow(/site "site-[0-9a-f]+" is among them twice/)
    expect(() => poolReleases([release(1, {site: 'a'}), release(2, {site: 'a'})])).toThrow(/"a" .*twice.*`site`/)
    expect(() => poolReleases([release(1), release(2, {maxOrder: 3})], ['x', 'y'])).toThrow(
      /x and y differ in their largest tables \(`maxOrder`\)/
    )
    expect(() => poolReleases([release(1), release(2, {}, 29)])).toThrow(/1 and 2 differ in their vocabulary/)
  })
})
