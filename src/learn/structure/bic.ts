import {atLeast, checkOptions, whole} from '../../base/checks/index.ts'
import type {ConceptTables, Parents} from '../../base/network/index.ts'
import {clamp, log} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'

/** One choice of parents for a concept, and its score. */
export interface Family {
  /** Ascending. */
  readonly parents: readonly number[]
  /** Larger is better. */
  readonly score: number
}

/**
 * A decomposable score: for every concept its allowed families, best first (among equals the smaller, then the earlier).
 * The score of a graph is the sum over its families; a family that is not listed is not allowed.
 */
export type FamilyScores = readonly (readonly Family[])[]

export interface BicOptions {
  /** The most parents of a concept; needs tables of one more concept. */
  readonly maxParents: number
  /** The cost of a free parameter, in units of ln N: 1/2 is the usual BIC, 1 is printed in the paper. */
  readonly penalty: number
  /** The number of parameters of a table, by {@link parameterCount}. */
  readonly parameters: ParameterCount
  /** Which families are allowed; see `familyFilter`. */
  readonly admits: (child: number, parents: readonly number[]) => boolean
}

export const bicDefaults: BicOptions = {maxParents: 2, penalty: 0.5, parameters: plainParameters, admits: () => true}

/**
 * Scores every family that may be part of a best graph by BIC (Eq. 5):
 * N I(Y_i; Y_Pa) - N H(Y_i) - penalty ln(N) parameters, in nats.
 *
 * I is computed from the family's own table alone and H from that of the single concept: simplex moments of different sizes
 * may disagree. A family is left out when one with fewer of its parents is admitted and scores at least as well.
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
  const {maxParents, penalty, parameters, admits} = checkOptions('bicScores', bicDefaults, rules, options)
  const logCount = log(sampleCount)
  const single = Float64Array.from({length: conceptCount}, (_, i) => entropy(table([i])))
  const lists = Array.from({length: conceptCount}, () => new UndominatedFamilies())
  const offer = (child: number, parents: readonly number[], information: number) => {
    if (!admits(child, parents)) return
    const fit = sampleCount * (information - single[child])
    lists[child].offer({parents, score: fit - penalty * logCount * parametersOf(child, parents, parameters)})
  }
  for (let child = 0; child < conceptCount; child++) offer(child, [], 0)
  for (let size = 2; size <= Math.min(maxParents + 1, conceptCount); size++)
    for (const concepts of subsetsOf([...lists.keys()], size)) {
      const cells = table(concepts)
      const joint = entropy(cells)
      concepts.forEach((child, at) => {
        offer(child, concepts.toSpliced(at, 1), informationOn(cells, size - 1 - at, joint))
      })
    }
  return lists.map(list => list.bestFirst())
}

/** Scores one graph by BIC, from the same tables as {@link bicScores}. */
export function bicScore(
  table: ConceptTables,
  parents: Parents,
  sampleCount: number,
  {penalty, parameters}: Pick<BicOptions, 'penalty' | 'parameters'>
): number {
  return parents.reduce((sum, list, child) => {
    const concepts = [...list, child].sort((a, b) => a - b)
    const cells = table(concepts)
    const information = informationOn(cells, list.length - concepts.indexOf(child), entropy(cells))
    const fit = sampleCount * (information - entropy(table([child])))
    return sum + fit - penalty * log(sampleCount) * parametersOf(child, list, parameters)
  }, 0)
}

/** The parameters of a family are the parameters of its table minus the parameters of its parents' table. */
function parametersOf(child: number, parents: readonly number[], count: ParameterCount): number {
  return count([...parents, child]) - count(parents)
}

/**
 * Counts the free parameters that BIC charges for the table of some concepts, in any order; 0 for none. A family is
 * charged for its own table minus its parents' table, so equivalent graphs cost the same.
 */
export type ParameterCount = (concepts: readonly number[]) => number

/** The score of a family: BIC as published, or with a penalty that accounts for the noise of the anchors. */
export type StructureScore = 'bic' | 'noise-aware'

