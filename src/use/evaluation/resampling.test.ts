import {describe, expect, test} from 'vitest'
import {exp, log, rng} from '../../base/numeric/index.ts'
import {conceptFigureNames, type Draws, drawFigures, type FigureName, figureNames} from './figure-draws.ts'
import {intervalOf} from './figure-intervals.ts'
import {bestOf, DocumentWeights, figureOf, isClear} from './resampling.ts'
import {expectedBest, taggingFigures} from './tagging-figures.ts'
import {descending} from './weighted-ranking.ts'

const SHARES = [0.3, 0.1, 0.05]
const THRESHOLD = 0.3

/** Documents whose probabilities are known; `sharpness` of 1 says them, more is overconfident. Some labels are missing. */
function world(count: number, seed: number, sharpness = 1, missing = 0) {
  const random = rng(seed)
  const columns = SHARES.map(() => ({documents: [] as number[], scores: [] as number[], labels: [] as number[]}))
  const [lastTag, logTags]: [number[], number[]] = [[], []]
  for (let d = 0; d < count; d++) {
    const common = random.next()
    SHARES.forEach((share, i) => {
      const odds = log(share / (1 - share)) + 4.5 * (random.next() + random.next() + common - 1.5)
      const isPresent = random.next() < 1 / (1 + exp(-odds))
      if (random.next() < missing) return
      columns[i].documents.push(d)
      columns[i].scores.push(1 / (1 + exp(-sharpness * odds)))
      columns[i].labels.push(isPresent ? 1 : 0)
    })
    lastTag.push(random.next() < missing ? Number.NaN : random.next() < 0.6 ? 1 : 0)
    logTags.push(-3 * common)
  }
  const scored = columns.map(column => {
    return {...column, order: descending(column.scores), tagged: column.scores.map(p => (p >= THRESHOLD ? 1 : 0))}
  })
  return {scored, lastTag, logTags}
}

type World = ReturnType<typeof world>

/** The figures themselves, by other means. */
function plain({scored, lastTag, logTags}: World): Record<FigureName, number> {
  const mean = (values: readonly number[]) => {
    const known = values.filter(value => !Number.isNaN(value))
    return known.reduce((sum, value) => sum + value, 0) / known.length
  }
  const {tagging} = {
    tagging: taggingFigures(
      scored.map(({scores}) => scores),
      scored.map(({labels}) => labels),
      {tagged: scored.map(({tagged}) => tagged), chosenOn: 'training documents'}
    )
  }
  const {macroAuc, averagePrecision, microF1, macroF1, atThreshold, brier, calibrationError} = tagging
  return {
    lastTag: mean(lastTag),
    tagLogLikelihood: mean(logTags),
    averagePrecision,
    macroAuc,
    microF1,
    macroF1,
    microF1AtThreshold: atThreshold.microF1,
    macroF1AtThreshold: atThreshold.macroF1,
    brier,
    calibrationError
  }
}

/** Every document as often as its weight says. */
function repeated({scored, lastTag, logTags}: World, times: readonly number[]): World {
  const places = times.flatMap((count, d) => Array.from({length: count}, () => d))
  const columns = scored.map(({documents, scores, labels, tagged}) => {
    const at = new Map(documents.map((d, place) => [d, place]))
    const rows = places.flatMap((d, number) => {
      const place = at.get(d)
      return place === undefined ? [] : [{number, place}]
    })
    const own = rows.map(({place}) => scores[place])
    return {
      documents: rows.map(({number}) => number),
      scores: own,
      labels: rows.map(({place}) => labels[place]),
      order: descending(own),
      tagged: rows.map(({place}) => tagged[place])
    }
  })
  return {scored: columns, lastTag: places.map(d => lastTag[d]), logTags: places.map(d => logTags[d])}
}

/** Whole weights, 1 to 4, in place of random ones. */
class WholeWeights extends DocumentWeights {
  readonly times: readonly (readonly number[])[]

  constructor(documents: number, replicates: number) {
    super(documents, replicates, 0)
    const random = rng(9)
    this.times = Array.from({length: replicates}, () =>
      Array.from({length: documents}, () => 1 + Math.floor(4 * random.next()))
    )
  }

  override *blocks() {
    for (let first = 0; first < this.replicates; first += 3) {
      const size = Math.min(3, this.replicates - first)
      const weights = new Float32Array(this.documents * size)
      for (let r = 0; r < size; r++)
        this.times[first + r].forEach((count, d) => {
          weights[d * size + r] = count
        })
      yield {first, size, weights}
    }
  }
}

describe('drawFigures', () => {
  test('a weighted document counts as one that is there so many times', () => {
    for (const documents of [world(60, 1), world(80, 2, 2, 0.2), tied(world(70, 3))]) {
      const weights = new WholeWeights(documents.lastTag.length, 8)
      const {figures, concepts} = drawFigures(documents, weights)
      weights.times.forEach((times, r) => {
        const again = repeated(documents, times)
        const exact = plain(again)
        for (const name of figureNames)
          if (name !== 'calibrationError') expect(figures[name][r], name).toBeCloseTo(exact[name], 9)
        const own = drawFigures(again, new WholeWeights(again.lastTag.length, 1))
        for (const name of conceptFigureNames)
          concepts.forEach(({draws}, i) => {
            expect(draws[name][r], name).toBeCloseTo(own.concepts[i].exact[name][0], 9)
          })
      })
    }
  })

  test('figures of a concept are those of its decisions; without a tag there are none', () => {
    const {scored, ...rest} = world(200, 4)
    const [first] = scored
    const none = {...first, labels: first.labels.map(() => 0)}
    const {concepts} = drawFigures({...rest, scored: [first, none]}, new DocumentWeights(200, 20, 0))
    const {atThreshold, averagePrecision} = taggingFigures(
      [first.scores],
      [first.labels],
      expectedBest([first.scores], THRESHOLD)
    )
    expect(concepts[0].exact.f1[0]).toBeCloseTo(atThreshold.microF1, 12)
    expect(concepts[0].exact.averagePrecision[0]).toBeCloseTo(averagePrecision, 12)
    expect(concepts[1].exact.f1[0]).toBeNaN()
    expect(concepts[1].exact.recall[0]).toBeNaN()
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
        const {figures} = drawFigures(documents, new DocumentWeights(500, 200, run))
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
    const {averagePrecision: draws} = drawFigures(documents, new DocumentWeights(150, 200, 1)).figures
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

  test('weights do not depend on how many are held, nor on the method', () => {
    const documents = world(50, 5)
    const draws = (held?: number) => drawFigures(documents, new DocumentWeights(50, 30, 7, held))
    const same = (a: Draws, b: Draws) => expect(a).toEqual(b)
    same(draws(), draws(200))
    same(draws(), draws(1))
  })
})

/** Many equal scores. */
function tied({scored, ...rest}: World): World {
  const coarse = scored.map(column => {
    const scores = column.scores.map(score => Math.round(5 * score) / 5)
    return {...column, scores, order: descending(scores)}
  })
  return {...rest, scored: coarse}
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
      const [a, b] = [one, other].map(own => drawFigures(own, weights).figures.brier)
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
