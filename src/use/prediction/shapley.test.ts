import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {playGame, shapleyValues} from './shapley.ts'

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

/** Plays with the players 1, 3, 5 and so on. */
const play = (values: readonly number[], count: number, limit = 8) => {
  const players = Array.from({length: count}, (_, at) => 2 * at + 1)
  const value = (taking: ReadonlySet<number>) =>
    values[players.reduce((set, player, at) => set | (taking.has(player) ? 1 << at : 0), 0)]
  return playGame(players, value, limit)
}
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
        const {shares, rest} = play(values, count, limit)
        expect(shares.length).toBeLessThanOrEqual(limit)
        expect(shares.length + rest.count).toBe(count)
        const total = shares.reduce((sum, [, share]) => sum + share, rest.logOdds)
        expect(total).toBeCloseTo(values[values.length - 1] - values[0], 9)
      })
    )
  })

  it('playGame(...) names those that matter, first or last, the largest share first, and nobody else', () => {
    // Players 1, 3 and 5: the last adds nothing, the first two 1 and -3, and 4 more when they meet.
    const values = [0, 1, 2, 3, 4, 5, 6, 7].map(set => (set & 1) - 3 * ((set >> 1) & 1) + 4 * Number((set & 3) === 3))
    expect(play(values, 3)).toMatchObject({
      shares: [
        [1, expect.closeTo(3, 12)],
        [3, expect.closeTo(-1, 12)]
      ],
      rest: {count: 1, logOdds: expect.closeTo(0, 12)}
    })
    expect(play(values, 3, 1).shares.map(([player]) => player)).toEqual([1])
    // Either of two reaches 1, and both together no more.
    expect(play([0, 1, 1, 1], 2).shares).toEqual([
      [1, 0.5],
      [3, 0.5]
    ])
    expect(playGame([], () => 1, 8)).toEqual({shares: [], rest: {count: 0, logOdds: 0}})
  })
})
