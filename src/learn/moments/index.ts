/**
 * adfa/moments: joint probabilities of the concepts from counts and rates (Eq. 1-4), with certificates.
 *
 *     import {recoverMoments, recoverTable} from 'adfa/moments'
 *
 *     const moments = await recoverMoments(counts, rates, {polytope: 'cycle'})
 *     moments.pair(0, 1)   // P(Y_0, Y_1): 00, 01, 10, 11
 *     recoverTable(counts, rates, {concepts: [0, 1, 2]}).mu
 */
export {
  type MomentCertificate,
  type MomentSolution,
  reachedStatus,
  type SolveControl,
  type SolveProgress,
  type SolveStatus,
  type TableCertificate
} from './certificate.ts'
export type {OracleAnswer} from './conditional-gradient.ts'
export {
  anchorMatrices,
  type Divergence,
  inverseAnchorMatrices,
  MomentObjective,
  multiplyKronecker
} from './objective.ts'
export type {CustomPolytope, Polytope, PolytopeName} from './oracles.ts'
export {independentCoordinates, type MomentLayout, type MomentProblem, momentLayout} from './problem.ts'
export {
  defaultGaps,
  isPolytope,
  type MomentControl,
  type MomentOptions,
  type MomentSolver,
  type Moments,
  momentDefaults,
  permuteTable,
  recoverMoments
} from './recover-moments.ts'
export {
  allRates,
  parseShrinkage,
  recoverObservedTable,
  recoverTable,
  type Shrinkage
} from './table.ts'
export type {RecoveredTable} from './table-solver.ts'
export {type BlanketMoments, recoverBlanketMoments, recoverWordMoments, type WordMoments} from './word-moments.ts'
