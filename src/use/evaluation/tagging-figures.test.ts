import fc from 'fast-check'
import {expect, test} from 'vitest'
import {calibrationError, expectedBest, reliabilityCurve, taggingFigures} from './tagging-figures.ts'

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
  const figures = taggingFigures(scores, truths)
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

test('taggingFigures(...) takes probabilities of one bin together for the calibration error', () => {
  // 0.335 and 0.395 share the sixth of fifteen bins: their sum is 0.73, of which 1 came true.
  expect(taggingFigures([[0.335, 0.395]], [[0, 1]]).calibrationError).toBeCloseTo((1 - 0.73) / 2, 12)
  // 0.31 and 0.36 do not, though they are nearer to each other.
  expect(taggingFigures([[0.31, 0.36]], [[0, 1]]).calibrationError).toBeCloseTo((0.31 + 0.64) / 2, 12)
  // A certainty has a bin, too.
  expect(taggingFigures([[1, 1]], [[1, 0]]).calibrationError).toBeCloseTo(1 / 2, 12)
})

test('taggingFigures(...) calls a concept predicted from a probability of 0.5 on', () => {
  expect(taggingFigures([[0.5, 0.1]], [[1, 0]]).microF1).toBe(1)
  expect(taggingFigures([[0.4999, 0.1]], [[1, 0]]).microF1).toBe(0)
})

test('taggingFigures(...).atThreshold is of the reports of the predictor, and says where their rule was chosen', () => {
  const scores = [[0.45, 0.3, 0.25]]
  const truths = [[1, 1, 0]]
  const {atThreshold, microF1} = taggingFigures(scores, truths, expectedBest(scores, 0.3))
  expect(atThreshold).toEqual({threshold: 0.3, chosenOn: 'these documents', microF1: 1, macroF1: 1})
  expect(microF1).toBe(0)
  expect(taggingFigures(scores, truths, expectedBest(scores, 0.25)).atThreshold.microF1).toBeCloseTo(4 / 5, 12)
})

test('taggingFigures(...).atThreshold is chosen by the probabilities alone where the predictor has none', () => {
  // Reporting two of three promises 2 (0.9 + 0.4) / (2 + 1.4), more than one or all three.
  const scores = [[0.9, 0.1], [0.4]]
  const expected = (2 * 1.3) / (2 + 1.4)
  for (const truths of [
    [[1, 0], [1]],
    [[0, 1], [0]]
  ]) {
    const {threshold, chosenOn, microF1} = taggingFigures(scores, truths).atThreshold
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
  const {saturated, reliability} = taggingFigures(scores, truths)
  expect(saturated).toBe(3 / 6)
  expect(reliability).toEqual(reliabilityCurve(scores, truths))
})

test('taggingFigures(...) averages over the concepts that occur; alarms of the others count for micro F1 alone', () => {
  const figures = taggingFigures(
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
  const figures = taggingFigures([[0.9, 0.2, 0.6], [0.3]], [[1, 0, 1], [1]])
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
      const perfect = taggingFigures(truths, truths)
      expect([perfect.brier, perfect.calibrationError]).toEqual([0, 0])
      if (truths.some(list => list.includes(1))) expect([perfect.microF1, perfect.macroF1]).toEqual([1, 1])
      const scores = concepts.map(pairs => pairs.map(([score]) => score))
      const {atThreshold, reliability, ...figures} = taggingFigures(scores, truths)
      const {chosenOn, ...decided} = atThreshold
      for (const figure of [...Object.values(figures), ...Object.values(decided)])
        if (!Number.isNaN(figure)) expect(figure >= 0 && figure <= 1).toBe(true)
    })
  )
})

test('taggingFigures(...).atThreshold of one concept is the harmonic mean of precision and recall', () => {
  const pairs = fc.array(fc.tuple(fc.integer({min: 0, max: 10}), fc.integer({min: 0, max: 1})), {minLength: 1})
  fc.assert(
    fc.property(pairs, fc.integer({min: 0, max: 10}), (drawn, tenth) => {
      const reported = drawn.filter(([score]) => score >= tenth)
      const hits = reported.filter(([, truth]) => truth === 1).length
      const present = drawn.filter(([, truth]) => truth === 1).length
      fc.pre(hits > 0)
      const [precision, recall] = [hits / reported.length, hits / present]
      const columns = [drawn.map(([score]) => score / 10), drawn.map(([, truth]) => truth)]
      const {microF1, macroF1} = taggingFigures(
        [columns[0]],
        [columns[1]],
        expectedBest([columns[0]], tenth / 10)
      ).atThreshold
      expect(microF1).toBeCloseTo((2 * precision * recall) / (precision + recall), 12)
      expect(macroF1).toBe(microF1)
    })
  )
})

const predictions = fc.array(fc.tuple(fc.double({min: 0, max: 1, noNaN: true}), fc.integer({min: 0, max: 1})), {
  minLength: 1,
  maxLength: 60
})

test('reliabilityCurve(...) takes probabilities of one fifteenth together, over all concepts, and leaves out empty bins', () => {
  // 0.335 and 0.395 share the sixth bin, 0.36 too; 0.31 has the fifth, and a certainty the last.
  const curve = reliabilityCurve(
    [
      [0.335, 0.31, 1],
      [0.395, 0.36]
    ],
    [
      [0, 0, 1],
      [1, 1]
    ]
  )
  expect(curve).toEqual([
    {meanProbability: 0.31, shareFound: 0, count: 1},
    {meanProbability: expect.closeTo((0.335 + 0.395 + 0.36) / 3, 12), shareFound: 2 / 3, count: 3},
    {meanProbability: 1, shareFound: 1, count: 1}
  ])
})

test('reliabilityCurve(...) keeps every prediction: its bins rise and add up to what was said and what was found', () => {
  fc.assert(
    fc.property(predictions, pairs => {
      const scores = pairs.map(([score]) => score)
      const truths = pairs.map(([, truth]) => truth)
      const curve = reliabilityCurve([scores], [truths])
      const total = (of: (bin: (typeof curve)[number]) => number) => curve.reduce((sum, bin) => sum + of(bin), 0)
      const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
      expect(total(({count}) => count)).toBe(pairs.length)
      expect(total(({count, meanProbability}) => count * meanProbability)).toBeCloseTo(sum(scores), 9)
      expect(total(({count, shareFound}) => count * shareFound)).toBeCloseTo(sum(truths), 9)
      curve.forEach(({meanProbability}, at) => {
        if (at > 0) expect(meanProbability).toBeGreaterThan(curve[at - 1].meanProbability)
      })
    })
  )
})

test('calibrationError(...) is the distance of what was said and what was found, a prediction at a time', () => {
  const curve = [
    {meanProbability: 0.1, shareFound: 0.2, count: 3},
    {meanProbability: 0.9, shareFound: 0.5, count: 1}
  ]
  expect(calibrationError(curve)).toBeCloseTo((3 * 0.1 + 0.4) / 4, 12)
  expect(calibrationError([{meanProbability: 0.25, shareFound: 0.25, count: 8}])).toBe(0)
})
