import {expect, test} from 'vitest'
import type {Comparison} from '../../use/comparison/index.ts'
import {blocksText, comparisonBlocks, comparisonChart, comparisonRule, type TableBlock} from './index.ts'

const equal: Comparison = {
  a: {concepts: 2, words: 10, documents: 2000, moments: {status: 'optimal', objective: 0.5, gap: 1e-6}},
  b: {concepts: 2, words: 10, moments: 'no certificate'},
  ...{added: [], removed: [], renamed: [], concepts: [], edges: []}
}
const share = (value: number) => ({value, low: value - 0.01, high: value + 0.01})
const changed: Comparison = {
  ...equal,
  renamed: [{from: 'etoh', to: 'alcohol'}],
  added: ['fall'],
  removed: ['stroke'],
  concepts: [
    {
      concept: 'alcohol',
      was: 'etoh',
      anchor: {gained: ['sober'], lost: ['wine']},
      rates: {
        prevalence: {a: share(0.05), b: share(0.1), verdict: 'higher'},
        // Equal as printed.
        precision: {a: share(0.5), b: share(0.5001), verdict: 'no clear change'}
      },
      words: [
        {word: 'neg:drink', b: 3},
        {word: 'gone', a: 4},
        {word: 'moved', a: 10, b: 2}
      ]
    }
  ],
  edges: [{kind: 'lost', between: ['alcohol', 'fall'], a: 2, verdict: 'no interval'}],
  crossed: [{concept: 'alcohol', entered: 34, left: 0}]
}

test('comparisonBlocks(...) says which concepts, anchors, rates, links and words differ', () => {
  const text = blocksText(comparisonBlocks(changed))
  for (const words of [
    'etoh is called alcohol in B.',
    'Only B has fall.',
    'Only A has stroke.',
    'The anchor of alcohol has sober in B only.',
    'The anchor of alcohol has wine in A only.'
  ])
    expect(text).toContain(words)
  expect(text).toMatch(/^alcohol +documents that have it +5\.0% \(4\.0% to 6\.0%\) +10% \(9\.0% to 11%\) +higher$/m)
  expect(text).not.toContain('where the anchor fires')
  expect(text).toMatch(/^alcohol and fall +lost +2\.0 times the odds +no link +no interval$/m)
  expect(text).toMatch(/^alcohol +neg:drink +gone +moved 10 to 2$/m)
  expect(text).toMatch(/^alcohol +34 documents +0 documents$/m)
})

test('comparisonBlocks(...) of a page writes words its own way and leads to the documents that crossed', () => {
  const tables = comparisonBlocks(changed, {
    wordOf: word => word.toUpperCase(),
    linkOf: (concept, crossed) => ({concept, crossed})
  }).filter((block): block is TableBlock => block.kind === 'table')
  expect(tables[2].rows).toEqual([['alcohol', 'NEG:DRINK', 'GONE', 'MOVED 10 to 2']])
  const tip = '34 documents of alcohol, reported only by B'
  const link = {text: '34 documents', to: {concept: 'alcohol', crossed: 'entered'}, tip}
  expect(tables[3].rows).toEqual([['alcohol', link, '0 documents']])
})

test('equal models do not differ, and their chart is empty', () => {
  expect(blocksText(comparisonBlocks(equal))).toMatch(/^The two models do not differ\.$/m)
  expect(comparisonChart(equal, ['a', 'b'])).toBeUndefined()
  expect(comparisonChart(changed, ['before', 'now'])?.description).toBe('before and now: alcohol 5.0% and 10%, higher.')
})

test('comparisonRule(...) is cautious about the same documents', () => {
  expect(comparisonRule(equal)).not.toContain('cautious')
  expect(comparisonRule({...equal, isSameDocuments: true})).toContain('cautious')
})
