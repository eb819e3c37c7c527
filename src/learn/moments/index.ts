export {independentCoordinates} from './inside-point.ts'

export {MomentObjective, type MomentProblem} from './moment-objective.ts'
export {type MomentCertificate, type MomentSolution, type Moments, permuteTable} from './moments.ts'
export {type BlanketMoments, recoverBlanketMoments} from './recover-blanket-moments.ts'
export {recoverLargerMoments} from './recover-larger-moments.ts'
export {
  defaultGaps,
  type MomentControl,
  type MomentOptions,
  type MomentSolver,
  momentDefaults,
  recoverMoments
} from './recover-moments.ts'
export {
  allRates,
  type MomentVariables,
  type RecoveredTable,
  recoverObservedTable,
  recoverTable,
  type TableOptions
} from './recover-table.ts'
export {
  recoverWordMoments,
  type WordMomentOptions,
  type WordMoments,
  wordMomentDefaults
} from './recover-word-moments.ts'
export {
  recoverWordRatios,
  type WordRatioCertificate,
  type WordRatioOptions,
  type WordRatios,
  wordRatioDefaults
} from './recover-word-ratios.ts'
export {parseShrinkage, type Shrinkage} from './shrinkage.ts'
export {applyFactors, type Divergence, type Rates, type TableCertificate} from './table-solver.ts'
