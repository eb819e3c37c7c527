/**
 * Counts things without end in little memory: 2^bits cells of four bytes, each for all things of one hash, so that a
 * cell is never less than the count of one of them. A full cell stays full.
 */
export class PairCells {
  readonly #cells: Uint32Array
  readonly #least: number
  /** Cells that hold `least` or more. */
  readonly #candidates: number[] = []

  /** Things seen fewer than `least` times do not matter. */
  constructor(bits: number, least: number) {
    this.#cells = new Uint32Array(2 ** bits)
    this.#least = least
  }

  see(hash: number): void {
    const held = this.#cells[hash]
    if (held < 0xffffffff) this.#cells[hash] = held + 1
    if (held + 1 === this.#least) this.#candidates.push(hash)
  }

  /** The most that a thing of this hash can have been seen. */
  most(hash: number): number {
    return this.#cells[hash]
  }

  /** What a cell holds at least that is among the `count` fullest, equal ones included; no less than `least`. */
  leastOfFullest(count: number): number {
    if (this.#candidates.length <= count) return this.#least
    return this.#candidates.map(hash => this.#cells[hash]).sort((a, b) => b - a)[count - 1]
  }
}
