/**
 * adfa/moments: joint probabilities of the concepts from counts and rates (Eq. 1-4), with certificates.
 *
 *     import {recoverMoments, recoverTable} from 'adfa/moments'
 *
 *     const moments = recoverMoments(counts, rates, {polytope: 'cycle'})
 *     moments.pair(0, 1)   // P(Y_0, Y_1): 00, 01, 10, 11
 *     recoverTable(counts, rates, {concepts: [0, 1, 2]}).mu
 */

export {
  type CustomPolytope,
  forEachTable,
  type MomentLayout,
  type OracleAnswer,
  type Polytope,
  type PolytopeName
} from '../polytopes/index.ts'
export {independentCoordinates, MomentObjective, type MomentProblem} from './moment-problem.ts'
export {
  type MomentCertificate,
  type MomentSolution,
  type Moments,
  permuteTable,
  type TableCertificate
} from './moments.ts'
export {type BlanketMoments, recoverBlanketMoments} from './recover-blanket-moments.ts'
export {recoverLargerMoments} from './recover-larger-moments.ts'
export {
  defaultGaps,
  isPolytope,
  type MomentControl,
  type MomentOptions,
  type MomentSolver,
  momentDefaults,
  recoverMoments
} from './recover-moments.ts'
export {
  allRates,
  type RecoveredTable,
  recoverObservedTable,
  recoverTable
} from './recover-table.ts'
export {
  recoverWordMoments,
  type WordMoments,
  wordMomentDefaults
} from './recover-word-moments.ts'
export {parseShrinkage, type Shrinkage} from './shrinkage.ts'
export {applyFactors, type Divergence, observingFactors} from './table-solver.ts'