/** Returns the parameter count of a score; `rates` are the anchors' rates of all concepts. */
export function parameterCount(score: StructureScore, table: ConceptTables, rates: readonly Rates[]): ParameterCount {
  if (score === 'bic') return plainParameters
  return noiseParameters(
    rates,
    rates.map((_, i) => table([i])[1])
  )
}

/** Counts every cell but one as a free parameter. */
export function plainParameters(concepts: readonly number[]): number {
  return 2 ** concepts.length - 1
}

/**
 * Counts prod (1 + V_i) - 1 parameters: one for every set of concepts, times the variance that the anchors' noise adds.
 *
 * BIC charges ln(N) / 2 per parameter because chance alone raises N times the information by 1/2. In tables recovered from
 * noisy anchors chance gains more, and plain BIC accepts meaningless parents. This count is twice the average gain by
 * chance of independent concepts. It hardly uses the tables, so errors in them cannot distort it; without noise every V is
 * 1 and it equals the plain count.
 */
export function noiseParameters(rates: readonly Rates[], prevalence: ArrayLike<number>): ParameterCount {
  const inflation = rates.map((own, i) => varianceInflation(own, prevalence[i]))
  return concepts => concepts.reduce((product, i) => product * (1 + inflation[i]), 1) - 1
}

/** Rarer concepts count as this rare; otherwise their variance would be 0. */
const PREVALENCE_FLOOR = 1e-4

/**
 * Tells by how much the noise of its anchor multiplies the variance of a recovered concept: V = var(A) / ((t - e)^2 var(Y)), 1
 * for an observed concept. Undoing the noise of several independent concepts multiplies their V: the covariance of Y_i and
 * Y_k is that of the anchors divided by both (t - e).
 */
export function varianceInflation({truePositive, falsePositive}: Rates, prevalence: number): number {
  const p = clamp(prevalence, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
  const gain = truePositive - falsePositive
  const fired = falsePositive + gain * p
  return (fired * (1 - fired)) / (gain * gain * p * (1 - p))
}

/** Returns the information of the concept at a bit of the cell about all others; `joint` is the entropy of the table. */
function informationOn(cells: ArrayLike<number>, bit: number, joint: number): number {
  return Math.max(0, entropy(onlyBit(cells, bit)) + entropy(withoutBit(cells, bit)) - joint)
}

/** Sorts families into the order of {@link FamilyScores}. */
export function compareFamilies(a: Family, b: Family): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.parents.length !== b.parents.length) return a.parents.length - b.parents.length
  const at = a.parents.findIndex((parent, n) => parent !== b.parents[n])
  return at < 0 ? 0 : a.parents[at] - b.parents[at]
}

/** Collects the families of one concept, offered smaller ones first, without any that a subset of its parents dominates. */
class UndominatedFamilies {
  readonly #kept = new Map<string, Family>()

  offer(family: Family): void {
    for (const subset of properSubsets(family.parents)) {
      const smaller = this.#kept.get(subset.join())
      if (smaller !== undefined && smaller.score >= family.score) return
    }
    this.#kept.set(family.parents.join(), family)
  }

  bestFirst(): Family[] {
    return [...this.#kept.values()].sort(compareFamilies)
  }
}

function* properSubsets(items: readonly number[]): Generator<readonly number[]> {
  for (let mask = 0; mask < 2 ** items.length - 1; mask++) yield items.filter((_, at) => (mask >> at) & 1)
}

/** Lists all sublists of a length, in lexicographic order. */
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

/** Sums the table down to the one concept at a bit of the cell. */
function onlyBit(cells: ArrayLike<number>, bit: number): Float64Array {
  const marginal = new Float64Array(2)
  for (let cell = 0; cell < cells.length; cell++) marginal[(cell >> bit) & 1] += cells[cell]
  return marginal
}

/** Sums out the concept at a bit of the cell. */
function withoutBit(cells: ArrayLike<number>, bit: number): Float64Array {
  const marginal = new Float64Array(cells.length / 2)
  const low = (1 << bit) - 1
  for (let cell = 0; cell < cells.length; cell++) marginal[((cell >> (bit + 1)) << bit) | (cell & low)] += cells[cell]
  return marginal
}
