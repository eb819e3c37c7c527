import {expect, test} from 'vitest'
import {exp, log, rng} from '../../base/numeric/index.ts'
import {drawsOf, estimate, labelsFor} from './figure-intervals.ts'
import {bestOf, documentWeights, estimateOf, isClear} from './intervals.ts'
import {plainFigures} from './test-figures.ts'
import {conceptFigureNames, createFigures, figureColumns, type Judgement} from './weighted-figures.ts'

const names = figureColumns.map(({key}) => key)

/** Documents whose probabilities are known; `sharpness` of 1 says them, more is overconfident. Some labels are missing. */
function world(count: number, seed: number, {sharpness = 1, missing = 0, digits = 9} = {}): Judgement {
  const random = rng(seed)
  const concepts = [0.3, 0.1, 0.05].map(share => {
    const documents = Array.from({length: count}, (_, d) => d).filter(() => random.next() >= missing)
    const odds = documents.map(() => log(share / (1 - share)) + 6 * (random.next() + random.next() - 1))
    const probabilities = odds.map(own => Number((1 / (1 + exp(-sharpness * own))).toFixed(digits)))
    const labels = odds.map(own => (random.next() < 1 / (1 + exp(-own)) ? 1 : 0))
    return {documents, probabilities, labels, tagged: probabilities.map(p => p >= 0.3)}
  })
  const lastTag = Array.from({length: count}, () =>
    random.next() < missing ? Number.NaN : random.next() < 0.6 ? 1 : 0
  )
  return {concepts, lastTag, logTags: lastTag.map(() => -3 * random.next())}
}

/** Every document as often as `times` says. */
function repeated({concepts, lastTag, logTags}: Judgement, times: readonly number[]): Judgement {
  const copies = times.flatMap((count, d) => new Array<number>(count).fill(d))
  return {
    concepts: concepts.map(({documents, probabilities, labels, tagged}) => {
      const places = copies.map(d => Array.from(documents).indexOf(d))
      const known = [...places.keys()].filter(copy => places[copy] >= 0)
      return {
        documents: known,
        probabilities: known.map(copy => probabilities[places[copy]]),
        labels: known.map(copy => labels[places[copy]]),
        tagged: known.map(copy => tagged[places[copy]])
      }
    }),
    lastTag: copies.map(d => lastTag[d]),
    logTags: copies.map(d => logTags[d])
  }
}

/** The draws of all figures by random weights. */
function draw(judgement: Judgement, seed: number) {
  const weights = documentWeights(judgement.lastTag.length, 200, seed)
  return drawsOf(plainFigures(judgement), Array.from(weights, createFigures(judgement)))
}

test('createFigures(...) counts a weighted document as one that is there so many times', () => {
  const random = rng(9)
  for (const documents of [world(60, 1), world(80, 2, {sharpness: 2, missing: 0.2}), world(70, 3, {digits: 1})]) {
    const figuresBy = createFigures(documents)
    for (let run = 0; run < 8; run++) {
      const times = documents.lastTag.map(() => 1 + Math.floor(4 * random.next()))
      const [weighted, again] = [figuresBy(times), plainFigures(repeated(documents, times))]
      for (const name of names) expect(weighted[name], name).toBeCloseTo(again[name], 9)
      for (const name of conceptFigureNames)
        weighted.concepts.forEach((own, i) => {
          expect(own[name], name).toBeCloseTo(again.concepts[i][name], 9)
        })
    }
  }
})

test('90% intervals cover the figures of all documents there could be', () => {
  const truth = plainFigures(world(100_000, 1, {sharpness: 1.5}))
  const covered = new Map(names.map(name => [name, 0]))
  for (let run = 0; run < 60; run++) {
    const documents = world(300, 100 + run, {sharpness: 1.5})
    const [value, draws] = [plainFigures(documents), draw(documents, run)]
    for (const name of names) {
      const {low, high} = estimate(name, value[name], draws[name])
      if (low <= truth[name] && truth[name] <= high) covered.set(name, (covered.get(name) ?? 0) + 1)
    }
  }
  // Binomial: 85%, as rare tags have, leaves 43 or fewer of 60 covered in one of 300 runs.
  for (const [name, count] of covered) expect(count, name).toBeGreaterThan(43)
}, 60_000)

test('estimate(...) moves the draws of average precision to the figure, and no others; log P(tags) has an error of its own', () => {
  const draws = Float64Array.from({length: 101}, (_, at) => 0.3 + at / 1000)
  const moved = estimate('averagePrecision', 0.3, draws)
  expect([moved.low, moved.high]).toEqual([expect.closeTo(0.255, 12), expect.closeTo(0.345, 12)])
  expect(estimate('microF1', 0.3, draws)).toEqual({value: 0.3, low: 0.3, high: 0.395})
  expect(estimate('tagLogLikelihood', 0.35, draws, 0.1).low).toBeCloseTo(0.305 - 0.1645, 12)
})

test('isClear(...): of two equal methods no difference is; of methods that differ everywhere by a little, each is', () => {
  expect(isClear(estimateOf(0, [0, 0, 0]))).toBe(false)
  expect(isClear(estimateOf(0.01, [0.01, 0.01, 0.01]))).toBe(true)
  expect(isClear(estimateOf(Number.NaN, [0.2, 0.5, 0.8]))).toBe(false)
})

test('bestOf(...) names the best, and those without a clear difference from it', () => {
  const found = bestOf<number>(
    Object.entries({a: 0.9, b: 0.88, c: 0.5, d: 0.9}),
    (x, y) => x > y,
    (x, y) => ({low: x - y - 0.05, high: x - y + 0.05})
  )
  expect(found).toEqual({methods: ['a', 'd'], level: ['b']})
})

test('labelsFor(...) reads a learning curve on the logarithm of the labels, and stays at its ends beyond them', () => {
  const curve = [
    [100, 0.2],
    [400, 0.4],
    [1600, 0.3],
    [6400, 0.6]
  ] as const
  expect(labelsFor(0.25, curve)).toBeCloseTo(100 * 4 ** 0.25, 9)
  // The first place that reaches it counts, where a curve falls by chance.
  expect(labelsFor(0.4, curve)).toBeCloseTo(400, 9)
  expect(labelsFor(0.45, curve)).toBeCloseTo(1600 * 4 ** 0.5, 9)
  expect([labelsFor(0.1, curve), labelsFor(0.7, curve)]).toEqual([100, 6400])
})
