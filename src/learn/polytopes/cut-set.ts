import type {CutRow} from './cut-program.ts'

/** Linear inequalities `sum values x[indices] >= lower`, packed: a row's products cost as many operations as it has entries. */
export class CutSet {
  #starts: number[] = [0]
  #columns: number[] = []
  #values: number[] = []
  #lower: number[] = []

  get size(): number {
    return this.#lower.length
  }

  add({indices, values, lower}: CutRow): void {
    this.#columns.push(...indices)
    this.#values.push(...values)
    this.#starts.push(this.#columns.length)
    this.#lower.push(lower)
  }

  /** Forget the rows that `isKept` does not want; the others move up. */
  retain(isKept: (row: number) => boolean): void {
    const starts = [0]
    let row = 0
    let end = 0
    for (let from = 0; from < this.size; from++) {
      if (!isKept(from)) continue
      for (let at = this.#starts[from]; at < this.#starts[from + 1]; at++, end++) {
        this.#columns[end] = this.#columns[at]
        this.#values[end] = this.#values[at]
      }
      this.#lower[row] = this.#lower[from]
      row++
      starts.push(end)
    }
    this.#starts = starts
    this.#columns.length = end
    this.#values.length = end
    this.#lower.length = row
  }

  /** How much room x leaves: negative when it violates the row. */
  slack(row: number, x: Float64Array): number {
    return this.product(row, x) - this.#lower[row]
  }

  product(row: number, x: Float64Array): number {
    let sum = 0
    for (let at = this.#starts[row]; at < this.#starts[row + 1]; at++) sum += this.#values[at] * x[this.#columns[at]]
    return sum
  }

  /** out += factor * row. */
  addTo(out: Float64Array, row: number, factor: number): void {
    for (let at = this.#starts[row]; at < this.#starts[row + 1]; at++)
      out[this.#columns[at]] += factor * this.#values[at]
  }

  /** out += factor * row^2, entry by entry. */
  addSquaresTo(out: Float64Array, row: number, factor: number): void {
    for (let at = this.#starts[row]; at < this.#starts[row + 1]; at++)
      out[this.#columns[at]] += factor * this.#values[at] * this.#values[at]
  }
}
