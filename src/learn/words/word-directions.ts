import {dot, rng} from '../../base/numeric/index.ts'
import type {SparseRows} from '../classifier/index.ts'
import {columnShares, RowPasses, TOGETHER} from './row-passes.ts'

/** Rounds of subspace iteration; the last directions may be inexact. */
const ROUNDS = 6
/** The relative variance below which a direction is rounding. */
const LEAST = 1e-9

export interface WordDirections {
  /** `vectors[k][j]`: the weight of word j in direction k. */
  readonly vectors: readonly Float64Array[]
  /** The standard deviation of a direction's sums over the words of a document. */
  readonly spread: number
}

/**
 * Directions of words that occur in the same documents: the sums of a direction over the words of a document have standard
 * deviation `spread` over the documents, and those of different directions are uncorrelated.
 *
 * They span the `count` leading right singular vectors of the matrix (x_dj - m_j) / sqrt(m_j (1 - m_j) L_d), m_j the share
 * of documents with word j and L_d the number of words of document d, by subspace iteration from a fixed start. Labels are
 * not used. Through directions, a word too rare to occur with an anchor learns from words it occurs with. Returns fewer if
 * the documents have fewer. Cost: `2 ROUNDS count` passes over the features that are 1.
 */
export function wordDirections(rows: SparseRows, count: number, spread: number): WordDirections {
  const n = rows.columnCount
  const {scale, means} = wordScale(rows)
  const random = rng(0)
  let basis = orthonormal(
    Array.from({length: count}, () => Float64Array.from(scale, s => (s > 0 ? random.next() - 0.5 : 0)))
  )
  const passes = new RowPasses(rows)
  for (let round = 0; round < ROUNDS; round++) basis = orthonormal(onceAround(rows, basis, {scale, means, passes}))
  const directions = basis.map(direction => direction.map((value, j) => value * scale[j]))
  return {vectors: whitened(directions, documentSums(rows, directions, means, passes), spread, n), spread}
}

/** One over the standard deviation of each word; 0 for words in no document or in all. */
function wordScale(rows: SparseRows) {
  const means = columnShares(rows)
  const scale = means.map(m => (m > 0 && m < 1 - 1e-12 ? 1 / Math.sqrt(m * (1 - m)) : 0))
  return {means, scale}
}

/** The centred sums of each direction over the words of each document. */
function documentSums(
  {rowCount}: SparseRows,
  directions: readonly Float64Array[],
  means: Float64Array,
  passes: RowPasses
): Float64Array[] {
  const sums = directions.map(() => new Float64Array(rowCount))
  for (let first = 0; first < directions.length; first += TOGETHER)
    passes.sumRows(directions.slice(first, first + TOGETHER), sums.slice(first, first + TOGETHER))
  directions.forEach((direction, k) => {
    const middle = dot(direction, means)
    for (let d = 0; d < rowCount; d++) sums[k][d] -= middle
  })
  return sums
}

interface Around {
  readonly scale: Float64Array
  readonly means: Float64Array
  readonly passes: RowPasses
}

/** Z'Z times each direction. */
function onceAround(
  rows: SparseRows,
  directions: readonly Float64Array[],
  {scale, means, passes}: Around
): Float64Array[] {
  const {rowCount, starts} = rows
  const says = documentSums(
    rows,
    directions.map(direction => direction.map((value, j) => value * scale[j])),
    means,
    passes
  )
  for (const say of says) for (let d = 0; d < rowCount; d++) say[d] /= Math.max(1, starts[d + 1] - starts[d])
  const out = directions.map(() => new Float64Array(scale.length))
  for (let first = 0; first < directions.length; first += TOGETHER)
    passes.sumColumns(says.slice(first, first + TOGETHER), out.slice(first, first + TOGETHER))
  return out.map((sums, k) => {
    const total = says[k].reduce((sum, say) => sum + say, 0)
    return sums.map((value, j) => scale[j] * (value - means[j] * total))
  })
}

/** An orthonormal basis (Gram-Schmidt, twice); vectors that vanish are dropped. */
function orthonormal(vectors: readonly Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = []
  for (const vector of vectors) {
    const own = vector.slice()
    const before = dot(own, own)
    for (let pass = 0; pass < 2; pass++)
      for (const other of basis) {
        const share = dot(own, other)
        for (let j = 0; j < own.length; j++) own[j] -= share * other[j]
      }
    const square = dot(own, own)
    if (!(square > LEAST * before)) continue
    const length = Math.sqrt(square)
    basis.push(own.map(value => value / length))
  }
  return basis
}

/** The directions, mixed so that their document sums are uncorrelated with standard deviation `spread`. */
function whitened(directions: readonly Float64Array[], sums: readonly Float64Array[], spread: number, n: number) {
  const found: {direction: Float64Array; sum: Float64Array}[] = []
  directions.forEach((given, k) => {
    const direction = given.slice()
    const sum = sums[k].slice()
    const before = dot(sum, sum)
    for (const other of found) {
      const share = dot(sum, other.sum) / dot(other.sum, other.sum)
      for (let d = 0; d < sum.length; d++) sum[d] -= share * other.sum[d]
      for (let j = 0; j < n; j++) direction[j] -= share * other.direction[j]
    }
    const square = dot(sum, sum)
    if (!(square > LEAST * before)) return
    const by = (spread * Math.sqrt(sum.length)) / Math.sqrt(square)
    found.push({direction: direction.map(value => value * by), sum: sum.map(value => value * by)})
  })
  return found.map(({direction}) => direction)
}
