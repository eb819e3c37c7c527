import type {Players} from './explain-odds.ts'

/** Each player's share, the largest first; `rest` is the joint share of those that add too little to be named. */
export interface GameShares {
  readonly shares: ReadonlyMap<number, number>
  readonly rest: {readonly count: number; readonly share: number}
}

export interface Game {
  readonly players: readonly number[]
  /** The value when the players marked 1 take part. */
  readonly value: (taking: Players) => number
  /** `value` with no player, and with all. */
  readonly none: number
  readonly all: number
  /** The length of the marks. */
  readonly size: number
  /** The largest number of named players; at most 12. */
  readonly limit: number
}

/** A player that changes the log-odds by less, coming first or last, is not named: at even odds a quarter of a percentage point. */
const WORTH_NAMING = 0.01

/**
 * Shapley values: what a player adds, averaged over every order of the players. They add up to `all - none`.
 *
 * Each player is first tried alone and left out alone; the `limit` players with the largest effect get a share of their
 * own, and the others act as one. Cost: 2 * players + 2^(limit + 1) values.
 */
export function playGame({players, value, none, all, size, limit}: Game): GameShares {
  const marks = new Uint8Array(size)
  const worth = (list: readonly number[]) => {
    marks.fill(0)
    for (const player of list) marks[player] = 1
    return value(marks)
  }
  const influence = (player: number) => {
    const without = players.filter(other => other !== player)
    return Math.max(Math.abs(worth([player]) - none), Math.abs(all - worth(without)))
  }
  const named = players
    .map(player => ({player, influence: influence(player)}))
    .filter(entry => entry.influence >= WORTH_NAMING)
    .sort((a, b) => b.influence - a.influence || a.player - b.player)
    .slice(0, limit)
    .map(({player}) => player)
  const others = players.filter(player => !named.includes(player))
  const teams = [...named.map(player => [player]), ...(others.length > 0 ? [others] : [])]
  const values = new Float64Array(2 ** teams.length)
  values[0] = none
  for (let set = 1; set < values.length - 1; set++)
    values[set] = worth(teams.flatMap((team, at) => ((set >> at) & 1 ? team : [])))
  if (teams.length > 0) values[values.length - 1] = all
  const shares = shapleyValues(values, teams.length)
  const ranked = named
    .map((player, at) => [player, shares[at]] as const)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
  return {shares: new Map(ranked), rest: {count: others.length, share: others.length > 0 ? shares[named.length] : 0}}
}

/** The Shapley values of a game of `count` players; `values[set]`, player `at` belongs to the set by bit `at`. */
export function shapleyValues(values: Float64Array, count: number): Float64Array {
  // weight[s] = s! (count - 1 - s)! / count!: the share of orders in which exactly the s players of a set come before one.
  const weight = new Float64Array(count)
  for (let s = 0; s < count; s++) weight[s] = s === 0 ? 1 / count : (weight[s - 1] * s) / (count - s)
  const shares = new Float64Array(count)
  for (let set = 0; set < values.length; set++) {
    const before = bitCount(set)
    for (let at = 0; at < count; at++)
      if (!((set >> at) & 1)) shares[at] += weight[before] * (values[set | (1 << at)] - values[set])
  }
  return shares
}

function bitCount(set: number): number {
  let count = 0
  for (let rest = set; rest > 0; rest &= rest - 1) count++
  return count
}
