import {existsSync, readFileSync} from 'node:fs'
import fc from 'fast-check'
import {rng} from '../numeric/index.ts'
import {type BinaryQuadratic, pairIndex} from './binary-quadratic.ts'

/** Coefficients of many kinds: whole and real, sparse and dense, small and large, all zero. */
const coefficient: fc.Arbitrary<fc.Arbitrary<number>> = fc.constantFrom(
  fc.integer({min: -5, max: 5}),
  real(1),
  fc.oneof({arbitrary: fc.constant(0), weight: 4}, {arbitrary: fc.integer({min: -100, max: 100}), weight: 1}),
  fc.oneof(real(1e-6), real(1e6)),
  fc.constant(0)
)

/** Without the numbers so small that their squares vanish: there rounding is no longer relative. */
function real(largest: number): fc.Arbitrary<number> {
  return fc.double({min: -largest, max: largest, noNaN: true}).map(value => (Math.abs(value) < 1e-100 ? 0 : value))
}

export function quadratics(largest: number): fc.Arbitrary<BinaryQuadratic> {
  return fc.tuple(fc.integer({min: 0, max: largest}), coefficient).chain(([size, number]) =>
    fc.record({
      size: fc.constant(size),
      linear: arrays(number, size),
      quadratic: arrays(number, (size * (size - 1)) / 2)
    })
  )
}

function arrays(number: fc.Arbitrary<number>, length: number): fc.Arbitrary<Float64Array> {
  return fc.array(number, {minLength: length, maxLength: length}).map(values => Float64Array.from(values))
}

/** Uniform in [-1, 1], or whole numbers up to `whole` in size. */
export function randomQuadratic(size: number, seed: number, whole = 0): BinaryQuadratic {
  const random = rng(seed)
  const draw = () => (whole > 0 ? Math.round(whole * (2 * random.next() - 1)) : 2 * random.next() - 1)
  return {
    size,
    linear: Float64Array.from({length: size}, draw),
    quadratic: Float64Array.from({length: (size * (size - 1)) / 2}, draw)
  }
}

/** All points of m binary variables, one after the other. */
export function* allPoints(m: number): Generator<Uint8Array> {
  for (let bits = 0; bits < 2 ** m; bits++) yield Uint8Array.from({length: m}, (_, i) => (bits >> i) & 1)
}

/** The slow twin of every minimiser. */
export function smallestValue(m: number, value: (y: Uint8Array) => number): number {
  let smallest = Number.POSITIVE_INFINITY
  for (const y of allPoints(m)) smallest = Math.min(smallest, value(y))
  return smallest
}

/** What rounding may do to a sum of these numbers. */
export function rounding(...parts: readonly Float64Array[]): number {
  return 1e-10 * parts.reduce((sum, values) => values.reduce((part, value) => part + Math.abs(value), sum), 0)
}

/**
 * The Biq Mac Library (biqmac.aau.at), where it lies in a folder beside the checkout: it states no licence, so it is not part
 * of the project. The values are the minima it gives.
 */
const library = new URL('../../../../shared/data/qubo/', import.meta.url)

export const libraryIsThere: boolean = existsSync(library)

export const libraryMinima: readonly (readonly [string, number])[] = [
  ['beasley/bqp50-1', -2098],
  ['beasley/bqp50-2', -3702],
  ['beasley/bqp50-3', -4626],
  ['beasley/bqp50-4', -3544],
  ['beasley/bqp50-5', -4012],
  ['beasley/bqp50-6', -3693],
  ['beasley/bqp50-7', -4520],
  ['beasley/bqp50-8', -4216],
  ['beasley/bqp50-9', -3780],
  ['beasley/bqp50-10', -3507],
  ['gka/gka1a', -3414],
  ['gka/gka5a', -5737],
  ['gka/gka6a', -3980],
  ['gka/gka7a', -4541],
  ['gka/gka1b', -133],
  ['gka/gka2b', -121],
  ['gka/gka3b', -118],
  ['gka/gka4b', -129],
  ['gka/gka1c', -5058],
  ['gka/gka2c', -6213]
]

/** Lines `i j q` of x'Qx, counted from 1, Q symmetric: an entry with i < j counts twice. */
export function readInstance(name: string): BinaryQuadratic {
  const [[size], ...entries] = readFileSync(new URL(`${name}.sparse`, library), 'utf8')
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  const q = {size, linear: new Float64Array(size), quadratic: new Float64Array((size * (size - 1)) / 2)}
  for (const [i, k, weight] of entries) {
    if (i === k) q.linear[i - 1] += weight
    else q.quadratic[pairIndex(Math.min(i, k) - 1, Math.max(i, k) - 1, size)] += 2 * weight
  }
  return q
}
