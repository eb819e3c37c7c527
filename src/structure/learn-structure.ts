import type {Moments} from '../moments/index.ts'
import {clamp, mutualInformation, unreachable} from '../numeric/index.ts'
import type {LatentNetwork} from './latent-network.ts'

/** Which graphs over the concepts are considered. */
export type StructureKind = 'independent' | 'tree'

export interface LearnedStructure {
  readonly network: LatentNetwork
  readonly certificate: StructureCertificate
}

export interface StructureCertificate {
  readonly kind: StructureKind
  /** Sum of the mutual information over the edges, in nats: what the Chow-Liu tree maximises. */
  readonly score: number
  /** Both kinds are solved exactly. */
  readonly status: 'optimal'
  /** Probabilities that had to be moved off 0 or 1. */
  readonly clipped: number
  /** Conditional probabilities given a parent state that never occurs; the concept's own prevalence stands in for them. */
  readonly undetermined: number
}

/** A conditional probability of exactly 0 or 1 would veto whole documents. */
const PROBABILITY_FLOOR = 1e-6

/** G and theta from recovered moments (Algorithm 1, line 2). */
export function learnStructure(moments: Moments, kind: StructureKind): LearnedStructure {
  const {parents, score} = graphOf(moments, kind)
  const {network, clipped, undetermined} = networkFromMoments(moments, parents)
  return {network, certificate: {kind, score, status: 'optimal', clipped, undetermined}}
}

function graphOf(moments: Moments, kind: StructureKind): {parents: readonly number[][]; score: number} {
  switch (kind) {
    case 'independent':
      return {parents: Array.from({length: moments.latentCount}, () => []), score: 0}
    case 'tree':
      return chowLiuTree(moments, commonest(moments))
    default:
      return unreachable(kind)
  }
}

/** The root: singles and pairs of simplex moments differ a little, so it must not depend on the order of the concepts. */
function commonest(moments: Moments): number {
  let best = 0
  for (let i = 1; i < moments.latentCount; i++) if (moments.single(i) > moments.single(best)) best = i
  return best
}

/**
 * The tree of maximum mutual information (Chow and Liu), rooted at `root`, by Prim's method in O(m^2).
 * Mutual information is computed wholly from each pair's own table, since simplex moments of pairs and singles may differ.
 * Among equal edges the one to the lower-numbered concept wins.
 */
export function chowLiuTree(moments: Moments, root: number): {parents: number[][]; score: number} {
  const m = moments.latentCount
  const parents: number[][] = Array.from({length: m}, () => [])
  const best = new Float64Array(m).fill(-1)
  const bestParent = new Int32Array(m)
  const joined = new Uint8Array(m)
  let score = 0
  for (let count = 0, last = root; count < m; count++) {
    joined[last] = 1
    if (count > 0) {
      parents[last] = [bestParent[last]]
      score += best[last]
    }
    let next = -1
    for (let i = 0; i < m; i++) {
      if (joined[i]) continue
      const information = mutualInformation(moments.pair(last, i))
      if (information > best[i]) {
        best[i] = information
        bestParent[i] = last
      }
      if (next < 0 || best[i] > best[next]) next = i
    }
    last = next
  }
  return {parents, score}
}

/** theta: the probabilities of each concept given at most one parent. */
export function networkFromMoments(
  moments: Moments,
  parents: readonly (readonly number[])[]
): {network: LatentNetwork; clipped: number; undetermined: number} {
  let clipped = 0
  let undetermined = 0
  const conditional = (i: number, on: number, mass: number) => {
    if (mass === 0) undetermined++
    const p = mass > 0 ? on / mass : moments.single(i)
    const inside = clamp(p, PROBABILITY_FLOOR, 1 - PROBABILITY_FLOOR)
    if (inside !== p) clipped++
    return inside
  }
  const cpt = parents.map((list, i) => {
    if (list.length === 0) return Float64Array.of(conditional(i, moments.single(i), 1))
    const [p00, p01, p10, p11] = moments.pair(list[0], i)
    return Float64Array.of(conditional(i, p01, p00 + p01), conditional(i, p11, p10 + p11))
  })
  return {network: {parents, cpt}, clipped, undetermined}
}
