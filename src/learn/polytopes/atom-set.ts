import {pairIndex, tripleIndex} from '../../base/qubo/index.ts'
import {coordinateCount, type MomentLayout} from './moment-layout.ts'

/**
 * Points of the marginal polytope, in coordinates (p, q, r), and their mixtures: a few dense points, then vertices.
 * A vertex is a 0/1 assignment; its coordinates are 1 for every concept that is on and for every pair and triple of them. It is
 * stored as the list of those: few, since few concepts are on.
 */
export class AtomSet {
  readonly coordinateCount: number
  readonly #layout: MomentLayout
  readonly #dense: readonly Float64Array[]
  readonly #starts: number[] = [0]
  /** The number of concepts that are on in each vertex: the first of its columns. */
  readonly #onCounts: number[] = []
  #columns = new Int32Array(1024)
  readonly #known = new Set<string>()

  constructor(layout: MomentLayout, dense: readonly Float64Array[]) {
    this.#layout = layout
    this.coordinateCount = coordinateCount(layout)
    this.#dense = dense
  }

  get size(): number {
    return this.#dense.length + this.#starts.length - 1
  }

  /** Adds the vertex of this 0/1 row; false when it is already a member. */
  add(y: ArrayLike<number>): boolean {
    const on: number[] = []
    for (let i = 0; i < this.#layout.conceptCount; i++) if (y[i] === 1) on.push(i)
    const name = on.join()
    if (this.#known.has(name)) return false
    this.#known.add(name)
    const columns = columnsOf(this.#layout, on)
    const end = this.#starts[this.#starts.length - 1]
    this.#reserve(end + columns.length)
    this.#columns.set(columns, end)
    this.#starts.push(end + columns.length)
    this.#onCounts.push(on.length)
    return true
  }

  /** x = the sum of weight times atom. */
  combine(weights: Float64Array, x: Float64Array): void {
    const D = this.#dense.length
    const starts = this.#starts
    const columns = this.#columns
    x.fill(0)
    for (let a = 0; a < D; a++) for (let e = 0; e < x.length; e++) x[e] += weights[a] * this.#dense[a][e]
    for (let v = 0; v + 1 < starts.length; v++) {
      const weight = weights[D + v]
      for (let at = starts[v]; at < starts[v + 1]; at++) x[columns[at]] += weight
    }
  }

  /** out[a] = <g, atom a>. */
  products(g: Float64Array, out: Float64Array): void {
    const D = this.#dense.length
    const starts = this.#starts
    const columns = this.#columns
    for (let a = 0; a < D; a++) {
      let sum = 0
      for (let e = 0; e < g.length; e++) sum += g[e] * this.#dense[a][e]
      out[a] = sum
    }
    for (let v = 0; v + 1 < starts.length; v++) {
      let sum = 0
      for (let at = starts[v]; at < starts[v + 1]; at++) sum += g[columns[at]]
      out[D + v] = sum
    }
  }

  /** The first m entries of `combine`. */
  combineSingles(weights: Float64Array, p: Float64Array): void {
    const D = this.#dense.length
    p.fill(0)
    for (let a = 0; a < D; a++) for (let i = 0; i < p.length; i++) p[i] += weights[a] * this.#dense[a][i]
    for (let v = 0; v < this.#onCounts.length; v++) {
      const weight = weights[D + v]
      const start = this.#starts[v]
      for (let at = start; at < start + this.#onCounts[v]; at++) p[this.#columns[at]] += weight
    }
  }

  /** out[a] = <g, singles of atom a>. */
  singleProducts(g: Float64Array, out: Float64Array): void {
    const D = this.#dense.length
    for (let a = 0; a < D; a++) {
      let sum = 0
      for (let i = 0; i < g.length; i++) sum += g[i] * this.#dense[a][i]
      out[a] = sum
    }
    for (let v = 0; v < this.#onCounts.length; v++) {
      let sum = 0
      const start = this.#starts[v]
      for (let at = start; at < start + this.#onCounts[v]; at++) sum += g[this.#columns[at]]
      out[D + v] = sum
    }
  }

  /** gram += the sum of weight times singles times singles', m x m, lower triangle. */
  addSingleGram(weights: Float64Array, gram: Float64Array): void {
    const D = this.#dense.length
    const m = this.#layout.conceptCount
    for (let a = 0; a < D; a++)
      for (let i = 0; i < m; i++)
        for (let k = 0; k <= i; k++) gram[i * m + k] += weights[a] * this.#dense[a][i] * this.#dense[a][k]
    for (let v = 0; v < this.#onCounts.length; v++) {
      const start = this.#starts[v]
      const end = start + this.#onCounts[v]
      for (let at = start; at < end; at++)
        for (let other = start; other <= at; other++)
          gram[this.#columns[at] * m + this.#columns[other]] += weights[D + v]
    }
  }

  #reserve(length: number): void {
    if (length <= this.#columns.length) return
    const columns = new Int32Array(Math.max(length, 2 * this.#columns.length))
    columns.set(this.#columns)
    this.#columns = columns
  }
}

/** The coordinates that are 1 when exactly these concepts are on. */
function columnsOf({conceptCount: m, order, tableCount}: MomentLayout, on: readonly number[]): number[] {
  const columns = [...on]
  if (order === 1) return columns
  const pairs = m
  const triples = m + tableCount(2)
  for (let n = 0; n < on.length; n++)
    for (let o = n + 1; o < on.length; o++) {
      columns.push(pairs + pairIndex(on[n], on[o], m))
      if (order === 3)
        for (let u = o + 1; u < on.length; u++) columns.push(triples + tripleIndex(on[n], on[o], on[u], m))
    }
  return columns
}
