import {describe, expect, test} from 'vitest'
import {exp, log, rng} from '../../base/numeric/index.ts'
import {drawsOf, intervalOf} from './figure-intervals.ts'
import {bestOf, DocumentWeights, figureOf, isClear} from './resampling.ts'
import {conceptFigureNames, createFigures, figureNames, type Judgement} from './weighted-figures.ts'

const SHARES = [0.3, 0.1, 0.05]
const THRESHOLD = 0.3

/** Documents whose probabilities are known; `sharpness` of 1 says them, more is overconfident. Some labels are missing. */
function world(count: number, seed: number, sharpness = 1, missing = 0) {
  const random = rng(seed)
  const empty = () => SHARES.map((): number[] => [])
  const [probabilities, labels, numbers] = [empty(), empty(), empty()]
  const [lastTag, logTags]: [number[], number[]] = [[], []]
  for (let d = 0; d < count; d++) {
    const common = random.next()
    SHARES.forEach((share, i) => {
      const odds = log(share / (1 - share)) + 4.5 * (random.next() + random.next() + common - 1.5)
      const isPresent = random.next() < 1 / (1 + exp(-odds))
      if (random.next() < missing) return
      numbers[i].push(d)
      probabilities[i].push(1 / (1 + exp(-sharpness * odds)))
      labels[i].push(isPresent ? 1 : 0)
    })
    lastTag.push(random.next() < missing ? Number.NaN : random.next() < 0.6 ? 1 : 0)
    logTags.push(-3 * common)
  }
  const tagged = probabilities.map(scores => scores.map(p => (p >= THRESHOLD ? 1 : 0)))
  return {probabilities, labels, numbers, tagged, lastTag, logTags}
}

/** The figures of all documents, which tests of their own compare with definitions. */
function plain(judgement: Judgement) {
  return createFigures(judgement)(judgement.lastTag.map(() => 1))
}

/** Every document as often as its weight says. */
function repeated({lastTag, logTags, ...columns}: Judgement, times: readonly number[]): Judgement {
  const places = times.flatMap((count, d) => Array.from({length: count}, () => d))
  const rows = columns.numbers.map(own => {
    const at = new Map(Array.from(own, (d, place) => [d, place]))
    return places.flatMap((d, number) => {
      const place = at.get(d)
      return place === undefined ? [] : [{number, place}]
    })
  })
  const copied = (column: Judgement['labels']) => column.map((own, i) => rows[i].map(({place}) => own[place]))
  return {
    probabilities: copied(columns.probabilities),
    labels: copied(columns.labels),
    tagged: copied(columns.tagged),
    numbers: rows.map(own => own.map(({number}) => number)),
    lastTag: places.map(d => lastTag[d]),
    logTags: places.map(d => logTags[d])
  }
}

/** The draws of all figures by random weights. */
function draw(judgement: Judgement, weights: DocumentWeights) {
  return drawsOf(plain(judgement), Array.from(weights, createFigures(judgement)))
}

