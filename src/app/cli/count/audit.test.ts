import {describe, expect, test} from 'vitest'
import {countCorpus} from '../../../read/counts/index.ts'
import {textDefaults} from '../../../read/data/index.ts'
import {poolReleases, type ReleaseOptions, releaseCounts} from '../../../read/pooling/index.ts'
import {auditLines, auditSummary} from './release-options.ts'

const lexicon = {
  anchors: ['c0', 'c1'].map(concept => ({concept, any: [concept], not: [], rates: undefined})),
  words: ['__proto__', 'sister "mary"'],
  phrases: [],
  reading: textDefaults,
  filter: undefined,
  skipped: []
}
/** 20 documents with c0, 3 of them with c1 too and 12 with the first word; 30 with nothing; the second word nowhere. */
const documents = Array.from({length: 50}, (_, at) => {
  const anchors = at < 3 ? [0, 1] : at < 20 ? [0] : []
  return {
    key: `${at}`,
    anchors,
    members: anchors,
    words: at < 12 ? [0] : [],
    labels: undefined
  }
})
const release = (options: Partial<ReleaseOptions>) =>
  releaseCounts(countCorpus({lexicon, documents}, {labelShare: 0}), {site: 'north', ...options})

describe('the audit', () => {
  test('auditLines(...) lists every number that is told and every one that is withheld, each on its line', () => {
    expect([...auditLines(release({minCell: 5}))]).toEqual([
      'documents: 50',
      '"c0": 20',
      '"c1": withheld, from 1 to 4',
      expect.stringMatching(/^"c0" and "c1": withheld, from \d to \d$/),
      'the word "__proto__": 12',
      'the word "sister \\"mary\\"": 0',
      '"c0" and the word "__proto__": 12',
      '"c0" and the word "sister \\"mary\\"": 0',
      expect.stringMatching(/^"c1" and the word "__proto__": withheld, from \d to \d$/),
      expect.stringMatching(/^"c1" and the word "sister \\"mary\\"": /)
    ])
  })

  test('auditSummary(...) says first what the file tells, how much is withheld, and what it does not tell', () => {
    const summary = auditSummary(release({minCell: 5}))
    expect(summary).toMatch(/^What this release discloses: the tables of site "north"\n/)
    expect(summary).toContain('- how many documents there are: 50')
    expect(summary).toContain(
      '- for each pair of concepts (1), how many documents have the anchors of both; 1 withheld'
    )
    expect(summary).toContain('- anything about more than 2 anchors and words together')
    expect(summary).not.toMatch(/protocol/)
    expect(auditSummary(release({minCell: 0}))).toMatch(/Nothing is withheld: groups of a single document are visible/)
  })

  test('auditSummary(...) counts as many numbers as auditLines(...) lists, for every order', () => {
    for (const maxOrder of [1, 2, 3]) {
      const tables = release({maxOrder, minCell: 0})
      const counted = [...auditSummary(tables).matchAll(/^- for each .*?\((\d+)\)/gm)]
      expect(counted.reduce((sum, [, n]) => sum + Number(n), 1)).toBe([...auditLines(tables)].length)
    }
  })

  test('auditSummary(...) names all sites of a pooled release and each way in which they protect, and the protocol', () => {
    const protocol = {name: 'study', fingerprint: '0123-4567-89ab-cdef'}
    const sites = [release({minCell: 5}), release({minCell: 0, site: 'south'}), release({minCell: 5, site: 'west'})]
    const summary = auditSummary(poolReleases(sites.map(site => ({...site, protocol}))))
    expect(summary).toContain('the tables of 3 sites together (north, south, west)')
    expect(summary).toContain('Counted by the protocol "study", fingerprint 0123-4567-89ab-cdef.')
    expect(summary.match(/a group of 1 to 4/g)).toHaveLength(1)
    expect(summary.match(/Nothing is withheld/g)).toHaveLength(1)
  })
})
