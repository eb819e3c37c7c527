import {expect, test} from 'vitest'
import {corpusRows, sparseRows} from '../classifier/index.ts'
import {dot, rng} from '../numeric/index.ts'
import {drawDocuments, mean} from './test-channel.ts'
import {wordKin} from './word-kin.ts'

const sumsOf = (lists: readonly (readonly number[])[], direction: Float64Array) =>
  lists.map(list => list.reduce((sum, j) => sum + direction[j], 0))

test('wordKin(...) gives directions whose sums over the documents are uncorrelated, each with the spread asked for', () => {
  const {corpus} = drawDocuments(8, 300)
  const lists = corpus.documents.map(({evidence}) => evidence.words)
  const sums = wordKin(corpusRows(corpus, {anchors: 'hidden'}), 5, 0.5).map(direction => {
    const own = sumsOf(lists, direction)
    const middle = mean(own)
    return Float64Array.from(own, sum => sum - middle)
  })
  expect(sums).toHaveLength(5)
  sums.forEach((one, k) => {
    sums.forEach((other, l) => {
      expect(dot(one, other) / lists.length).toBeCloseTo(k === l ? 0.25 : 0, 8)
    })
  })
})

test('wordKin(...) finds the two circles that words keep', () => {
  // Words 0 to 4 and 5 to 9: a document has three words of one circle.
  const random = rng(2)
  const lists = Array.from({length: 200}, (_, d) => {
    const skipped = Math.floor(5 * random.next())
    return [0, 1, 2, 3, 4].filter(j => j !== skipped).map(j => j + (d % 2) * 5)
  })
  const [direction] = wordKin(sparseRows(10, lists), 1, 1)
  const signs = [...direction].map(Math.sign)
  expect(new Set(signs.slice(0, 5)).size).toBe(1)
  expect(signs.slice(5)).toEqual(signs.slice(0, 5).map(sign => -sign))
})

test('wordKin(...) gives as many directions as the documents have, none where all are alike', () => {
  expect(
    wordKin(
      sparseRows(4, [
        [0, 1],
        [0, 1]
      ]),
      3,
      1
    )
  ).toEqual([])
  expect(wordKin(sparseRows(3, [[0], [1], [0], [1]]), 3, 1)).toHaveLength(1)
  expect(wordKin(sparseRows(3, [[0], [1]]), 0, 1)).toEqual([])
})
