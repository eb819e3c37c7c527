const GOLDEN = (Math.sqrt(5) - 1) / 2

/** A point and the value of a function there; evaluations may carry more fields. */
export interface ValueAt {
  readonly at: number
  readonly value: number
}

/** Narrows an interval around the maximum of a unimodal function to at most `width`. `best` is the better of the last two trials. */
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
