/** Milliseconds of work between two moments at which messages get through. */
const SLICE = 50

/** Long work in slices; between them other calls are answered. */
export interface Slices {
  /** Visit the numbers below `count`. `between` is called after each slice, and may throw to stop. */
  each(count: number, visit: (at: number) => void, between?: (done: number) => void): Promise<void>
  /** The value of a generator that pauses now and then. */
  steps<T>(work: Generator<unknown, T>): Promise<T>
}

export function createSlices(wait: (ms: number) => Promise<void>, now: () => number): Slices {
  return {
    async each(count, visit, between) {
      let since = now()
      for (let at = 0; at < count; at++) {
        visit(at)
        if ((at & 31) !== 31 || now() - since < SLICE) continue
        await wait(0)
        between?.(at + 1)
        since = now()
      }
    },
    async steps(work) {
      let since = now()
      for (;;) {
        const step = work.next()
        if (step.done) return step.value
        if (now() - since < SLICE) continue
        await wait(0)
        since = now()
      }
    }
  }
}
