import type {LocalMinima} from './local-minima.ts'

/** The best distinct points seen so far, sorted by value. Values nearer than `tolerance` may belong to one and the same point. */
export class MinimaKeeper {
  readonly #size: number
  readonly #keep: number
  readonly #tolerance: number
  readonly #values: number[] = []
  readonly #rows: Uint8Array[] = []

  constructor(size: number, keep: number, tolerance: number) {
    this.#size = size
    this.#keep = keep
    this.#tolerance = tolerance
  }

  /** Nothing at or above this value can still enter. */
  get worst(): number {
    return this.#values.length < this.#keep ? Number.POSITIVE_INFINITY : this.#values[this.#keep - 1]
  }

  offer(value: number, y: Uint8Array): void {
    if (value >= this.worst) return
    const values = this.#values
    let place = lowerBound(values, value - this.#tolerance)
    for (; place < values.length && values[place] <= value + this.#tolerance; place++) {
      if (equalRows(this.#rows[place], y)) return
    }
    place = lowerBound(values, value)
    values.splice(place, 0, value)
    const full = values.length > this.#keep
    const row = full ? this.#rows.pop() : undefined
    if (full) values.pop()
    const copy = row ?? new Uint8Array(this.#size)
    copy.set(y)
    this.#rows.splice(place, 0, copy)
  }

  finish(evaluate: (y: Uint8Array) => number): LocalMinima {
    const exact = this.#rows.map(y => ({y, value: evaluate(y)})).sort((a, b) => a.value - b.value)
    const rows = new Uint8Array(exact.length * this.#size)
    exact.forEach(({y}, at) => {
      rows.set(y, at * this.#size)
    })
    return {count: exact.length, values: Float64Array.from(exact, ({value}) => value), rows}
  }
}

function lowerBound(values: readonly number[], value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

function equalRows(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
