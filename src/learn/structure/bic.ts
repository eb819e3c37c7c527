import {atLeast, checkOptions, whole} from '../../base/checks/index.ts'
import type {ConceptTables, Parents} from '../../base/network/index.ts'
import {clamp, log} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'

/** One choice of parents for a concept, and its score. */
export interface Family {
  /** The numbers of the parents in ascending order. */
  readonly parents: readonly number[]
  /** A larger score is better. */
  readonly score: number
}

/**
 * A decomposable score: lists the allowed families of every concept, the best score first. Families of equal score are ordered
 * by their number of parents, then lexicographically. The score of a graph is the sum of the scores of its families.
 */
export type FamilyScores = readonly (readonly Family[])[]

export interface BicOptions {
  /** The most parents of a concept. */
  readonly maxParents: number
  /** The cost of a free parameter, in units of ln N. It is 1/2 in the usual BIC, and 1 in the paper. */
  readonly penalty: number
  readonly parameters: ParameterCount
  /** Tells whether a family is allowed, see `familyFilter`. */
  readonly admits: (child: number, parents: readonly number[]) => boolean
}

export const bicDefaults: BicOptions = {maxParents: 2, penalty: 0.5, parameters: plainParameters, admits: () => true}

/**
 * Scores every family that may be part of a best graph by BIC (Eq. 5), N I(Y_i; Y_Pa) - N H(Y_i) - penalty ln(N) parameters nats.
 *
 * I is computed from the family's table alone and H from the single concept's table, since tables of different sizes that were
 * recovered over the simplex may disagree. A family is left out if the same child has an allowed family with a subset of its
 * parents that scores at least as well.
 * Cost: one table per set of at most maxParents + 1 concepts.
 * Differs from the paper: the penalty is half the printed one unless `penalty` is 1, and it may account for anchor noise.
 */
export function bicScores(
  table: ConceptTables,
  conceptCount: number,
  sampleCount: number,
  options: Partial<BicOptions> = {}
): FamilyScores {
  const rules = {maxParents: whole(0), penalty: atLeast(0)}
  const {maxParents, admits, ...bic} = checkOptions('bicScores', bicDefaults, rules, options)
  const concepts = Array.from({length: conceptCount}, (_, i) => i)
  return concepts.map(child => {
    const families: Family[] = []
    /** Maps a list of parents, joined to text, to the best score of an allowed family with a subset of these parents. */
    const bestWithin = new Map<string, number>()
    for (let size = 0; size <= maxParents; size++)
      for (const parents of subsetsOf(concepts.toSpliced(child, 1), size)) {
        const subsets = parents.map((_, at) => parents.toSpliced(at, 1).join())
        const within = Math.max(...subsets.map(key => bestWithin.get(key) ?? Number.NEGATIVE_INFINITY))
        const isAdmitted = admits(child, parents)
        const score = isAdmitted ? familyScore(table, child, parents, sampleCount, bic) : Number.NEGATIVE_INFINITY
        bestWithin.set(parents.join(), Math.max(within, score))
        if (score > within) families.push({parents, score})
      }
    return families.sort((a, b) => b.score - a.score)
  })
}

/** Scores one graph by BIC, from the same tables as {@link bicScores}. */
export function bicScore(
  table: ConceptTables,
  parents: Parents,
  sampleCount: number,
  bic: Pick<BicOptions, 'penalty' | 'parameters'>
): number {
  return parents.reduce((sum, list, child) => sum + familyScore(table, child, list, sampleCount, bic), 0)
}

/** Scores one family by BIC. Its number of parameters is that of its table minus that of its parents' table. */
function familyScore(
  table: ConceptTables,
  child: number,
  parents: readonly number[],
  sampleCount: number,
  {penalty, parameters}: Pick<BicOptions, 'penalty' | 'parameters'>
): number {
  const concepts = [...parents, child].sort((a, b) => a - b)
  const information = informationAbout(table(concepts), parents.length - concepts.indexOf(child))
  const fit = sampleCount * (information - entropy(table([child])))
  return fit - penalty * log(sampleCount) * (parameters(concepts) - parameters(parents))
}

/**
 * Counts the free parameters that BIC charges for the table of these concepts, whose order does not matter. A family is charged
 * for its own table minus its parents' table, so Markov-equivalent graphs cost the same.
 */
export type ParameterCount = (concepts: readonly number[]) => number

/** Counts all cells of a table but one, since probabilities add up to 1. */
export function plainParameters(concepts: readonly number[]): number {
  return 2 ** concepts.length - 1
}

/** The score of a family: BIC as published, or with a penalty that accounts for the noise of the anchors. */
export type StructureScore = 'bic' | 'noise-aware'

/** The prevalence is kept this far from 0 and 1, where the variance of the concept would be 0. */
const PREVALENCE_FLOOR = 1e-4

/**
 * Returns the parameter count of a score; `rates` are those of the anchors of all concepts. The noise-aware score counts prod_i
 * (1 + V_i) - 1 parameters, the sum of prod V_i over all non-empty sets of the concepts. V = var(A) / ((t - e)^2 var(Y)) is the
 * factor by which the noise of its anchor inflates the variance of a concept's recovered prevalence; tables of several
 * independent concepts are inflated by the product of their V.
 *
 * BIC charges ln(N) / 2 per parameter, and chance alone raises N times the information by 1/2 per parameter on average. In tables
 * recovered from noisy anchors chance raises it more, and plain BIC accepts meaningless parents. This count is twice the average
 * gain by chance if the concepts are independent. It uses only the prevalences, so errors in larger tables cannot distort it.
 * Without noise every V is 1, and the count equals the plain one.
 */
export function parameterCount(score: StructureScore, table: ConceptTables, rates: readonly Rates[]): ParameterCount {
  if (score === 'bic') return plainParameters
  const inflation = rates.map(({truePositive, falsePositive}, i) => {
    const p = clamp(table([i])[1], PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
    const gain = truePositive - falsePositive
    const firing = falsePositive + gain * p
    return (firing * (1 - firing)) / (gain * gain * p * (1 - p))
  })
  return concepts => concepts.reduce((product, i) => product * (1 + inflation[i]), 1) - 1
}

/**
 * Returns the mutual information between one concept, given by its bit in the index of a cell (0 for the last concept), and all
 * others. As a sum of entropies it is rounded alike for A -> B and B -> A, so equivalent graphs tie exactly.
 */
function informationAbout(cells: ArrayLike<number>, bit: number): number {
  const own = new Float64Array(2)
  const others = new Float64Array(cells.length / 2)
  for (let cell = 0; cell < cells.length; cell++) {
    own[(cell >> bit) & 1] += cells[cell]
    others[((cell >> (bit + 1)) << bit) | (cell & ((1 << bit) - 1))] += cells[cell]
  }
  return Math.max(0, entropy(own) + entropy(others) - entropy(cells))
}

/** Lists all sublists of `size` items, in lexicographic order, that use no item before index `from`. */
export function* subsetsOf(items: readonly number[], size: number, from = 0): Generator<readonly number[]> {
  if (size === 0) yield []
  else
    for (let at = from; at <= items.length - size; at++)
      for (const rest of subsetsOf(items, size - 1, at + 1)) yield [items[at], ...rest]
}

/** Returns the entropy of a table in nats. */
function entropy(cells: ArrayLike<number>): number {
  let sum = 0
  for (let cell = 0; cell < cells.length; cell++) if (cells[cell] > 0) sum -= cells[cell] * log(cells[cell])
  return sum
}
