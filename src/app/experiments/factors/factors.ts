import type {Experiment} from '../experiment.ts'
import {
  type FactorMethod,
  type FactorsCell,
  type FactorsResult,
  factorMethods,
  measureFactors
} from './factors-measure.ts'
import {presentFactors} from './factors-present.ts'

/** Seconds that they take beside each other, 24,000 documents of 50 concepts and 1,000 words. */
const COSTS: Readonly<Record<FactorMethod, number>> = {paper: 1.5, robust: 12, oracle: 1.5}

/** Section 5.4 and the supplement: the words of every concept. One cell learns them by one method. */
export const factors: Experiment<FactorsCell, FactorsResult> = {
  name: 'factors',
  title: 'Words of the concepts',
  cells: (_, {seed}) => factorMethods.map(method => ({method, seed})),
  cost: ({method}) => COSTS[method],
  measure: measureFactors,
  present: presentFactors
}
