/** Returns the known name of which `name` is probably a misspelling, or undefined if none is close enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  return nearestNames(name, known, 1).at(0)
}

/**
 * Returns up to `count` known names that differ from `name` by one edit or at most one per three of its letters, the closest first;
 * ties keep their order. Edits ignore case, but an exact match comes first: all other names count half an edit more.
 */
export function nearestNames(name: string, known: Iterable<string>, count: number): string[] {
  const maxEdits = Math.max(1, Math.floor(name.length / 3))
  const near: {candidate: string; edits: number}[] = []
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > maxEdits) continue
    const edits = name === candidate ? 0 : editDistance(name.toLowerCase(), candidate.toLowerCase()) + 0.5
    if (edits <= maxEdits + 0.5) near.push({candidate, edits})
  }
  return near
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({candidate}) => candidate)
}

/** Returns the Damerau-Levenshtein distance: the least number of letters to add, drop, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({length: b.length + 1}, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let k = 1; k <= b.length; k++) {
      const isSwapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1]
      const steps = [row[k] + 1, next[k - 1] + 1, row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1)]
      next.push(Math.min(...steps, isSwapped ? before[k - 2] + 1 : Number.POSITIVE_INFINITY))
    }
    before = row
    row = next
  }
  return row[b.length]
}

/** The longer of two variants has at least this many letters, since different short words often differ by one: "bread", "break". */
const MIN_VARIANT_LENGTH = 6

/**
 * Tells whether one edit (a letter inserted, deleted, replaced or swapped with its neighbour) turns one word into the other. Both
 * must consist of letters only and begin with the same letter.
 */
export function isSpellingVariant(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length < MIN_VARIANT_LENGTH || long.length - short.length > 1 || short[0] !== long[0]) return false
  if (short === long || !/^\p{L}+$/u.test(short + long)) return false
  let from = 0
  while (from < short.length && short[from] === long[from]) from++
  const rest = (word: string, skip: number) => word.slice(from + skip)
  if (short.length < long.length) return rest(short, 0) === rest(long, 1)
  const isSwapped = short[from] === long[from + 1] && short[from + 1] === long[from]
  return rest(short, 1) === rest(long, 1) || (isSwapped && rest(short, 2) === rest(long, 2))
}
