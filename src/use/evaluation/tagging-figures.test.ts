import fc from 'fast-check'
import {expect, test} from 'vitest'
import {taggingOf} from './test-figures.ts'
import {expectedBest} from './weighted-figures.ts'

test('taggingFigures(...) agrees with a table worked out by hand', () => {
  // Concept 0: predicted at 0.9 and 0.5, present at 0.9 and 0.2: one hit, one miss, one alarm.
  // Concept 1: predicted at 0.7, present there and at 0.4: one hit, one miss.
  const scores = [
    [0.9, 0.5, 0.2, 0.1],
    [0.7, 0.4, 0.3, 0.0]
  ]
  const truths = [
    [1, 0, 1, 0],
    [1, 1, 0, 0]
  ]
  const figures = taggingOf(scores, truths)
  expect(figures.microF1).toBeCloseTo((2 * 2) / (2 * 2 + 2 + 1), 12)
  expect(figures.macroF1).toBeCloseTo((2 / (2 + 1 + 1) + 2 / (2 + 1)) / 2, 12)
  expect(figures.macroAuc).toBeCloseTo((3 / 4 + 1) / 2, 12)
  expect(figures.averagePrecision).toBeCloseTo(((1 + 2 / 3) / 2 + 1) / 2, 12)
  const squares = 0.1 ** 2 + 0.5 ** 2 + 0.8 ** 2 + 0.1 ** 2 + 0.3 ** 2 + 0.6 ** 2 + 0.3 ** 2
  expect(figures.brier).toBeCloseTo(squares / 8, 12)
  // Fifteenths: 0.0 | 0.1 | 0.2 | 0.3 | 0.4 | 0.5 | 0.7 | 0.9 all stand alone.
  const distances = 0 + 0.1 + 0.8 + 0.3 + 0.6 + 0.5 + 0.3 + 0.1
  expect(figures.calibrationError).toBeCloseTo(distances / 8, 12)
})

test('taggingFigures(...) calls a concept predicted from a probability of 0.5 on', () => {
  expect(taggingOf([[0.5, 0.1]], [[1, 0]]).microF1).toBe(1)
  expect(taggingOf([[0.4999, 0.1]], [[1, 0]]).microF1).toBe(0)
})

test('taggingFigures(...).atThreshold is of the reports of the predictor, and says where their rule was chosen', () => {
  const scores = [[0.45, 0.3, 0.25]]
  const truths = [[1, 1, 0]]
  const {atThreshold, microF1} = taggingOf(scores, truths, expectedBest(scores, 0.3))
  expect(atThreshold).toEqual({threshold: 0.3, chosenOn: 'these documents', microF1: 1, macroF1: 1})
  expect(microF1).toBe(0)
  expect(taggingOf(scores, truths, expectedBest(scores, 0.25)).atThreshold.microF1).toBeCloseTo(4 / 5, 12)
})

test('taggingFigures(...).atThreshold is chosen by the probabilities alone where the predictor has none', () => {
  // Reporting two of three promises 2 (0.9 + 0.4) / (2 + 1.4), more than one or all three.
  const scores = [[0.9, 0.1], [0.4]]
  const expected = (2 * 1.3) / (2 + 1.4)
  for (const truths of [
    [[1, 0], [1]],
    [[0, 1], [0]]
  ]) {
    const {threshold, chosenOn, microF1} = taggingOf(scores, truths).atThreshold
    expect(threshold).toBeCloseTo(expected / 2, 12)
    expect(chosenOn).toBe('these documents')
    expect(microF1).toBe(truths[1][0])
  }
})

test('taggingFigures(...).saturated is the share of probabilities that nothing could change any more', () => {
  const scores = [
    [0, 1, 0.5, 1e-300],
    [1, 0.999]
  ]
  const truths = [
    [0, 1, 0, 0],
    [0, 1]
  ]
  expect(taggingOf(scores, truths).saturated).toBe(3 / 6)
})

test('taggingFigures(...) averages over the concepts that occur; alarms of the others count for micro F1 alone', () => {
  const figures = taggingOf(
    [
      [0.9, 0.1],
      [0.8, 0.2]
    ],
    [
      [1, 0],
      [0, 0]
    ]
  )
  expect(figures.macroF1).toBe(1)
  expect(figures.macroAuc).toBe(1)
  expect(figures.averagePrecision).toBe(1)
  expect(figures.microF1).toBeCloseTo(2 / 3, 12)
})

