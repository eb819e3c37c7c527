export {AtomSet} from './atom-set.ts'
export {conditionalGradient} from './conditional-gradient.ts'
export {
  coordinateCount,
  cubicOf,
  forEachTable,
  type MomentLayout,
  type MomentOrder,
  momentChanges,
  momentLayout,
  momentsAt,
  polynomialOf,
  quadraticOf
} from './moment-layout.ts'
export {type CustomPolytope, type OracleAnswer, type Polytope, type PolytopeName, polytopeSimplex} from './polytope.ts'
export {polytopeCycle, polytopeLocal} from './polytope-local.ts'
export {polytopeMarginal} from './polytope-marginal.ts'
export {
  type Correction,
  type SolveCertificate,
  type SolveControl,
  type SolveProgress,
  type SolveStatus,
  type StopLimits,
  StopRule
} from './stop-rule.ts'
export {informativeTree, sampleTree, treeCoordinates} from './tree-point.ts'
export {violatedHypermetrics} from './violated-hypermetrics.ts'
export {type CutRow, type Separate, violatedTriangles} from './violated-rows.ts'
