import type {BayesNetwork, Parents} from '../../base/network/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import type {Moments} from '../moments/index.ts'

/** A conditional probability of exactly 0 or 1 would rule out whole documents. */
const PROBABILITY_FLOOR = 1e-6

/** P(child = 1 | parents) and its corrections. */
export interface FamilyProbabilities {
  /** The first parent is the most significant bit. */
  readonly cpt: Float64Array
  /** Probabilities that had to be moved off 0 or 1. */
  readonly clipped: number
  /** Settings of the parents that never occur, replaced by the concept's prevalence. */
  readonly undetermined: number
}

/** theta: the probability of every concept given its parents, each family from its own table. */
export function networkFromMoments(
  moments: Moments,
  parents: Parents
): {network: BayesNetwork; clipped: number; undetermined: number} {
  const families = parents.map((list, child) => familyProbabilities(moments, child, list))
  return {
    network: {parents, cpt: families.map(({cpt}) => cpt)},
    clipped: families.reduce((sum, family) => sum + family.clipped, 0),
    undetermined: families.reduce((sum, family) => sum + family.undetermined, 0)
  }
}

/** The probabilities of one concept; without parents its single moment, since simplex tables of other sizes may disagree. */
export function familyProbabilities(moments: Moments, child: number, parents: readonly number[]): FamilyProbabilities {
  const prevalence = moments.single(child)
  const table = parents.length === 0 ? Float64Array.of(1 - prevalence, prevalence) : moments.table([...parents, child])
  let clipped = 0
  let undetermined = 0
  const cpt = Float64Array.from({length: table.length / 2}, (_, s) => {
    const mass = table[2 * s] + table[2 * s + 1]
    if (mass === 0) undetermined++
    const p = mass > 0 ? table[2 * s + 1] / mass : prevalence
    const inside = clamp(p, PROBABILITY_FLOOR, 1 - PROBABILITY_FLOOR)
    if (inside !== p) clipped++
    return inside
  })
  return {cpt, clipped, undetermined}
}

/** Whether no parent makes the child rarer, whatever the other parents are. */
export function isAttractive(cpt: Float64Array): boolean {
  for (let bit = 1; bit < cpt.length; bit *= 2)
    for (let s = 0; s < cpt.length; s++) if ((s & bit) === 0 && cpt[s + bit] < cpt[s]) return false
  return true
}
