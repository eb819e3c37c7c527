/** Each player's share, the largest first; `rest` is the joint share of those that add too little to be named. */
export interface GameShares {
  readonly shares: readonly (readonly [player: number, share: number])[]
  readonly rest: {readonly count: number; readonly logOdds: number}
}

/** A player that changes the log-odds by less, coming first or last, is not named: at even odds a quarter of a percentage point. */
const WORTH_NAMING = 0.01

/**
 * Shapley values: what a player adds to `value`, averaged over every order of the players. They add up to the value of all less
 * that of none.
 *
 * Each player is first tried alone and left out alone; the `limit` players with the largest effect, at most 12, get a share of
 * their own, and the others act as one. Cost: 2 * players + 2^(limit + 1) values.
 */
export function playGame(
  players: readonly number[],
  value: (taking: ReadonlySet<number>) => number,
  limit: number
): GameShares {
  const worth = (list: readonly number[]) => value(new Set(list))
  const [none, all] = [worth([]), worth(players)]
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
  const last = 2 ** teams.length - 1
  const values = Float64Array.from({length: last + 1}, (_, set) => {
    if (set === 0) return none
    return set === last ? all : worth(teams.filter((_, at) => (set >> at) & 1).flat())
  })
  const shares = shapleyValues(values, teams.length)
  const ranked = named
    .map((player, at) => [player, shares[at]] as const)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
  return {shares: ranked, rest: {count: others.length, logOdds: shares[named.length] ?? 0}}
}

/** The Shapley values of a game of `count` players; `values[set]`, player `at` belongs to the set by bit `at`. */
export function shapleyValues(values: Float64Array, count: number): Float64Array {
  // weight[s] = s! (count - 1 - s)! / count!: the share of orders in which exactly the s players of a set come before one.
  const weight = new Float64Array(count)
  for (let s = 0; s < count; s++) weight[s] = s === 0 ? 1 / count : (weight[s - 1] * s) / (count - s)
  const shares = new Float64Array(count)
  for (let set = 0; set < values.length; set++) {
    let before = 0
    for (let at = 0; at < count; at++) before += (set >> at) & 1
    for (let at = 0; at < count; at++)
      if (!((set >> at) & 1)) shares[at] += weight[before] * (values[set | (1 << at)] - values[set])
  }
  return shares
}
