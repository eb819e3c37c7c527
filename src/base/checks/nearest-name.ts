/** The known name with the fewest edits from `name`, if that is few enough to be meant. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const edits = editDistance(name, candidate)
    if (edits >= fewest) continue
    fewest = edits
    best = candidate
  }
  return best
}

function editDistance(a: string, b: string): number {
  let row = Array.from({length: b.length + 1}, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let k = 1; k <= b.length; k++)
      next.push(Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]
}
