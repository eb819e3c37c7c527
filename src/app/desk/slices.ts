/** Milliseconds of work between two moments at which messages get through. */
const SLICE = 50

/** Long work over documents, in slices; between them other calls are answered. */
export interface Slices {
  each(count: number, visit: (at: number) => void, control?: SliceControl): Promise<void>
}

export interface SliceControl {
  /** Called between slices; may throw to stop. */
  readonly between?: (done: number) => void
}

export function createSlices(wait: (ms: number) => Promise<void>, now: () => number): Slices {
  return {
    async each(count, visit, {between} = {}) {
      let since = now()
      for (let at = 0; at < count; at++) {
        visit(at)
        if ((at & 63) !== 63 || now() - since < SLICE) continue
        await wait(0)
        between?.(at + 1)
        since = now()
      }
    }
  }
}
