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
 * A decomposable score: the allowed families of every concept, best first. Of equal scores, the one with fewer parents comes
 * first, then in lexicographic order. The score of a graph is the sum over its families.
 */
export type FamilyScores = readonly (readonly Family[])[]

export interface BicOptions {
  /** The most parents of a concept. */
  readonly maxParents: number
  /** The cost of a free parameter, in units of ln N. It is 1/2 in the usual BIC, and 1 in the paper. */
  readonly penalty: number
  /** Counts the parameters of a table, see {@link parameterCount}. */
  readonly parameters: ParameterCount
  /** Tells whether a family is allowed, see `familyFilter`. */
  readonly admits: (child: number, parents: readonly number[]) => boolean
}

export const bicDefaults: BicOptions = {maxParents: 2, penalty: 0.5, parameters: plainParameters, admits: () => true}

/**
 * Scores every family that may be part of a best graph by BIC (Eq. 5):
 * N I(Y_i; Y_Pa) - N H(Y_i) - penalty ln(N) parameters, in nats.
 *
 * I is computed from the family's table alone and H from the single concept's table, since simplex moments of different
 * sizes may disagree. A family is left out if one with a subset of its parents is allowed and scores at least as well.
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
    /** The best score of an allowed family whose parents are a subset of the key. */
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

/** Scores one family, whose parameters are the number for its table minus the number for its parents' table. */
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
 * Counts the free parameters that BIC charges for the table of some concepts, in any order. A family is charged for its own
 * table minus its parents' table, so Markov-equivalent graphs cost the same.
 */
export type ParameterCount = (concepts: readonly number[]) => number

/** Counts every cell but one as a free parameter. */
export function plainParameters(concepts: readonly number[]): number {
  return 2 ** concepts.length - 1
}

/** The score of a family: BIC as published, or with a penalty that accounts for the noise of the anchors. */
export type StructureScore = 'bic' | 'noise-aware'

/** The prevalence is kept this far from 0 and 1, where the variance would be 0. */
const PREVALENCE_FLOOR = 1e-4

/**
 * Returns the parameter count of a score; `rates` are the anchors' rates of all concepts. The noise-aware score counts
 * prod (1 + V_i) - 1 parameters: one for every set of concepts, times the variance that the anchors' noise adds. The noise
 * of its anchor multiplies the variance of a recovered concept by V = var(A) / ((t - e)^2 var(Y)), and undoing the noise of
 * several independent concepts multiplies their V.
 *
 * BIC charges ln(N) / 2 per parameter because chance alone raises N times the information by 1/2. In tables recovered from
 * noisy anchors chance raises it more, and plain BIC accepts meaningless parents. This count is twice the average gain by
 * chance of independent concepts. It uses only the prevalences, so errors in larger tables cannot distort it. Without noise
 * every V is 1, and it equals the plain count.
 */
export function parameterCount(score: StructureScore, table: ConceptTables, rates: readonly Rates[]): ParameterCount {
  if (score === 'bic') return plainParameters
  const inflation = rates.map(({truePositive, falsePositive}, i) => {
    const p = clamp(table([i])[1], PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
    const gain = truePositive - falsePositive
    const fired = falsePositive + gain * p
    return (fired * (1 - fired)) / (gain * gain * p * (1 - p))
  })
  return concepts => concepts.reduce((product, i) => product * (1 + inflation[i]), 1) - 1
}

/**
 * Returns the mutual information between one concept, given by its bit in the index of a cell, and all others. The sum of
 * entropies rounds in the same way for parent and child, so equivalent graphs tie exactly.
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
