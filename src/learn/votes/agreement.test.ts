import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {sourceKappa, type VoteRow, votesAlpha} from './agreement.ts'
import {drawVotes, randomVoting} from './test-votes.ts'

const flat = (votes: readonly number[]) => votes.flatMap((vote, source) => (vote < 0 ? [] : [source, vote]))
const rowsOf = (votes: readonly (readonly number[])[], documents = 1): VoteRow[] =>
  votes.map(one => ({votes: flat(one), documents}))

/** The definition, pair by pair: 1 - mean disagreement within documents / mean disagreement of any two votes. */
function slowAlpha(documents: readonly (readonly number[])[]): number {
  const paired = documents.map(votes => votes.filter(vote => vote >= 0)).filter(({length}) => length > 1)
  const all = paired.flat()
  let [observed, expected] = [0, 0]
  for (const votes of paired)
    votes.forEach((a, i) => {
      votes.forEach((b, j) => {
        if (i !== j && a !== b) observed += 1 / (votes.length - 1) / all.length
      })
    })
  all.forEach((a, i) => {
    all.forEach((b, j) => {
      if (i !== j && a !== b) expected += 1 / (all.length * (all.length - 1))
    })
  })
  return 1 - observed / expected
}

const anyDocuments = fc.array(fc.array(fc.integer({min: -1, max: 2}), {minLength: 4, maxLength: 4}), {
  minLength: 25,
  maxLength: 60
})

describe('votesAlpha', () => {
  test("votesAlpha(...) is Krippendorff's own example: three coders, 12 units with two values or more, alpha .691", () => {
    const coders = [
      [0, 0, 0, 0, 0, 3, 4, 1, 2, 1, 1, 3, 3, 0, 3],
      [1, 0, 2, 1, 3, 3, 4, 3, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 2, 1, 3, 4, 4, 0, 2, 1, 1, 3, 3, 0, 4]
    ]
    const units = coders[0].map((_, unit) => coders.map(values => values[unit] - 1))
    // Twice, as few documents have no alpha: n = 26 values become 52, and the factor n - 1 of disagreement 51 instead of 2 x 25.
    const {value = 0} = votesAlpha(rowsOf(units, 2), 4) ?? {}
    // Three digits are published.
    expect(Math.abs(1 - (1 - value) * (50 / 51) - 0.691)).toBeLessThan(0.0006)
    expect(slowAlpha(units)).toBeCloseTo(0.691, 3)
    expect(votesAlpha(rowsOf(units), 4)).toBeUndefined()
  })

  test('votesAlpha(...) is the mean over pairs, and counts documents by their number', () => {
    fc.assert(
      fc.property(anyDocuments, documents => {
        const slow = slowAlpha([...documents, ...documents])
        const found = votesAlpha(rowsOf(documents, 2), 3)
        if (found !== undefined) expect(found.value).toBeCloseTo(slow, 9)
      }),
      {numRuns: 30}
    )
  })
})

describe('sourceKappa', () => {
  test("sourceKappa(...) of two sources that always vote is Cohen's kappa: 20 and 15 of 50 alike, by chance half: .4", () => {
    const rows = [
      {votes: [0, 1, 1, 1], documents: 20},
      {votes: [0, 1, 1, 0], documents: 5},
      {votes: [0, 0, 1, 1], documents: 10},
      {votes: [0, 0, 1, 0], documents: 15}
    ]
    for (const source of [0, 1]) expect(sourceKappa(rows, source, 2)).toMatchObject({value: expect.closeTo(0.4, 12)})
  })

  test('sourceKappa(...) of a source for one class: its 90% with that vote, by chance 50%, are .8', () => {
    const rows = [
      {votes: [0, 1, 1, 1], documents: 90},
      {votes: [0, 1, 1, 0], documents: 10},
      {votes: [1, 0], documents: 90},
      {votes: [1, 1], documents: 10}
    ]
    expect(sourceKappa(rows, 0, 2)).toMatchObject({value: expect.closeTo(0.8, 12), documents: 100})
    expect(sourceKappa(rows.slice(2), 0, 2)).toBeUndefined()
    expect(sourceKappa([{votes: [0, 1, 1, 1], documents: 90}], 0, 2)).toBeUndefined()
  })

  test('a vote against a class agrees with nothing', () => {
    const rows = rowsOf(
      [
        [0, 0, 1],
        [1, 0, 1],
        [2, 2, 0],
        [1, 1, 1],
        [0, 2, 2]
      ],
      20
    )
    const against = rows.map(({votes, documents}) => ({votes: [...votes, 3, 4], documents}))
    expect(votesAlpha(against, 3)).toEqual(votesAlpha(rows, 3))
    expect(sourceKappa(against, 0, 3)).toEqual(sourceKappa(rows, 0, 3))
    expect(sourceKappa(against, 3, 3)).toBeUndefined()
  })

  test('intervals are those of the jackknife, which leaves out one document after the other', () => {
    for (const kind of ['every', 'some', 'one class'] as const) {
      const world = randomVoting(rng(6), kind, [3, 8], 0.3)
      const rows = rowsOf(drawVotes(world, 600, rng(7)).map(({votes}) => votes))
      for (const figure of [votesAlpha, (some: VoteRow[], classes: number) => sourceKappa(some, 0, classes)]) {
        const values = rows.map((_, left) => figure(rows.toSpliced(left, 1), 3)?.value ?? Number.NaN)
        const mean = values.reduce((a, b) => a + b) / values.length
        const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) * (1 - 1 / values.length)
        const {value = 0, high = 0} = figure(rows, 3) ?? {}
        // They differ by terms of 1 / documents.
        const {documents = 0} = sourceKappa(rows, 0, 3) ?? {}
        expect(Math.abs((high - value) / (1.645 * Math.sqrt(variance)) - 1)).toBeLessThan(4 / documents)
      }
    }
  })

  test('intervals hold the value of 30,000 documents 85 to 95 times in 100, with 30 documents of both and with more', () => {
    for (const [kind, documents] of [
      ['every', 40],
      ['some', 300],
      ['one class', 600]
    ] as const) {
      const world = randomVoting(rng(5), kind, [3, 4], 0.3)
      const drawn = (count: number, seed: number) => rowsOf(drawVotes(world, count, rng(seed)).map(({votes}) => votes))
      const whole = drawn(30_000, 1)
      const truths = [votesAlpha(whole, 3), ...world.sources.map((_, s) => sourceKappa(whole, s, 3))]
      let [held, all] = [0, 0]
      for (let seed = 2; seed < 152; seed++) {
        const rows = drawn(documents, seed)
        const found = [votesAlpha(rows, 3), ...world.sources.map((_, s) => sourceKappa(rows, s, 3))]
        found.forEach((one, at) => {
          const truth = truths[at]?.value
          if (one === undefined || truth === undefined) return
          all++
          if (one.low <= truth && truth <= one.high) held++
        })
      }
      // 150 draws of about five figures that share their votes: a standard error of about .015.
      expect(held / all, kind).toBeGreaterThan(0.85)
      expect(held / all, kind).toBeLessThan(0.95)
    }
  })
})
