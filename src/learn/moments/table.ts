/** Eq. 2: recovers one table of concepts from the observed table of their anchors, over the simplex. */
import {AdfaError, checkOptions, oneOf, type Rules, shownValue} from '../../base/checks/index.ts'
import {log} from '../../base/numeric/index.ts'
import {anchorTable, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates, Rates} from '../noise/index.ts'
import {type Divergence, oneTable, type TableProblem} from './objective.ts'
import {exponentiatedGradient, type RecoveredTable, TableSolver} from './table-solver.ts'

/** The gap at which exponentiated gradient on one table stops. */
const EXPONENTIATED_TOLERANCE = 1e-7
/** An observed variable is its own noiseless anchor. */
const OBSERVED: Rates = {truePositive: 1, falsePositive: 0}

/**
 * The shrinkage towards independence, lambda (supplement, Regularization): a number as published, or `C/N`, which fades as the
 * number of documents N grows and keeps the estimator consistent (a fixed lambda does not).
 */
export type Shrinkage = number | `${number}/N`

/** Returns lambda for `documentCount` documents. */
export function shrinkageStrength(shrinkage: Shrinkage, documentCount: number): number {
  const [, constant, perDocument] = /^(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(\/N)?$/.exec(String(shrinkage)) ?? []
  const value = Number(constant)
  if (!Number.isFinite(value) || (typeof shrinkage === 'string' && perDocument === undefined))
    throw new AdfaError(
      'bad-option',
      `a shrinkage is a number >= 0, or C/N with C >= 0, such as 10/N; got ${shownValue(shrinkage)}`
    )
  return perDocument === undefined ? value : value / documentCount
}

/** Parses a shrinkage from text, such as `0.01` or `10/N`. */
export function parseShrinkage(text: string): Shrinkage {
  const shrinkage = text.trim() === '' || Number.isNaN(Number(text)) ? (text as Shrinkage) : Number(text)
  shrinkageStrength(shrinkage, 1) // throws if the text is no shrinkage
  return shrinkage
}

export interface TableOptions {
  readonly shrinkage: Shrinkage
  readonly divergence: Divergence
  /** `exponentiated-gradient` is the paper's method, and slow. */
  readonly solver: 'newton' | 'exponentiated-gradient'
}

const tableDefaults: TableOptions = {shrinkage: '10/N', divergence: 'kl', solver: 'newton'}
const tableRules: Rules<TableOptions> = {
  divergence: oneOf('kl', 'l2'),
  solver: oneOf('newton', 'exponentiated-gradient')
}

/** The variables Z of a moment, given by the numbers of concepts and words. */
export interface MomentVariables {
  readonly concepts: readonly number[]
  /** At most one word, since counts do not tell which words occur together; for more see {@link recoverObservedTable}. */
  readonly words?: readonly number[]
}

/** Recovers mu-hat_Z of Eq. 2 over the simplex, for any set of concepts with or without a word. */
export function recoverTable(
  counts: Counts,
  noise: NoiseRates,
  {concepts, words = []}: MomentVariables,
  options?: Partial<TableOptions>
): RecoveredTable {
  return recoverObservedTable(anchorTable(counts, concepts, words), noise, concepts, options)
}

/**
 * Recovers mu-hat_Z of Eq. 2 from a table of document counts, whose first variables are the anchors of `concepts`. Any further
 * variables, such as words, are observed, and each is its own anchor.
 */
export function recoverObservedTable(
  documents: ArrayLike<number>,
  noise: NoiseRates,
  concepts: readonly number[],
  options?: Partial<TableOptions>
): RecoveredTable {
  const {shrinkage, divergence, solver} = checkOptions('recoverTable', tableDefaults, tableRules, options)
  const problem = tableProblem(documents, noise, concepts, {shrinkage, divergence})
  if (solver === 'exponentiated-gradient') return exponentiatedGradient(problem, EXPONENTIATED_TOLERANCE)
  return new TableSolver(problem).solve()
}

/** Builds the data of Eq. 2 with shrinkage for one table of document counts. */
function tableProblem(
  documents: ArrayLike<number>,
  noise: NoiseRates,
  concepts: readonly number[],
  {shrinkage, divergence}: Pick<TableOptions, 'shrinkage' | 'divergence'>
): TableProblem {
  const variableCount = Math.round(log(documents.length) / Math.LN2)
  const documentCount = Array.from(documents).reduce((sum, cell) => sum + cell, 0)
  if (2 ** variableCount !== documents.length || variableCount < concepts.length || !(documentCount > 0))
    throw new AdfaError(
      'bad-option',
      `a table of ${concepts.length} concepts has 2^${concepts.length} cells, or a higher power of 2, and some documents; ` +
        `got ${documents.length} cells and ${documentCount} documents`
    )
  const observed = Float64Array.from(documents, cell => cell / documentCount)
  const isConcept = (k: number) => k < concepts.length
  const variables = Array.from({length: variableCount}, (_, k) => k)
  const rates = variables.map(k => (isConcept(k) ? ratesOf(noise, concepts[k]) : OBSERVED))
  const on = variables.map(k =>
    isConcept(k) ? noise.prevalence[concepts[k]] : marginOf(observed, variableCount - 1 - k)
  )
  const lambda = shrinkageStrength(shrinkage, documentCount)
  const shrinkageWeights = independentTable(on).map(cell => lambda * cell)
  return {layout: oneTable(variableCount), rates, observed, shrinkageWeights, lambda, divergence}
}

/** Returns the probability that the variable in bit `bit` of the cell index is 1. */
function marginOf(table: Float64Array, bit: number): number {
  return table.reduce((sum, cell, at) => ((at >> bit) & 1 ? sum + cell : sum), 0)
}

export function allRates(noise: NoiseRates): Rates[] {
  return Array.from(noise.truePositive, (_, i) => ratesOf(noise, i))
}

export function ratesOf(noise: NoiseRates, i: number): Rates {
  return {truePositive: noise.truePositive[i], falsePositive: noise.falsePositive[i]}
}

/** Returns mu_indep, the table of independent variables that are on with the given probabilities. */
export function independentTable(on: readonly number[]): Float64Array {
  return Float64Array.from({length: 2 ** on.length}, (_, cell) =>
    on.reduce((product, p, k) => product * ((cell >> (on.length - 1 - k)) & 1 ? p : 1 - p), 1)
  )
}
