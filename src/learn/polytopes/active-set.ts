/** The nonzero cells of a vertex. */
interface Atom {
  readonly cells: Int32Array
  readonly values: Float64Array
}

/** Vertices that differ by no more than this in every cell are the same one, found again by a solver that rounds. */
const SAME = 1e-9

/** The vertices seen so far and the mixture of them that is the current point: weights >= 0 that sum to 1. */
export class ActiveSet {
  readonly #atoms: Atom[] = []
  #weights: number[] = []
  #products = new Float64Array(0)

  /** The starting point is the first atom. */
  constructor(start: Float64Array) {
    this.#weights[this.add(start)] = 1
  }

  get count(): number {
    return this.#atoms.length
  }

  /** Atoms with a positive weight. */
  get carrierCount(): number {
    return this.#weights.filter(weight => weight > 0).length
  }

  weight(n: number): number {
    return this.#weights[n]
  }

  /** The index of this vertex; a new one joins with weight 0. */
  add(vertex: Float64Array): number {
    const seen = this.#atoms.findIndex(atom => isSame(atom, vertex))
    if (seen >= 0) return seen
    const cells: number[] = []
    for (let c = 0; c < vertex.length; c++) if (vertex[c] !== 0) cells.push(c)
    this.#atoms.push({cells: Int32Array.from(cells), values: Float64Array.from(cells, c => vertex[c])})
    this.#weights.push(0)
    return this.#atoms.length - 1
  }

  /** <g, atom> of every atom; the next call reuses the array. */
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

  /** Writes sum_n shares[n] atom_n. */
  mix(shares: ArrayLike<number>, x: Float64Array): void {
    x.fill(0)
    this.#atoms.forEach(({cells, values}, n) => {
      const share = shares[n]
      if (share !== 0) for (let c = 0; c < cells.length; c++) x[cells[c]] += share * values[c]
    })
  }

  /** Writes the current point. */
  point(x: Float64Array): void {
    this.mix(this.#weights, x)
  }

  /** Moves a share `gamma` of all weight to atom n. */
  moveTowards(n: number, gamma: number): void {
    for (let o = 0; o < this.#weights.length; o++) this.#weights[o] *= 1 - gamma
    this.#weights[n] += gamma
  }

  /** Sets the weights, scaled to sum to 1. */
  setWeights(weights: ArrayLike<number>): void {
    let sum = 0
    for (let n = 0; n < weights.length; n++) sum += weights[n]
    this.#weights = Array.from(weights, weight => weight / sum)
  }

  /** Writes the point a share `gamma` of the way from x to atom n. */
  towards(n: number, x: Float64Array, gamma: number, point: Float64Array): void {
    for (let c = 0; c < x.length; c++) point[c] = (1 - gamma) * x[c]
    const {cells, values} = this.#atoms[n]
    for (let c = 0; c < cells.length; c++) point[cells[c]] += gamma * values[c]
  }
}

function isSame({cells, values}: Atom, vertex: Float64Array): boolean {
  for (let c = 0; c < cells.length; c++) if (Math.abs(vertex[cells[c]] - values[c]) > SAME) return false
  let next = 0
  for (let c = 0; c < vertex.length; c++)
    if (cells[next] === c) next++
    else if (Math.abs(vertex[c]) > SAME) return false
  return true
}
