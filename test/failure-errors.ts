/**
 * Standard errors of failures by the delta method, for the direct and the tree estimator (Eq. 7 and 8).
 *
 * With s the moments of Y_i and a neighbour Y_k, b the same with the word absent, and D neighbours,
 *   log f = log b_1/s_1 + (D - 1) log b_0/s_0 - sum_k log T_k,   T_k = sum_y (s_1y / s_1) (b_0y / s_0y),
 * where s and b are means over documents of products of inverse rates (moment-errors.ts). Through the
 * derivative of log f by each of them, log f is to first order a mean over documents too: its variance follows from the cells
 * of the anchors of i and its neighbours, with and without the word. Uncertain rates add their share.
 *
 * Approximation: tables have no bounds and no shrinkage. Shrinkage moves failures towards 1 and lowers their variance; if it is
 * strong (1, as for text), these errors describe the data, not the fit.
 * Layout: `i*n + j`; NaN where a moment is not positive: such a failure has no logarithm.
 * Cost: per concept, a pass over the words of the patterns, and anchor cells that occur times words.
 */

import {AdfaError} from '../src/base/checks/index.ts'
import {type BayesNetwork, networkEdges} from '../src/base/network/index.ts'
import type {AnchorCells} from './moment-errors.ts'

export interface FailureErrors {
  /** Unclipped. */
  readonly failure: Float64Array
  readonly standardError: Float64Array
}

/** `cellsOf` groups the documents by the anchors of the concepts it is given (`anchorCells`). */
export function failureErrors(
  network: BayesNetwork,
  cellsOf: (concepts: readonly number[]) => AnchorCells
): FailureErrors {
  if (network.parents.some(list => list.length > 1))
    throw new AdfaError(
      'bad-option',
      'failureErrors: closed-form standard errors need a forest; this network has a concept with two parents; use bootstrap'
    )
  const neighbours: number[][] = network.parents.map(() => [])
  for (const [parent, child] of networkEdges(network)) {
    neighbours[parent].push(child)
    neighbours[child].push(parent)
  }
  const rows = neighbours.map((list, i) => conceptErrors(cellsOf([i, ...list])))
  const n = rows.length === 0 ? 0 : rows[0].failure.length
  const join = (select: (row: FailureErrors) => Float64Array) => {
    const all = new Float64Array(rows.length * n)
    rows.forEach((row, i) => {
      all.set(select(row), i * n)
    })
    return all
  }
  return {failure: join(row => row.failure), standardError: join(row => row.standardError)}
}

/** Of the first concept of the cells, the others being its neighbours. */
function conceptErrors(cells: AnchorCells): FailureErrors {
  const n = cells.wordCount
  const kernel = new FailureKernel(cells)
  const failure = new Float64Array(n)
  const standardError = new Float64Array(n)
  for (let j = 0; j < n; j++) {
    failure[j] = kernel.solve(j)
    standardError[j] = failure[j] * Math.sqrt(kernel.variance(j))
  }
  return {failure, standardError}
}

/**
 * Moments and derivatives for one concept and one word at a time. Each neighbour has a block of four cells `2*yi + yk`;
 * a last block is for the concept alone and uses cells 0 and 2, like a neighbour that is never present.
 */
class FailureKernel {
  readonly #cells: AnchorCells
  readonly #blocks: number
  /** s and b, and the derivatives of log f by them. */
  readonly #s: Float64Array
  readonly #b: Float64Array
  readonly #bySum: Float64Array
  readonly #byAbsence: Float64Array
  /** Products of the weights, by anchor cell: `c * 4 * blocks + cell`. */
  readonly #products: Float64Array
  /** The derivative by the firing share of each anchor. */
  readonly #byFiring: Float64Array
  readonly #firing: Float64Array

  constructor(cells: AnchorCells) {
    const {concepts, inverses, documents, fired, sampleCount} = cells
    const K = concepts.length
    this.#cells = cells
    this.#blocks = K
    this.#s = new Float64Array(4 * K)
    this.#b = new Float64Array(4 * K)
    this.#bySum = new Float64Array(4 * K)
    this.#byAbsence = new Float64Array(4 * K)
    this.#byFiring = new Float64Array(K)
    this.#firing = new Float64Array(K)
    this.#products = new Float64Array(documents.length * 4 * K)
    for (let c = 0; c < documents.length; c++)
      for (let z = 0; z < K; z++) {
        this.#firing[z] += (fired[c * K + z] * documents[c]) / sampleCount
        const own = inverses[0].weights[fired[c * K]]
        // Block z - 1 is that of neighbour z; the last, of the concept alone, has no other.
        const other = z === 0 ? 0 : inverses[z].weights[fired[c * K + z]]
        const start = 4 * (c * K + (z === 0 ? K - 1 : z - 1))
        this.#products.set([(1 - own) * (1 - other), (1 - own) * other, own * (1 - other), own * other], start)
      }
    for (let c = 0; c < documents.length; c++)
      for (let cell = 0; cell < 4 * K; cell++)
        this.#s[cell] += (this.#products[4 * K * c + cell] * documents[c]) / sampleCount
  }

