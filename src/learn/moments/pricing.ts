import type {Rng} from '../../base/numeric/index.ts'
import {
  enumerateCubic,
  enumerateMinimum,
  type LocalMinima,
  minimizeQuadratic,
  type SearchOptions,
  searchCubic,
  searchMinima
} from '../../base/qubo/index.ts'
import {cubicOf, type MomentLayout, quadraticOf} from '../polytopes/index.ts'

/** Up to this many concepts all assignments are atoms from the start. */
const ALL_ATOMS = 8
/** Up to this many the lowest price is found by enumerating all assignments, within milliseconds. */
const ENUMERATED = 16
/** Up to this many triples are proven by enumeration: a second for 22. */
const PROVEN_CUBIC = 22
/** Nodes of branch and bound that a proof may visit. */
const PROOF_NODES = 300
const STARTS = 200
const NEW_ATOMS = 80

/** Finds assignments of low price <gradient, vertex>, the gradient in coordinates (p, q, r). */
export interface Pricing {
  /** Whether `bound` is the lowest price; otherwise it is -infinity. */
  readonly isExact: boolean
  /** Whether concepts are so few that all assignments can be atoms from the start. */
  readonly takesAll: boolean
  search(gradient: Float64Array): LocalMinima & {readonly bound: number}
  /** A proven bound on the lowest price and a row near it; undefined where there is no method. */
  prove(gradient: Float64Array, limits: ProofLimits): {readonly y: Uint8Array; readonly bound: number} | undefined
}

/** The row to start from, how far above the lowest price a proof may end, and when to give up. */
export interface ProofLimits {
  readonly incumbent: Uint8Array
  readonly tolerance: number
  readonly stop: () => boolean
}

export function pricing(layout: MomentLayout, random: Rng): Pricing {
  const m = layout.conceptCount
  const isExact = m <= ENUMERATED
  const options = {starts: STARTS, rng: random, keep: NEW_ATOMS}
  const search = (gradient: Float64Array, chosen: SearchOptions) =>
    layout.order === 3
      ? searchCubic(cubicOf(layout, gradient), chosen)
      : searchMinima(quadraticOf(layout, gradient), chosen)
  const enumerate = (gradient: Float64Array) =>
    layout.order === 3 ? enumerateCubic(cubicOf(layout, gradient)) : enumerateMinimum(quadraticOf(layout, gradient))
  return {
    isExact,
    takesAll: m <= ALL_ATOMS,
    search(gradient) {
      if (!isExact) return {...search(gradient, options), bound: Number.NEGATIVE_INFINITY}
      const {y, value} = enumerate(gradient)
      return {...search(gradient, {...options, points: y}), bound: value}
    },
    prove(gradient, limits) {
      if (layout.order === 2)
        return minimizeQuadratic(quadraticOf(layout, gradient), {...limits, nodeLimit: PROOF_NODES})
      if (m > PROVEN_CUBIC) return undefined
      const {y, value} = enumerate(gradient)
      return {y, bound: value}
    }
  }
}
