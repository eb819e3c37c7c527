/** A vertex, by its cells that are not 0. */
interface Atom {
  readonly cells: Int32Array
  readonly values: Float64Array
}

/** Vertices that differ by no more than this in any cell are the same one, found again by a solver that rounds. */
const SAME = 1e-9

/** The vertices that were seen and how the point is mixed from them: weights >= 0 that sum to 1. */
export class ActiveSet {
  readonly #atoms: Atom[] = []
  #weights: number[] = []
  #products = new Float64Array(0)

  /** Begins with the starting point as its one atom. */
  constructor(start: Float64Array) {
    this.#weights[this.add(start)] = 1
  }

  get count(): number {
    return this.#atoms.length
  }

  /** How many atoms the point is mixed from. */
  get carrierCount(): number {
    return this.#weights.filter(weight => weight > 0).length
  }

  weight(n: number): number {
    return this.#weights[n]
  }

  /** Which atom this vertex is, or -1. */
  find(vertex: Float64Array): number {
    return this.#atoms.findIndex(({cells, values}) => {
      for (let c = 0; c < cells.length; c++) if (Math.abs(vertex[cells[c]] - values[c]) > SAME) return false
      let next = 0
      for (let c = 0; c < vertex.length; c++)
        if (cells[next] === c) next++
        else if (Math.abs(vertex[c]) > SAME) return false
      return true
    })
  }

  /** The number of this vertex among the atoms, which it joins, without weight, if it is new. */
  add(vertex: Float64Array): number {
    const seen = this.find(vertex)
    if (seen >= 0) return seen
    const cells: number[] = []
    for (let c = 0; c < vertex.length; c++) if (vertex[c] !== 0) cells.push(c)
    this.#atoms.push({cells: Int32Array.from(cells), values: Float64Array.from(cells, c => vertex[c])})
    this.#weights.push(0)
    return this.#atoms.length - 1
  }

  /** <g, atom> of every atom; the array is used again by the next call. */
  products(g: Float64Array): Float64Array {
    if (this.#products.length < this.count) this.#products = new Float64Array(2 * this.count)
    const products = this.#products.subarray(0, this.count)
    this.#atoms.forEach(({cells, values}, n) => {
      let sum = 0
      for (let c = 0; c < cells.length; c++) sum += g[cells[c]] * values[c]
      products[n] = sum
    })
    return products
  }

  /** The atom to go to, of the least product, and the one to come from, of the greatest among those with weight. */
  extremes(g: Float64Array): {toward: number; away: number; gap: number} {
    const products = this.products(g)
    let toward = 0
    let away = -1
    for (let n = 0; n < products.length; n++) {
      if (products[n] < products[toward]) toward = n
      if (this.#weights[n] > 0 && (away < 0 || products[n] > products[away])) away = n
    }
    return {toward, away, gap: products[away] - products[toward]}
  }

  /** Writes sum_n shares[n] atom_n. */
  mix(shares: ArrayLike<number>, x: Float64Array): void {
    x.fill(0)
    this.#atoms.forEach(({cells, values}, n) => {
      const share = shares[n]
      if (share !== 0) for (let c = 0; c < cells.length; c++) x[cells[c]] += share * values[c]
    })
  }

  /** Writes the point itself. */
  point(x: Float64Array): void {
    this.mix(this.#weights, x)
  }

  /** Move all weight a share `gamma` of the way to atom n. */
  moveTowards(n: number, gamma: number): void {
    for (let o = 0; o < this.#weights.length; o++) this.#weights[o] *= 1 - gamma
    this.#weights[n] += gamma
  }

  /** Move weight from one atom to another. */
  moveBetween(from: number, to: number, amount: number): void {
    this.#weights[from] = amount >= this.#weights[from] ? 0 : this.#weights[from] - amount
    this.#weights[to] += amount
  }

  /** Take these weights, brought to sum 1. */
  setWeights(weights: ArrayLike<number>): void {
    let sum = 0
    for (let n = 0; n < weights.length; n++) sum += weights[n]
    this.#weights = Array.from(weights, weight => weight / sum)
  }

  /** Forget the atoms without weight. */
  prune(): void {
    const kept = this.#weights.map(weight => weight > 0)
    const atoms = this.#atoms.filter((_, n) => kept[n])
    this.#atoms.length = 0
    this.#atoms.push(...atoms)
    this.setWeights(this.#weights.filter(weight => weight > 0))
  }

  /** Writes the point a share `gamma` of the way from x to atom n. */
  towards(n: number, x: Float64Array, gamma: number, point: Float64Array): void {
    for (let c = 0; c < x.length; c++) point[c] = (1 - gamma) * x[c]
    const {cells, values} = this.#atoms[n]
    for (let c = 0; c < cells.length; c++) point[cells[c]] += gamma * values[c]
  }

  /** Writes atom_to - atom_from. */
  difference(to: number, from: number, d: Float64Array): void {
    d.fill(0)
    const {cells, values} = this.#atoms[to]
    for (let c = 0; c < cells.length; c++) d[cells[c]] = values[c]
    const other = this.#atoms[from]
    for (let c = 0; c < other.cells.length; c++) d[other.cells[c]] -= other.values[c]
  }
}
