import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {type PairGroups, solvePair} from './solve-pair.ts'

test('solvePair(...) has the standard errors of its twin, which moves the number of documents of each group', () => {
  const groups = someGroups()
  const {documents} = groups
  const squares = new Float64Array(solved(groups).parameters.length)
  for (let g = 0; g < documents.length; g++) {
    const step = 1e-5 * documents[g]
    const moved = (by: number) => solved({...groups, documents: documents.with(g, documents[g] + by)}).parameters
    const [up, down] = [moved(step), moved(-step)]
    for (let at = 0; at < squares.length; at++) squares[at] += documents[g] * ((up[at] - down[at]) / (2 * step)) ** 2
  }
  solved(groups).standardErrors.forEach((error, at) => {
    expect(error / Math.sqrt(squares[at])).toBeCloseTo(1, 5)
  })
})

test('solvePair(...) takes a group with a variance of its score as two groups without', () => {
  const groups = someGroups()
  const twice = (values: Float64Array) => Float64Array.from([...values, ...values])
  const spread = groups.score.map((_, g) => 0.1 + 0.02 * g)
  const halves = {
    ...groups,
    flags: Uint8Array.from([...groups.flags, ...groups.flags]),
    documents: twice(groups.documents).map(documents => documents / 2),
    score: Float64Array.from([
      ...groups.score.map((s, g) => s - spread[g]),
      ...groups.score.map((s, g) => s + spread[g])
    ]),
    scoreVariance: twice(groups.scoreVariance)
  }
  const whole = solved({...groups, scoreVariance: spread.map(deviation => deviation ** 2)})
  whole.standardErrors.forEach((error, at) => {
    expect(error).toBeCloseTo(solved(halves).standardErrors[at], 10)
    expect(whole.parameters[at]).toBeCloseTo(solved(halves).parameters[at], 10)
  })
})

test('solvePair(...) finds no components where the product of the covariances is not positive', () => {
  const groups = someGroups()
  expect(solvePair({...groups, score: groups.score.map((_, g) => groups.flags[3 * g] - groups.flags[3 * g + 1])})).toBe(
    undefined
  )
})

/** The 8 patterns of three members, and scores that follow a concept behind them, about. */
function someGroups(): PairGroups {
  const random = rng(1)
  const patterns = Array.from({length: 8}, (_, g) => [g >> 2, (g >> 1) & 1, g & 1])
  const share = (rates: readonly number[], fired: readonly number[]) =>
    fired.reduce((product, on, w) => product * (on ? rates[w] : 1 - rates[w]), 1)
  const present = patterns.map(fired => 0.3 * share([0.6, 0.5, 0.7], fired))
  const absent = patterns.map(fired => 0.7 * share([0.05, 0.1, 0.02], fired))
  return {
    memberCount: 3,
    pair: [0, 1],
    flags: Uint8Array.from(patterns.flat()),
    documents: Float64Array.from(present, (share, g) => 1000 * (share + absent[g])),
    score: Float64Array.from(present, (share, g) => (2 * share) / (share + absent[g]) + 0.05 * random.next()),
    scoreVariance: new Float64Array(8)
  }
}

function solved(groups: PairGroups) {
  const solution = solvePair(groups)
  if (solution === undefined) throw new Error('no components')
  return solution
}
