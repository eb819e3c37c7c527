import fc from 'fast-check'
import {expect, test} from 'vitest'
import {buildCorpus, parseAnchors} from '../../read/data/index.ts'
import {corpusRows, type SparseRows, sparseRows} from './sparse-rows.ts'

const listsOf = ({starts, indices}: SparseRows['rows']) =>
  Array.from({length: starts.length - 1}, (_, d) => [...indices.subarray(starts[d], starts[d + 1])])

const corpus = buildCorpus(
  [{text: 'cough fever asthma'}, {text: 'rest'}, {text: 'fever flu asthma'}, {text: ''}],
  parseAnchors('{"asthma": ["text:asthma"], "flu": ["text:flu"]}', 'anchors.json')
)

test('sparseRows(...) keeps the columns of every row, empty rows too, and the rows of every column', () => {
  const lists = fc.array(fc.uniqueArray(fc.integer({min: 0, max: 5})), {maxLength: 8})
  fc.assert(
    fc.property(lists, given => {
      const {rows, columns} = sparseRows(6, given)
      expect(listsOf(rows)).toEqual(given)
      expect(listsOf(columns)).toEqual([0, 1, 2, 3, 4, 5].map(j => [...given.keys()].filter(d => given[d].includes(j))))
    })
  )
})

test('corpusRows(...) numbers words as the lexicon does, and anchors after them', () => {
  const {words} = corpus.lexicon
  expect(words).toEqual(['text:cough', 'text:fever', 'text:rest'])
  const rows = corpusRows(corpus)
  expect(rows.columnCount).toBe(5)
  expect(listsOf(rows.rows)).toEqual([[0, 1, 3], [2], [1, 3, 4], []])
})

test('corpusRows(..., "hidden") has the words alone', () => {
  const rows = corpusRows(corpus, 'hidden')
  expect(rows.columnCount).toBe(3)
  expect(listsOf(rows.rows)).toEqual([[0, 1], [2], [1], []])
})
