/** All sets of at most `order` of m concepts: small sets first, sets of one size in the order of their concepts. */
export function conceptSets(m: number, order: number): readonly (readonly number[])[] {
  const sets: (readonly number[])[] = [[]]
  for (let from = 0, size = 1; size <= order; size++) {
    const end = sets.length
    for (; from < end; from++) for (let i = (sets[from].at(-1) ?? -1) + 1; i < m; i++) sets.push([...sets[from], i])
  }
  return sets
}

/** How many there are. */
export function conceptSetCount(m: number, order: number): number {
  let [count, ofSize] = [1, 1]
  for (let size = 1; size <= order; size++) {
    ofSize = (ofSize * (m - size + 1)) / size
    count += ofSize
  }
  return count
}

/** The place of an ascending set of at most three concepts among {@link conceptSets}. */
export function conceptSetNumber(m: number, [i, k, l]: readonly number[]): number {
  if (i === undefined) return 0
  if (k === undefined) return 1 + i
  if (l === undefined) return 1 + m + two(m) - two(m - i) + k - i - 1
  return 1 + m + two(m) + three(m) - three(m - i) + two(m - i - 1) - two(m - k) + l - k - 1
}

function two(n: number): number {
  return (n * (n - 1)) / 2
}

function three(n: number): number {
  return (n * (n - 1) * (n - 2)) / 6
}
