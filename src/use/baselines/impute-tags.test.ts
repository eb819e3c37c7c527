import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {imputeTags} from './impute-tags.ts'

const documents = Array.from({length: 4000}, () => ({evidence: {words: [], anchors: [], members: []}}))
const chances = [0, 0.1, 0.5, 1]

test('imputeTags(...) draws each concept with its chance, independently, in ascending order', () => {
  const tags = imputeTags({posterior: () => chances}, documents, rng(1))
  const share = (hits: (list: readonly number[]) => boolean) => tags.filter(hits).length / tags.length
  chances.forEach((chance, i) => {
    // Five standard errors of a share of 4,000 draws.
    const error = 5 * Math.sqrt((chance * (1 - chance)) / 4000)
    expect(Math.abs(share(list => list.includes(i)) - chance)).toBeLessThanOrEqual(error)
  })
  expect(Math.abs(share(list => list.includes(1) && list.includes(2)) - 0.05)).toBeLessThan(5 * Math.sqrt(0.05 / 4000))
  expect(tags.every(list => list.every((i, at) => at === 0 || i > list[at - 1]))).toBe(true)
})

test('imputeTags(...) depends on the seed and on nothing else', () => {
  const draw = (seed: number) => imputeTags({posterior: () => chances}, documents.slice(0, 50), rng(seed))
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})