  /** The failure of word j, and its derivatives. */
  solve(j: number): number {
    const {documents, words, wordCount, sampleCount} = this.#cells
    const size = 4 * this.#blocks
    this.#b.fill(0)
    for (let c = 0; c < documents.length; c++) {
      const share = (documents[c] - words[c * wordCount + j]) / sampleCount
      for (let cell = 0; cell < size; cell++) this.#b[cell] += this.#products[size * c + cell] * share
    }
    const [s, b, bySum, byAbsence] = [this.#s, this.#b, this.#bySum, this.#byAbsence]
    const alone = size - 4
    const D = this.#blocks - 1
    bySum.fill(0)
    byAbsence.fill(0)
    bySum[alone] = (1 - D) / s[alone]
    bySum[alone + 2] = (D - 1) / s[alone + 2]
    byAbsence[alone] = (D - 1) / b[alone]
    byAbsence[alone + 2] = 1 / b[alone + 2]
    const base = b[alone] / s[alone]
    let failure = b[alone + 2] / s[alone + 2] / base
    let isPositive = s[alone] > 0 && s[alone + 2] > 0 && b[alone] > 0 && b[alone + 2] > 0
    for (let block = 0; block < alone; block += 4) {
      for (let cell = block; cell < block + 4; cell++) isPositive &&= s[cell] > 0 && (cell >= block + 2 || b[cell] > 0)
      const first = ((s[block + 2] / s[alone + 2]) * b[block]) / s[block]
      const second = ((s[block + 3] / s[alone + 2]) * b[block + 1]) / s[block + 1]
      const through = first + second
      failure *= base / through
      for (let y = 0; y < 2; y++) {
        const share = (y === 0 ? first : second) / through
        bySum[block + y] = share / s[block + y]
        bySum[block + 2 + y] = -share / s[block + 2 + y]
        byAbsence[block + y] = -share / b[block + y]
      }
    }
    return isPositive ? failure : Number.NaN
  }

  /** The variance of the logarithm of the failure that was last solved for. */
  variance(j: number): number {
    const {inverses, documents, words, wordCount, sampleCount, fired, concepts} = this.#cells
    const K = concepts.length
    const size = 4 * this.#blocks
    let variance = 0
    for (let z = 0; z < K; z++) {
      const {uncertain, byFiring} = inverses[z]
      const [byOffset, byScale] = this.#bySlope(z)
      this.#byFiring[z] = -byFiring.offset * byOffset - byFiring.scale * byScale
      for (const {offset, scale} of uncertain) variance += (offset * byOffset + scale * byScale) ** 2
    }
    for (let c = 0; c < documents.length; c++) {
      let always = 0
      let absent = 0
      for (let cell = 0; cell < size; cell++) {
        const product = this.#products[size * c + cell]
        always += this.#bySum[cell] * product
        absent += this.#byAbsence[cell] * product
      }
      for (let z = 0; z < K; z++) always += this.#byFiring[z] * (fired[c * K + z] - this.#firing[z])
      const having = words[c * wordCount + j]
      variance += (having * always ** 2 + (documents[c] - having) * (always + absent) ** 2) / sampleCount ** 2
    }
    return variance
  }

  /** How log f falls with the offset and the scale of the inverse rates of concept z. */
  #bySlope(z: number): [byOffset: number, byScale: number] {
    const sums: [number, number] = [0, 0]
    const add = (moments: Float64Array, derivatives: Float64Array, off: number, on: number) => {
      const change = derivatives[on] - derivatives[off]
      sums[0] += change * (moments[off] + moments[on])
      sums[1] += change * moments[on]
    }
    const both = (off: number, on: number) => {
      add(this.#s, this.#bySum, off, on)
      add(this.#b, this.#byAbsence, off, on)
    }
    if (z > 0) for (const yi of [0, 2]) both(4 * (z - 1) + yi, 4 * (z - 1) + yi + 1)
    else for (let cell = 0; cell < 4 * this.#blocks; cell++) if (cell % 4 < 2) both(cell, cell + 2)
    return sums
  }
}
