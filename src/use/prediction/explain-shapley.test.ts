import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {type Game, playGame, shapleyValues} from './explain-shapley.ts'

/** The same by definition: what each player adds, averaged over all orders. */
function plainShapley(values: ArrayLike<number>, count: number): number[] {
  const sums = new Array<number>(count).fill(0)
  let orders = 0
  const visit = (set: number, order: readonly number[]) => {
    if (order.length === count) {
      orders++
      let seen = 0
      for (const player of order) {
        sums[player] += values[seen | (1 << player)] - values[seen]
        seen |= 1 << player
      }
      return
    }
    for (let player = 0; player < count; player++)
      if (!((set >> player) & 1)) visit(set | (1 << player), [...order, player])
  }
  visit(0, [])
  return sums.map(sum => sum / orders)
}

const gameOf = (values: readonly number[], count: number, limit = 8): Game => ({
  players: Array.from({length: count}, (_, at) => 2 * at + 1),
  value: taking => values[Array.from({length: count}, (_, at) => taking[2 * at + 1] << at).reduce((a, b) => a | b, 0)],
  none: values[0],
  all: values[values.length - 1],
  size: 2 * count,
  limit
})
const games = fc
  .integer({min: 1, max: 4})
  .chain(count =>
    fc.tuple(
      fc.constant(count),
      fc.array(fc.double({min: -9, max: 9, noNaN: true}), {minLength: 2 ** count, maxLength: 2 ** count})
    )
  )

describe('shapleyValues(...)', () => {
  it('shapleyValues(...) is the average over all orders', () => {
    fc.assert(
      fc.property(games, ([count, values]) => {
        const shares = shapleyValues(Float64Array.from(values), count)
        plainShapley(values, count).forEach((share, at) => {
          expect(shares[at]).toBeCloseTo(share, 10)
        })
      })
    )
  })
})

describe('playGame(...)', () => {
  it('playGame(...) shares out what all players reach together, whatever the limit', () => {
    fc.assert(
      fc.property(games, fc.integer({min: 0, max: 4}), ([count, values], limit) => {
        const {shares, rest} = playGame(gameOf(values, count, limit))
        expect(shares.size).toBeLessThanOrEqual(limit)
        expect(shares.size + rest.count).toBe(count)
        const total = [...shares.values()].reduce((sum, share) => sum + share, rest.share)
        expect(total).toBeCloseTo(values[values.length - 1] - values[0], 9)
      })
    )
  })

  it('playGame(...) names those that matter, the largest share first, and nobody else', () => {
    // Players 1, 3 and 5: the last adds nothing, the first two 1 and -3, and 4 more when they meet.
    const values = [0, 1, 2, 3, 4, 5, 6, 7].map(set => (set & 1) - 3 * ((set >> 1) & 1) + 4 * Number((set & 3) === 3))
    expect(playGame(gameOf(values, 3))).toEqual({
      shares: new Map([
        [1, expect.closeTo(3, 12)],
        [3, expect.closeTo(-1, 12)]
      ]),
      rest: {count: 1, share: expect.closeTo(0, 12)}
    })
    expect([...playGame(gameOf(values, 3, 1)).shares.keys()]).toEqual([1])
  })

  it('playGame(...) names a player that matters only when it comes first', () => {
    // Either of two reaches 1, and both together no more.
    expect(playGame(gameOf([0, 1, 1, 1], 2)).shares).toEqual(
      new Map([
        [1, 0.5],
        [3, 0.5]
      ])
    )
  })

  it('playGame(...) without players has nothing to share', () => {
    const nobody = {players: [], value: () => Number.NaN, none: 1, all: 1, size: 3, limit: 8}
    expect(playGame(nobody)).toEqual({shares: new Map(), rest: {count: 0, share: 0}})
  })
})
