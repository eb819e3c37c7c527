import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus, parseAnchors} from '../../read/data/index.ts'
import {examine} from './diagnose.ts'
import {uncoveredGroups} from './uncovered.ts'

const random = rng(5)
const has = (share: number) => random.next() < share
/** Documents about one of three things; `earnings` is the word of the third, which half of them have. */
const texts = Array.from({length: 2000}, (_, at) => {
  const [name, ...typical] = [
    ['grain', 'harvest'],
    ['oil', 'barrel'],
    ['earnings', 'profit', 'shares']
  ][at % 3]
  const own = [...(has(0.5) ? [name] : []), ...typical.filter(() => has(0.4))]
  return [...own, ...['said', 'year', 'the', 'bank'].filter(() => has(0.5))].join(' ')
})
const corpusOf = (anchors: string) => {
  const rows = texts.map((text, id) => ({id, text}))
  return buildCorpus(rows, parseAnchors(anchors, 'anchors.json'), {text: ['text'], maxShare: 1})
}

test('uncoveredGroups(...) points at the documents of a concept without an anchor, with their words and number', async () => {
  const {lexicon, documents} = corpusOf('{"grain": "grain", "oil": "oil"}')
  const groups = uncoveredGroups(lexicon, documents)
  expect(new Set(groups.flatMap(({words}) => words))).toEqual(new Set(['text:earnings', 'text:profit', 'text:shares']))
  const [{words, documents: silent, ofDocuments}] = groups
  const own = texts.filter(text => text.includes(words[0].slice('text:'.length)))
  expect([silent, ofDocuments]).toEqual([own.length, own.length])
  const counts = countCorpus({lexicon, documents})
  const {diagnosis} = await examine(counts, {seed: 0, rows: [], sample: () => ({lexicon, documents})})
  expect(diagnosis.uncovered).toEqual(groups)
})

test('uncoveredGroups(...) finds nothing where every concept has an anchor', () => {
  const {lexicon, documents} = corpusOf('{"grain": "grain", "oil": "oil", "earnings": "earnings"}')
  expect(uncoveredGroups(lexicon, documents)).toEqual([])
})
