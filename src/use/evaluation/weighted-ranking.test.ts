import fc from 'fast-check'
import {expect, test} from 'vitest'
import {taggingFigures} from './tagging-figures.ts'

/** Scores on a coarse grid, so that most of them tie, each with a truth of 0 or 1. */
const anyRanking = fc.array(fc.tuple(fc.integer({min: 0, max: 5}), fc.integer({min: 0, max: 1})), {maxLength: 40})

function columns(pairs: readonly (readonly [number, number])[]): [number[], number[]] {
  return [pairs.map(([score]) => score / 7), pairs.map(([, truth]) => truth)]
}

const rocArea = (scores: readonly number[], truths: readonly number[]) => taggingFigures([scores], [truths]).macroAuc
const averagePrecision = (scores: readonly number[], truths: readonly number[]) =>
  taggingFigures([scores], [truths]).averagePrecision

/** Every positive against every negative. */
function plainArea(scores: readonly number[], truths: readonly number[]): number {
  let won = 0
  let games = 0
  scores.forEach((positive, a) => {
    scores.forEach((negative, b) => {
      if (truths[a] !== 1 || truths[b] !== 0) return
      games++
      won += positive > negative ? 1 : positive === negative ? 0.5 : 0
    })
  })
  return won / games
}

/** For each positive, the share of positives among all that score at least as high. */
function plainPrecision(scores: readonly number[], truths: readonly number[]): number {
  const precisions = scores.flatMap((score, at) => {
    if (truths[at] === 0) return []
    const above = truths.filter((_, other) => scores[other] >= score)
    return [above.filter(truth => truth === 1).length / above.length]
  })
  return precisions.reduce((sum, value) => sum + value, 0) / precisions.length
}

function expectSame(fast: number, plain: number): void {
  if (Number.isNaN(plain)) expect(fast).toBeNaN()
  else expect(fast).toBeCloseTo(plain, 12)
}

test('the area under the ROC curve equals the count over all pairs of a positive and a negative, ties included', () => {
  fc.assert(
    fc.property(anyRanking, pairs => {
      const [scores, truths] = columns(pairs)
      expectSame(rocArea(scores, truths), plainArea(scores, truths))
    })
  )
})

test('average precision equals the mean precision at each positive, ties included', () => {
  fc.assert(
    fc.property(anyRanking, pairs => {
      const [scores, truths] = columns(pairs)
      expectSame(averagePrecision(scores, truths), plainPrecision(scores, truths))
    })
  )
})

test('the area under the ROC curve of the opposite scores is one minus the area; the order of documents does not matter', () => {
  fc.assert(
    fc.property(anyRanking, pairs => {
      const [scores, truths] = columns(pairs)
      const area = rocArea(scores, truths)
      const opposite = rocArea(
        scores.map(score => 1 - score),
        truths
      )
      expectSame(opposite, 1 - area)
      expectSame(rocArea(scores.toReversed(), truths.toReversed()), area)
      expectSame(averagePrecision(scores.toReversed(), truths.toReversed()), averagePrecision(scores, truths))
    })
  )
})

test('area and average precision agree with figures worked out by hand', () => {
  // From the top: hit, miss, hit, miss, hit. Pairs won: 2 + 1 + 0 of 6. Precisions: 1, 2/3, 3/5.
  const scores = [0.9, 0.8, 0.7, 0.6, 0.5]
  expect(rocArea(scores, [1, 0, 1, 0, 1])).toBeCloseTo(3 / 6, 12)
  expect(averagePrecision(scores, [1, 0, 1, 0, 1])).toBeCloseTo((1 + 2 / 3 + 3 / 5) / 3, 12)
  expect(rocArea([0.9, 0.1], [1, 0])).toBe(1)
  expect(rocArea([0.5, 0.5, 0.5], [1, 0, 0])).toBe(0.5)
  expect(averagePrecision([0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0])).toBe(1 / 4)
})

test('area and average precision are NaN without the classes they compare', () => {
  expect(rocArea([0.1, 0.2], [1, 1])).toBeNaN()
  expect(rocArea([0.1, 0.2], [0, 0])).toBeNaN()
  expect(averagePrecision([0.1, 0.2], [0, 0])).toBeNaN()
  expect(averagePrecision([0.1, 0.2], [1, 1])).toBe(1)
})
