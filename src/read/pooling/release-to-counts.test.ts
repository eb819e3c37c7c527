import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {
  anchorCellWords,
  anchorPairCounts,
  anchorTable,
  anchorWordCounts,
  type Counts,
  countsToBytes,
  dropConcepts,
  edgeWordCounts,
  memberFlags,
  mergeCounts,
  resampleCounts,
  wordTotals
} from '../counts/index.ts'
import {conceptSetNumber, conceptSets} from './concept-sets.ts'
import {poolReleases, releaseCounts} from './release.ts'
import {releaseToCounts} from './release-to-counts.ts'
import {anySite, countSite, drawSite, siteDocument, siteLexicon} from './test-sites.ts'

function throughTables(counts: Counts, maxOrder: number, minCell = 0): Counts {
  return releaseToCounts(releaseCounts(counts, {maxOrder, minCell}))
}

/** The number of all three known to lie from 100 to 140 alone. */
function widened(counts: Counts) {
  const {low, high} = releaseCounts(counts, {maxOrder: 3, minCell: 0})
  low[7] = 100
  high[7] = 140
  return {low, high}
}

describe('releaseToCounts, tables', () => {
  test('releaseToCounts(release) has every table of at most maxOrder anchors and words exactly', () => {
    fc.assert(
      fc.property(anySite, fc.integer({min: 1, max: 3}), (site, maxOrder) => {
        const counts = countSite(site)
        const made = throughTables(counts, maxOrder)
        const m = site.lexicon.anchors.length
        expect(made.documentCount).toBe(counts.documentCount)
        for (const set of conceptSets(m, maxOrder)) expect(anchorTable(made, set)).toEqual(anchorTable(counts, set))
        for (const set of conceptSets(m, maxOrder - 1)) {
          expect(anchorCellWords(made, set)).toEqual(anchorCellWords(counts, set))
          for (const j of site.lexicon.words.keys())
            expect(anchorTable(made, set, [j])).toEqual(anchorTable(counts, set, [j]))
        }
        expect(wordTotals(made)).toEqual(wordTotals(counts))
        if (maxOrder === 1) return
        expect(anchorPairCounts(made)).toEqual(anchorPairCounts(counts))
        expect(anchorWordCounts(made)).toEqual(anchorWordCounts(counts))
        if (maxOrder === 2) return
        const edges = conceptSets(m, 2).flatMap(([i, k]) => (k === undefined ? [] : [[i, k] as const]))
        expect(edgeWordCounts(made, edges)).toEqual(edgeWordCounts(counts, edges))
      }),
      {seed: 1, numRuns: 100}
    )
  })

  test('releaseToCounts(release) fills what was withheld in within its interval, and makes no cell of two negative', () => {
    fc.assert(
      fc.property(anySite, fc.integer({min: 2, max: 9}), (site, minCell) => {
        fc.pre(site.documents.length >= Math.max(3, minCell))
        const release = releaseCounts(countSite(site), {minCell})
        const all = site.lexicon.anchors.map((_, i) => i)
        const kept = all.filter(i => release.high[1 + i] <= 2 * release.low[1 + i] || release.high[1 + i] === 0)
        fc.pre(kept.length > 0)
        const made = releaseToCounts(release)
        expect(made.lexicon.anchors).toEqual(kept.map(i => site.lexicon.anchors[i]))
        expect(made.lexicon.skipped).toHaveLength(all.length - kept.length)
        for (const set of conceptSets(kept.length, 2)) {
          const table = anchorTable(made, set)
          expect(table.every(cell => cell >= 0)).toBe(true)
          const at = conceptSetNumber(
            all.length,
            set.map(i => kept[i])
          )
          const number = table[table.length - 1]
          expect(release.low[at] <= number && number <= release.high[at]).toBe(true)
        }
        for (const set of conceptSets(kept.length, 1))
          for (const j of site.lexicon.words.keys())
            expect(anchorTable(made, set, [j]).every(cell => cell >= 0)).toBe(true)
      }),
      {seed: 2, numRuns: 200}
    )
  })

  test('releaseToCounts(release) fills in what independence predicts: pairs, words, and triples from their pairs', () => {
    const lexicon = siteLexicon(3, 1)
    const documents = (cells: readonly number[]) =>
      cells.flatMap((count, cell) => {
        const members = [0, 1, 2].filter(i => cell & (1 << i)).map(i => 2 * i)
        return Array.from({length: count}, (_, at) =>
          siteDocument(`${cell}-${at}`, members, cell < 1 && at < 4 ? [0] : [])
        )
      })
    // Anchors in 43, 53 and 65 of 1,000 documents; each two of them share one, and all three one more.
    const rare = countSite({lexicon, documents: documents([844, 40, 50, 1, 62, 1, 1, 1])})
    const two = releaseToCounts(releaseCounts(rare))
    expect([...anchorTable(two, [0, 1])].at(-1)).toBe(Math.round((43 * 53) / 1000))
    expect([...anchorTable(two, [1, 2])].at(-1)).toBe(Math.round((53 * 65) / 1000))
    // A word in 1 to 9 documents is taken to be in 5, and to avoid the rare anchors.
    expect([...anchorTable(two, [], [0])]).toEqual([995, 5])
    expect([...anchorTable(two, [0], [0])].at(-1)).toBe(0)
    const often = countSite({lexicon, documents: documents([100, 60, 60, 60, 60, 60, 60, 3])})
    const three = releaseToCounts(releaseCounts(often, {maxOrder: 3}))
    expect([...anchorTable(three, [0, 1])].at(-1)).toBe(63)
    // 63^3 463 / 183^3 = 18.9 is more than the interval allows.
    expect([...anchorTable(three, [0, 1, 2])].at(-1)).toBe(9)
    const many = countSite({lexicon, documents: documents([100, 20, 20, 40, 20, 40, 40, 102])})
    const near = releaseToCounts({...releaseCounts(many, {maxOrder: 3, minCell: 0}), ...widened(many)})
    // 142^3 382 / 202^3 = 132.7.
    expect([...anchorTable(near, [0, 1, 2])].at(-1)).toBe(133)
  })

  test('releaseToCounts(release) leaves concepts out of which hardly more is told than that they are rare, and says so', () => {
    const lexicon = siteLexicon(3, 0)
    const times = (count: number, members: readonly number[]) =>
      Array.from({length: count}, (_, at) => siteDocument(`${members}-${at}`, members, []))
    const north = {lexicon, documents: [...times(5, [0]), ...times(40, [2]), ...times(50, []), ...times(20, [4])]}
    const south = {lexicon, documents: [...times(5, [0]), ...times(40, [2]), ...times(50, []), ...times(3, [4])]}
    const [a, b] = [north, south].map((site, at) => releaseCounts(countSite(site), {site: `${at}`}))
    expect(releaseToCounts(poolReleases([a, b])).lexicon.skipped).toEqual([
      {concept: '__proto__', reason: 'its anchor fires in 2 to 18 documents; the sites withheld how many'}
    ])
    expect(releaseToCounts(b).lexicon.anchors.map(({concept}) => concept)).toEqual(['concept-1'])
    const rare = releaseCounts(countSite({lexicon: siteLexicon(1, 0), documents: [...times(5, [0]), ...times(40, [])]}))
    expect(() => releaseToCounts(rare)).toThrow(
      /no concept is left:\n {2}concept "__proto__": its anchor fires in 1 to 9/
    )
  })

  test('releaseToCounts(release) says what it rests on', () => {
    const parts = [1, 2].map(seed => releaseCounts(countSite(drawSite(seed, 200)), {site: `s${seed}`}))
    const {tables} = releaseToCounts(poolReleases(parts))
    expect(tables?.maxOrder).toBe(2)
    expect(tables?.numbers).toBe(1 + 6 + 15 + 7 * 30)
    expect(tables?.withheld).toBeGreaterThan(0)
    expect(tables?.sites.map(({documents}) => documents)).toEqual([200, 200])
  })
})

