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
  /** Conditional probabilities that had to be moved off 0 or 1. */
  readonly clipped: number
}

/** A conditional probability of exactly 0 or 1 would veto whole documents. */
const PROBABILITY_FLOOR = 1e-6

/** G and theta from recovered moments (Algorithm 1, line 2). */
export function learnStructure(moments: Moments, kind: StructureKind): LearnedStructure {
  switch (kind) {
    case 'independent':
      return parametrise(
        moments,
        kind,
        Array.from({length: moments.latentCount}, () => []),
        0
      )
    case 'tree': {
      const {parents, score} = chowLiuTree(moments)
      return parametrise(moments, kind, parents, score)
    }
    default:
      return unreachable(kind)
  }
}

/**
 * The tree of maximum mutual information (Chow and Liu), rooted at concept 0, by Prim's method in O(m^2).
 * Mutual information is computed wholly from each pair's own table, since simplex moments of pairs and singles may differ.
 * Among equal edges the one to the lower-numbered concept wins.
 */
export function chowLiuTree(moments: Moments): {parents: number[][]; score: number} {
  const m = moments.latentCount
  const parents: number[][] = Array.from({length: m}, () => [])
  const best = new Float64Array(m).fill(-1)
  const bestParent = new Int32Array(m)
  const joined = new Uint8Array(m)
  let score = 0
  for (let count = 0, last = 0; count < m; count++) {
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

/** theta: conditional probabilities of each concept given at most one parent, from the moments. */
function parametrise(moments: Moments, kind: StructureKind, parents: number[][], score: number): LearnedStructure {
  let clipped = 0
  const keepInside = (p: number) => {
    const inside = clamp(p, PROBABILITY_FLOOR, 1 - PROBABILITY_FLOOR)
    if (inside !== p) clipped++
    return inside
  }
  const cpt = parents.map((list, i) => {
    if (list.length === 0) return Float64Array.of(keepInside(moments.single(i)))
    const [p00, p01, p10, p11] = moments.pair(list[0], i)
    return Float64Array.of(keepInside(p01 / (p00 + p01)), keepInside(p11 / (p10 + p11)))
  })
  return {network: {parents, cpt}, certificate: {kind, score, status: 'optimal', clipped}}
}
