import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {countCorpus, countsToBytes} from '../counts/index.ts'
import type {Corpus} from '../data/index.ts'
import {conceptSetCount, conceptSetNumber, conceptSets, type NumberPlaces} from './concept-sets.ts'
import {placesOf, poolReleases, type Release, releaseCounts, withheldNumbers} from './release.ts'
import {releaseToBytes} from './release-file.ts'
import {anySite, countSite, drawSite, siteDocument, siteLexicon} from './test-sites.ts'

/** The slow, obvious way: the cells of the table of a number, by looking at every document. */
function cellsOf({documents}: Corpus, {set, word}: NumberPlaces, place: number): number[] {
  const [concepts, j] = [set(place), word(place)]
  const cells = new Array<number>(2 ** (concepts.length + (j < 0 ? 0 : 1))).fill(0)
  for (const {anchors, words} of documents) {
    const bits = [...concepts.map(i => anchors.includes(i)), ...(j < 0 ? [] : [words.includes(j)])]
    cells[bits.reduce((cell, bit) => 2 * cell + (bit ? 1 : 0), 0)]++
  }
  return cells
}

/** The numbers of the tables over all variables but one. */
function smallerTables({set, word, of}: NumberPlaces, place: number): number[] {
  const concepts = set(place)
  const without = concepts.map(left =>
    of(
      concepts.filter(i => i !== left),
      word(place)
    )
  )
  return word(place) < 0 ? without : [...without, of(concepts, -1)]
}

const isSmall = (minCell: number) => (cell: number) => cell >= 1 && cell < minCell

describe('releaseCounts, numbers', () => {
  test('releaseCounts(counts, {minCell: 0}) tells every number of documents as looking at each of them does', () => {
    fc.assert(
      fc.property(anySite, fc.integer({min: 1, max: 3}), (site, maxOrder) => {
        const release = releaseCounts(countSite(site), {maxOrder, minCell: 0})
        const places = placesOf(release)
        for (let place = 0; place < places.count; place++) {
          const all = cellsOf(site, places, place).at(-1)
          expect([release.low[place], release.high[place]]).toEqual([all, all])
        }
        expect(withheldNumbers(release)).toBe(0)
      }),
      {seed: 1, numRuns: 100}
    )
  })

  test('releaseCounts(counts, {minCell}) withholds every table with a small cell and those above it', () => {
    fc.assert(
      fc.property(anySite, fc.integer({min: 1, max: 3}), fc.integer({min: 2, max: 8}), (site, maxOrder, minCell) => {
        fc.pre(site.documents.length >= Math.max(3, minCell))
        const release = releaseCounts(countSite(site), {maxOrder, minCell})
        const places = placesOf(release)
        for (let place = 0; place < places.count; place++) {
          const cells = cellsOf(site, places, place)
          const all = cells[cells.length - 1]
          const [low, high] = [release.low[place], release.high[place]]
          const hasKnownParts = smallerTables(places, place).every(part => release.low[part] === release.high[part])
          expect(low <= all && all <= high).toBe(true)
          if (!hasKnownParts || !cells.some(isSmall(minCell))) continue
          // Three pairs may leave their table of three fewer numbers.
          const least = cells.length < 8 ? Math.max(2, minCell - 1) : 2
          expect(high - low + 1).toBeGreaterThanOrEqual(least)
        }
      }),
      {seed: 2, numRuns: 300}
    )
  })

  test('releaseCounts(...) tells the same of sites that differ in a withheld number alone', () => {
    const lexicon = siteLexicon(2, 0)
    const site = (both: number): Corpus => ({
      lexicon,
      documents: [
        ...Array.from({length: both}, (_, at) => siteDocument(`b${at}`, [0, 2], [])),
        ...Array.from({length: 40 - both}, (_, at) => siteDocument(`0${at}`, [0], [])),
        ...Array.from({length: 30 - both}, (_, at) => siteDocument(`1${at}`, [2], [])),
        ...Array.from({length: 30 + both}, (_, at) => siteDocument(`n${at}`, [], []))
      ]
    })
    const released = (both: number) => releaseCounts(countCorpus(site(both), {labelShare: 0, seed: 0}))
    for (const both of [2, 5, 9]) expect(released(both)).toEqual(released(1))
    expect(released(0)).not.toEqual(released(1))
    expect(released(10)).not.toEqual(released(1))
  })
})

describe('releaseCounts, rules', () => {
  const counts = countSite(drawSite(1, 200))

  test('releaseCounts(counts) releases tables of two and cells from 10 on, and leaves the counts as they were', () => {
    const before = countsToBytes(counts)
    const release = releaseCounts(counts)
    expect(release.maxOrder).toBe(2)
    expect(release.sites).toEqual([{name: expect.stringMatching(/^site-[0-9a-f]{8}$/), documents: 200, minCell: 10}])
    expect(withheldNumbers(release)).toBeGreaterThan(0)
    expect(countsToBytes(counts)).toEqual(before)
    expect(releaseCounts(counts)).toEqual(release)
    expect(releaseCounts(countSite(drawSite(2, 200))).sites[0].name).not.toBe(release.sites[0].name)
  })

  test('releaseCounts(...) does not tell which anchors were left out, for the reasons have numbers in them', () => {
    const skipped = [{concept: 'gout', reason: 'its anchor fires in 2 documents'}]
    const release = releaseCounts({...counts, lexicon: {...counts.lexicon, skipped}})
    expect(release.lexicon).toEqual({...counts.lexicon, skipped: []})
  })

  test('releaseCounts(...) refuses other orders, thresholds, names, and a site of fewer documents than the threshold', () => {
    expect(() => releaseCounts(counts, {maxOrder: 4})).toThrow(/`maxOrder` must be a whole number from 1 to 3; got 4/)
    expect(() => releaseCounts(counts, {minCell: 2.5})).toThrow(/`minCell` must be a whole number, at least 0; got 2.5/)
    expect(() => releaseCounts(counts, {minCell: -1})).toThrow(/got -1/)
    for (const site of ['', ' a', 'a\nb', 'x'.repeat(101)])
      expect(() => releaseCounts(counts, {site})).toThrow(/`site` must be a name of 1 to 100 characters/)
    const few = countSite(drawSite(3, 9))
    // The number of documents is itself too small to be said.
    expect(() => releaseCounts(few)).toThrow(/released from 10 documents on; there are fewer; count more/)
    expect(() => releaseCounts(countSite({...drawSite(3, 9), documents: []}), {minCell: 0})).toThrow(
      /from 1 documents on; there are 0/
    )
  })

  test('releaseCounts(...) refuses tables with more numbers than anybody can read', () => {
    const lexicon = siteLexicon(300, 1000)
    const wide = countSite({lexicon, documents: Array.from({length: 10}, (_, at) => siteDocument(`${at}`, [], []))})
    expect(() => releaseCounts(wide, {maxOrder: 3})).toThrow(/49,6.* numbers; at most 33,554,432 are released/)
  })
})

describe('conceptSets', () => {
  test('conceptSets(m, order) lists all sets once, each at its number', () => {
    for (const m of [0, 1, 2, 5, 9])
      for (const order of [0, 1, 2, 3]) {
        const sets = conceptSets(m, order)
        expect(sets.map(set => conceptSetNumber(m, set))).toEqual(sets.map((_, at) => at))
        expect(sets).toHaveLength(conceptSetCount(m, order))
        expect(sets.every(set => set.every((i, at) => at === 0 || i > set[at - 1]))).toBe(true)
      }
    expect(conceptSetCount(50, 3)).toBe(1 + 50 + 1225 + 19600)
  })
})

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
