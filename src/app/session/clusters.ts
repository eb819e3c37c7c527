/**
 * Groups of concepts that have more to do with each other than with the rest: from single concepts, the two groups whose union
 * raises modularity (Newman) most are joined, until none does. `weights` are those between concepts, 0 where nothing joins them.
 * Cost: O(m^3).
 */
export function clustersOf(weights: readonly (readonly number[])[]): number[] {
  const between = weights.map(row => [...row])
  const degree = between.map(row => row.reduce((sum, weight) => sum + weight, 0))
  const total = degree.reduce((sum, one) => sum + one, 0)
  const members = between.map((_, i) => [i])
  for (let best = bestUnion(between, degree, total); best !== undefined; best = bestUnion(between, degree, total)) {
    const [into, from] = best
    members[into].push(...members[from])
    members[from] = []
    degree[into] += degree[from]
    degree[from] = 0
    for (let k = 0; k < between.length; k++) {
      between[into][k] += between[from][k]
      between[k][into] += between[k][from]
      between[from][k] = 0
      between[k][from] = 0
    }
  }
  return numbered(members)
}

/** The groups that gain most by union, the earlier ones of equals; undefined where none gains. */
function bestUnion(
  between: readonly (readonly number[])[],
  degree: readonly number[],
  total: number
): readonly [number, number] | undefined {
  let best: readonly [number, number] | undefined
  let most = 5e-10
  for (let i = 0; i < degree.length; i++)
    for (let k = i + 1; k < degree.length; k++) {
      if (between[i][k] === 0) continue
      const gain = between[i][k] / total - (degree[i] * degree[k]) / (total * total)
      if (gain > most + 5e-10) {
        most = gain
        best = [i, k]
      }
    }
  return best
}

/** The number of each concept's group, from 0: the largest first, and of equals that with the earlier concept. */
function numbered(members: readonly (readonly number[])[]): number[] {
  const groups = members.filter(group => group.length > 0)
  const ordered = groups.toSorted((a, b) => b.length - a.length || Math.min(...a) - Math.min(...b))
  const cluster = new Array<number>(members.length).fill(0)
  ordered.forEach((group, at) => {
    for (const i of group) cluster[i] = at
  })
  return cluster
}