test('taggingFigures(...) takes concepts that were judged on different numbers of documents', () => {
  const figures = taggingOf([[0.9, 0.2, 0.6], [0.3]], [[1, 0, 1], [1]])
  expect(figures.brier).toBeCloseTo((0.01 + 0.04 + 0.16 + 0.49) / 4, 12)
  expect(figures.microF1).toBeCloseTo(4 / 5, 12)
})

test('taggingFigures(...) is perfect for the truth itself, and lies in [0, 1] for anything', () => {
  const concept = fc.array(fc.tuple(fc.double({min: 0, max: 1, noNaN: true}), fc.integer({min: 0, max: 1})), {
    minLength: 1,
    maxLength: 20
  })
  fc.assert(
    fc.property(fc.array(concept, {minLength: 1, maxLength: 4}), concepts => {
      const truths = concepts.map(pairs => pairs.map(([, truth]) => truth))
      const perfect = taggingOf(truths, truths)
      expect([perfect.brier, perfect.calibrationError]).toEqual([0, 0])
      if (truths.some(list => list.includes(1))) expect([perfect.microF1, perfect.macroF1]).toEqual([1, 1])
      const scores = concepts.map(pairs => pairs.map(([score]) => score))
      const {atThreshold, reliability, ...figures} = taggingOf(scores, truths)
      const {chosenOn, ...decided} = atThreshold
      for (const figure of [...Object.values(figures), ...Object.values(decided)])
        if (!Number.isNaN(figure)) expect(figure >= 0 && figure <= 1).toBe(true)
    })
  )
})

const predictions = fc.array(fc.tuple(fc.double({min: 0, max: 1, noNaN: true}), fc.integer({min: 0, max: 1})), {
  minLength: 1,
  maxLength: 60
})

test('reliability takes probabilities of one fifteenth together, over all concepts, and leaves out empty bins', () => {
  // 0.335 and 0.395 share the sixth bin, 0.36 too; 0.31 has the fifth, and a certainty the last.
  const {reliability} = taggingOf(
    [
      [0.335, 0.31, 1],
      [0.395, 0.36]
    ],
    [
      [0, 0, 1],
      [1, 1]
    ]
  )
  expect(reliability).toEqual([
    {meanProbability: 0.31, shareFound: 0, count: 1},
    {meanProbability: expect.closeTo((0.335 + 0.395 + 0.36) / 3, 12), shareFound: 2 / 3, count: 3},
    {meanProbability: 1, shareFound: 1, count: 1}
  ])
})

test('reliability keeps every prediction: its bins rise and add up to what was said and what was found', () => {
  fc.assert(
    fc.property(predictions, pairs => {
      const scores = pairs.map(([score]) => score)
      const truths = pairs.map(([, truth]) => truth)
      const {reliability: curve, calibrationError} = taggingOf([scores], [truths])
      const total = (of: (bin: (typeof curve)[number]) => number) => curve.reduce((sum, bin) => sum + of(bin), 0)
      const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
      expect(total(({count}) => count)).toBe(pairs.length)
      expect(total(({count, meanProbability}) => count * meanProbability)).toBeCloseTo(sum(scores), 9)
      expect(total(({count, shareFound}) => count * shareFound)).toBeCloseTo(sum(truths), 9)
      const distance = total(({meanProbability, shareFound, count}) => count * Math.abs(meanProbability - shareFound))
      expect(calibrationError).toBeCloseTo(distance / pairs.length, 9)
      curve.forEach(({meanProbability}, at) => {
        if (at > 0) expect(meanProbability).toBeGreaterThan(curve[at - 1].meanProbability)
      })
    })
  )
})

/** Scores on a coarse grid, so that most of them tie, each with a truth of 0 or 1. */
const anyRanking = fc.array(fc.tuple(fc.integer({min: 0, max: 5}), fc.integer({min: 0, max: 1})), {maxLength: 40})

function columns(pairs: readonly (readonly [number, number])[]): [number[], number[]] {
  return [pairs.map(([score]) => score / 7), pairs.map(([, truth]) => truth)]
}

const rocArea = (scores: readonly number[], truths: readonly number[]) => taggingOf([scores], [truths]).macroAuc
const averagePrecision = (scores: readonly number[], truths: readonly number[]) =>
  taggingOf([scores], [truths]).averagePrecision

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