describe('releaseToCounts, guards', () => {
  const counts = countSite(drawSite(1, 200))
  const [first, second, third] = [1, 2, 3].map(order => throughTables(counts, order))

  test('dropConcepts(counts) of released tables is the release of the dropped', () => {
    const dropped = [{concept: 'concept-2', reason: 'a test'}]
    expect(dropConcepts(second, dropped).tables).toEqual(second.tables)
    expect(anchorPairCounts(dropConcepts(second, dropped))).toEqual(anchorPairCounts(dropConcepts(counts, dropped)))
    expect(anchorWordCounts(dropConcepts(second, dropped))).toEqual(anchorWordCounts(dropConcepts(counts, dropped)))
  })

  test('readers of whole patterns refuse counts of released tables, and say why', () => {
    const refused: readonly (() => unknown)[] = [
      () => memberFlags(second, 0),
      () => resampleCounts(second, rng(1)),
      () => mergeCounts([second, second]),
      () => countsToBytes(second),
      () => releaseCounts(second)
    ]
    for (const call of refused)
      expect(call).toThrow(/whole documents; these counts were put together from released tables of at most 2/)
  })

  test('readers of larger tables than were released refuse, and say which would do', () => {
    const refused: readonly (() => unknown)[] = [
      () => anchorPairCounts(first),
      () => anchorWordCounts(first),
      () => edgeWordCounts(second, [[0, 1]]),
      () => anchorTable(second, [0, 1], [0]),
      () => anchorTable(third, [0, 1, 2], [0]),
      () => anchorCellWords(second, [0, 1])
    ]
    for (const call of refused)
      expect(call).toThrow(
        /needs tables of [234] anchors or words; .*released tables of at most [123] anchors or words; (release with|use)/
      )
    expect(edgeWordCounts(second, [])).toHaveLength(0)
  })
})
