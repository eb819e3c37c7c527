const GOLDEN = (Math.sqrt(5) - 1) / 2

/** The value of a function at a point. */
export interface ValueAt {
  readonly at: number
  readonly value: number
}

/** Narrows [low, high] around the maximum of a function that rises, then falls, to at most `width`. `best` is a point inside. */
export function goldenSection<Point extends ValueAt>(
  evaluate: (at: number) => Point,
  [from, to]: readonly [number, number],
  width: number
): {readonly low: number; readonly high: number; readonly best: Point} {
  let [low, high] = [from, to]
  let left = evaluate(high - GOLDEN * (high - low))
  let right = evaluate(low + GOLDEN * (high - low))
  while (high - low > width) {
    if (left.value >= right.value) {
      high = right.at
      right = left
      left = evaluate(high - GOLDEN * (high - low))
    } else {
      low = left.at
      left = right
      right = evaluate(low + GOLDEN * (high - low))
    }
  }
  return {low, high, best: left.value >= right.value ? left : right}
}
