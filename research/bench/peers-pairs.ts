import {createHash} from 'node:crypto'

/**
 * In how many documents an anchor and a feature occur together, of all features that ever do; the anchor itself is among
 * them. Every program of research/bench/peers.ts must give the same.
 */
export class PairCounts {
  readonly #counts = new Map<string, Map<string, number>>()

  add(anchor: string, feature: string, documents: number): void {
    let row = this.#counts.get(anchor)
    if (row === undefined) {
      row = new Map()
      this.#counts.set(anchor, row)
    }
    row.set(feature, (row.get(feature) ?? 0) + documents)
  }

  /** A hash of all lines `anchor feature documents`, in the order of their characters. */
  digest(): string {
    const lines = [...this.#counts].flatMap(([anchor, row]) =>
      Array.from(row, ([feature, documents]) => `${anchor} ${feature} ${documents}\n`)
    )
    return createHash('sha256').update(lines.sort().join('')).digest('hex')
  }
}
