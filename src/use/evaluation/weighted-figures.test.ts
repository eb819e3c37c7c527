import fc from 'fast-check'
import {expect, test} from 'vitest'
import {columnsOf, plainFigures, taggingOf} from './test-figures.ts'
import {conceptMistakes} from './weighted-figures.ts'

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

test('area and average precision are NaN without the classes they compare', () => {
  expect(rocArea([0.1, 0.2], [1, 1])).toBeNaN()
  expect(rocArea([0.1, 0.2], [0, 0])).toBeNaN()
  expect(averagePrecision([0.1, 0.2], [0, 0])).toBeNaN()
  expect(averagePrecision([0.1, 0.2], [1, 1])).toBe(1)
})

test('createFigures(...).concepts are of the reports of the method, and NaN where no document has the concept', () => {
  // Reported: a hit, an alarm; not reported: a miss, and one that is rightly left out.
  const [own] = columnsOf([[0.9, 0.8, 0.4, 0.1]], [[1, 0, 1, 0]])
  const tagged = [true, true, false, false]
  const lastTag = [Number.NaN, Number.NaN, Number.NaN, Number.NaN]
  const {concepts} = plainFigures({
    concepts: [
      {...own, tagged},
      {...own, tagged, labels: [0, 0, 0, 0]}
    ],
    lastTag,
    logTags: lastTag
  })
  expect(concepts[0]).toEqual({f1: 0.5, precision: 0.5, recall: 0.5, averagePrecision: (1 + 2 / 3) / 2, present: 2})
  expect([concepts[1].f1, concepts[1].recall, concepts[1].averagePrecision]).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NaN
  ])
})

test('conceptMistakes(...) finds each wrong document, the surest mistakes first', () => {
  fc.assert(
    fc.property(predictions, fc.double({min: 0, max: 1, noNaN: true}), (pairs, threshold) => {
      const documents = pairs.map((_, at) => 10 + at)
      const [probabilities, labels] = [pairs.map(([score]) => score), pairs.map(([, truth]) => truth)]
      const tagged = probabilities.map(p => p >= threshold)
      const {tags, alarms, misses} = conceptMistakes({documents, probabilities, labels, tagged})
      const wrong = (label: number) =>
        documents.filter((_, at) => labels[at] === label && tagged[at] === (label === 0)).sort()
      expect([alarms, misses].map(list => list.map(({document}) => document).sort())).toEqual([wrong(0), wrong(1)])
      expect(alarms.map(({probability}) => -probability)).toEqual(
        alarms.map(({probability}) => -probability).toSorted((a, b) => a - b)
      )
      expect(misses.map(one => one.probability)).toEqual(misses.map(one => one.probability).toSorted((a, b) => a - b))
      expect(tags).toBe(labels.filter(label => label === 1).length)
    })
  )
})
