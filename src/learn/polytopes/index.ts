export {AtomSet} from './atom-set.ts'
export {
  type ConditionalGradientOptions,
  conditionalGradient,
  conditionalGradientDefaults
} from './conditional-gradient.ts'
export type {CutRow, Separate} from './cut-program.ts'
export {CutSet} from './cut-set.ts'
export {violatedHypermetrics} from './hypermetric-cuts.ts'
export {coordinateCount, coordinateParts, momentChanges, momentsAt, polynomialOf} from './moment-coordinates.ts'
export {forEachTable, type MomentLayout, type MomentOrder, momentLayout} from './moment-layout.ts'
export type {Polytope, PolytopeName} from './polytope.ts'
export {polytopeCycle} from './polytope-cycle.ts'
export {polytopeLocal} from './polytope-local.ts'
export {polytopeMarginal} from './polytope-marginal.ts'
export {polytopeSimplex} from './polytope-simplex.ts'
export {type SolveControl, type SolveProgress, type SolveStatus, type StopLimits, StopRule} from './stop-rule.ts'
export {informativeTree, sampleTree, treeCoordinates} from './tree-point.ts'
export {violatedTriangles} from './violated-rows.ts'
