import type {Rng} from '../../base/numeric/index.ts'
import {
  type BinaryCubic,
  type BinaryMinimum,
  type BinaryQuadratic,
  enumerateCubic,
  enumerateMinimum,
  type LocalMinima,
  minimizeQuadratic,
  type SearchOptions,
  searchCubic,
  searchMinima
} from '../../base/qubo/index.ts'
import {coordinateParts, type MomentLayout} from '../polytopes/index.ts'

/** Up to here all assignments are atoms from the start. */
const ALL_ATOMS = 8
/** Up to here the lowest price is found by looking at all assignments, within milliseconds. */
const ENUMERATED = 16
/** Up to here triples are proven, by looking at all assignments: a second for 22. */
const PROVEN_CUBIC = 22
/** Nodes of branch and bound that a proof may look at. */
const PROOF_NODES = 300
const STARTS = 200
const NEW_ATOMS = 80

/** Finds assignments of low price: values of <gradient, vertex>, the gradient in coordinates (p, q, r). */
export interface Pricing {
  /** Whether `bound` is the lowest price of all; otherwise it says nothing. */
  readonly isExact: boolean
  /** Whether there are so few concepts that all assignments can be atoms from the start. */
  readonly takesAll: boolean
  search(gradient: Float64Array): LocalMinima & {readonly bound: number}
  /** A proven bound on the lowest price and a row that comes near it; undefined where there is no method. */
  prove(gradient: Float64Array, limits: ProofLimits): {readonly y: Uint8Array; readonly bound: number} | undefined
}

/** Where a proof may stop: the row to begin with, how far above the lowest price it may end, and when it is enough. */
export interface ProofLimits {
  readonly incumbent: Uint8Array
  readonly tolerance: number
  readonly stop: () => boolean
}

export function pricing(layout: MomentLayout, random: Rng): Pricing {
  const m = layout.conceptCount
  const isExact = m <= ENUMERATED
  const options = {starts: STARTS, rng: random, keep: NEW_ATOMS}
  return {
    isExact,
    takesAll: m <= ALL_ATOMS,
    search(gradient) {
      const {search, enumerate} =
        layout.order === 3 ? cubicSearch(cubicOf(layout, gradient)) : quadraticSearch(quadraticOf(layout, gradient))
      if (!isExact) return {...search(options), bound: Number.NEGATIVE_INFINITY}
      const {y, value} = enumerate()
      return {...search({...options, points: y}), bound: value}
    },
    prove(gradient, limits) {
      if (layout.order === 2)
        return minimizeQuadratic(quadraticOf(layout, gradient), {...limits, nodeLimit: PROOF_NODES})
      if (m > PROVEN_CUBIC) return undefined
      const {y, value} = enumerateCubic(cubicOf(layout, gradient))
      return {y, bound: value}
    }
  }
}

interface Searches {
  readonly search: (options: SearchOptions) => LocalMinima
  readonly enumerate: () => BinaryMinimum
}

function quadraticSearch(f: BinaryQuadratic): Searches {
  return {search: options => searchMinima(f, options), enumerate: () => enumerateMinimum(f)}
}

function cubicSearch(f: BinaryCubic): Searches {
  return {search: options => searchCubic(f, options), enumerate: () => enumerateCubic(f)}
}

/** The gradient as a quadratic function of 0/1 variables. */
export function quadraticOf(layout: MomentLayout, gradient: Float64Array): BinaryQuadratic {
  const {p, q} = coordinateParts(layout, gradient)
  return {size: layout.conceptCount, linear: p, quadratic: q}
}

function cubicOf(layout: MomentLayout, gradient: Float64Array): BinaryCubic {
  return {...quadraticOf(layout, gradient), cubic: coordinateParts(layout, gradient).r}
}