describe('createFigures', () => {
  test('a weighted document counts as one that is there so many times', () => {
    const random = rng(9)
    for (const documents of [world(60, 1), world(80, 2, 2, 0.2), tied(world(70, 3))]) {
      const figuresBy = createFigures(documents)
      for (let run = 0; run < 8; run++) {
        const times = documents.lastTag.map(() => 1 + Math.floor(4 * random.next()))
        const [weighted, again] = [figuresBy(times), plain(repeated(documents, times))]
        for (const name of figureNames) expect(weighted[name], name).toBeCloseTo(again[name], 9)
        for (const name of conceptFigureNames)
          weighted.concepts.forEach((own, i) => {
            expect(own[name], name).toBeCloseTo(again.concepts[i][name], 9)
          })
      }
    }
  })

  test('figures of a concept are those of its decisions; without a tag there are none', () => {
    const documents = world(200, 4)
    const [scores, labels] = [documents.probabilities[0], documents.labels[0]]
    const none = labels.map(() => 0)
    const two = {...documents, probabilities: [scores, scores], labels: [labels, none]}
    const {concepts} = plain(two)
    const reported = [...scores.keys()].filter(at => scores[at] >= THRESHOLD)
    const hits = reported.filter(at => labels[at] === 1).length
    const present = labels.filter(label => label === 1).length
    const [precision, recall] = [hits / reported.length, hits / present]
    expect(concepts[0].precision).toBeCloseTo(precision, 12)
    expect(concepts[0].recall).toBeCloseTo(recall, 12)
    expect(concepts[0].f1).toBeCloseTo((2 * precision * recall) / (precision + recall), 12)
    expect(concepts[0].averagePrecision).toBeCloseTo(
      plain({...documents, probabilities: [scores], labels: [labels]}).averagePrecision,
      12
    )
    expect(concepts[1].f1).toBeNaN()
    expect(concepts[1].recall).toBeNaN()
  })

  test('90% intervals cover the figures of all documents there could be', () => {
    // Binomial, 120 draws: a true 90% leaves 95 or fewer covered in one of 3,200 runs, 87%, as rare tags have, in one of 90.
    const least = 96
    for (const sharpness of [1.3, 2]) {
      const truth = plain(world(300_000, 1, sharpness))
      const covered = Object.fromEntries(figureNames.map(name => [name, 0]))
      for (let run = 0; run < 120; run++) {
        const documents = world(500, 100 + run, sharpness)
        const value = plain(documents)
        const figures = draw(documents, new DocumentWeights(500, 200, run))
        for (const name of figureNames) {
          const {low, high} = intervalOf(name, value[name], figures[name])
          if (low <= truth[name] && truth[name] <= high) covered[name]++
        }
      }
      for (const name of figureNames) expect(covered[name], name).toBeGreaterThanOrEqual(least)
    }
  }, 120_000)

  test('the interval of average precision is about the figure, though few of the draws are below it', () => {
    const documents = world(150, 3)
    const {averagePrecision: value} = plain(documents)
    const {averagePrecision: draws} = draw(documents, new DocumentWeights(150, 200, 1))
    expect(draws.filter(draw => draw < value).length).toBeLessThan(90)
    const {low, high} = intervalOf('averagePrecision', value, draws)
    expect(value - low).toBeGreaterThan(0.3 * (high - low))
    expect(high - value).toBeGreaterThan(0.3 * (high - low))
  })

  test('draws of average precision are moved to the figure, and no others', () => {
    const draws = Float64Array.from({length: 101}, (_, at) => 0.3 + at / 1000)
    const moved = intervalOf('averagePrecision', 0.3, draws)
    expect(moved.low).toBeCloseTo(0.255, 12)
    expect(moved.high).toBeCloseTo(0.345, 12)
    expect(intervalOf('microF1', 0.3, draws)).toEqual({value: 0.3, low: 0.3, high: 0.395})
  })

  test('weights do not depend on how many are held', () => {
    const weights = (held?: number) => [...new DocumentWeights(50, 30, 7, held)]
    expect(weights(200)).toEqual(weights())
    expect(weights(1)).toEqual(weights())
  })
})

/** Many equal scores. */
function tied(judgement: Judgement): Judgement {
  return {
    ...judgement,
    probabilities: judgement.probabilities.map(scores => Array.from(scores, score => Math.round(5 * score) / 5))
  }
}

describe('differences', () => {
  test('of two equal methods none is clear; of methods that differ everywhere by a little, each is', () => {
    const [a, b] = [Float64Array.of(0.2, 0.5, 0.8), Float64Array.of(0.19, 0.49, 0.79)]
    const difference = (x: Float64Array, y: Float64Array) =>
      figureOf(
        x[1] - y[1],
        x.map((one, r) => one - y[r])
      )
    expect(isClear(difference(a, a))).toBe(false)
    expect(isClear(difference(a, b))).toBe(true)
    expect(isClear(figureOf(Number.NaN, a))).toBe(false)
  })

  test('a difference that is not there is called clear about as seldom as the level says', () => {
    // Two methods of the same quality: 10% of 200 runs; binomial, more than 33 in one of 650.
    let clear = 0
    for (let run = 0; run < 200; run++) {
      const [one, other] = [world(300, 2 * run), world(300, 2 * run + 1)]
      const weights = new DocumentWeights(300, 200, run)
      const [a, b] = [one, other].map(own => draw(own, weights).brier)
      const value = plain(one).brier - plain(other).brier
      if (
        isClear(
          figureOf(
            value,
            a.map((draw, r) => draw - b[r])
          )
        )
      )
        clear++
    }
    expect(clear).toBeLessThanOrEqual(33)
    expect(clear).toBeGreaterThan(5)
  })

  test('bestOf(...) names the best, and those without a clear difference from it', () => {
    const named = [
      ['a', 0.9],
      ['b', 0.88],
      ['c', 0.5],
      ['d', 0.9]
    ] as const
    const found = bestOf<number>(
      named,
      (x, y) => x > y,
      (x, y) => ({low: x - y - 0.05, high: x - y + 0.05})
    )
    expect(found).toEqual({methods: ['a', 'd'], level: ['b']})
  })
})
