export type {Demo, DemoExample} from './demo.ts'
export {type EmergencyDemo, runEmergencyDemo} from './demo-emergency.ts'
export {runNpmDemo} from './demo-npm.ts'
export {type DriftRun, type DriftSummary, summarizeDrift} from './em-drift-summary.ts'
export type {Run} from './experiment.ts'
export {type ExperimentName, type ExperimentOptions, experimentNames} from './experiment.ts'
export {printedWords} from './factors-printed.ts'
export {groupsOf, type LikelihoodGroup, type LikelihoodRun} from './heldout-likelihood-summary.ts'
export type {LastTagCell, LastTagResult} from './last-tag-measure.ts'
export {type MethodId, methodName, methods} from './last-tag-methods.ts'
export {
  independentOracles,
  type LastTagSummary,
  noiseTolerant,
  summarizeLastTag,
  withoutTags
} from './last-tag-summary.ts'
export {type Material, type MaterialOptions, readMaterial} from './material.ts'
export {nodeDrawing, nodePictures} from './node-drawing.ts'
export {
  type ExperimentControl,
  type ExperimentOutcome,
  type ExperimentPlan,
  runExperiments
} from './run-experiment.ts'
export {type Difference, type Spread, signed} from './spread.ts'
export {paperSeconds, summarizeTiming, type TimingRun, type TimingSummary} from './timing-summary.ts'
export {compareNetworks, type NetworkAgreement} from './trees-compare.ts'
export {fallOf} from './trees-explaining.ts'
export type {TreesCell, TreesResult} from './trees-measure.ts'
