export {type DriftRun, type DriftSummary, summarizeDrift} from './em-drift/em-drift-summary.ts'
export {type ExperimentName, type ExperimentOptions, experimentNames, type Pictures, type Run} from './experiment.ts'
export {printedWords} from './factors/factors-printed.ts'
export {groupsOf, type LikelihoodGroup, type LikelihoodRun} from './heldout-likelihood/heldout-likelihood-summary.ts'
export type {LastTagCell, LastTagResult} from './last-tag/last-tag-measure.ts'
export {type MethodId, methodName, methods} from './last-tag/last-tag-methods.ts'
export {
  independentOracles,
  type LastTagSummary,
  noiseTolerant,
  summarizeLastTag,
  withoutTags
} from './last-tag/last-tag-summary.ts'
export {type Material, type MaterialOptions, readMaterial} from './material.ts'
export {nodePictures} from './node-pictures.ts'
export {type ExperimentControl, type ExperimentOutcome, type ExperimentPlan, runExperiments} from './run-experiment.ts'
export {type Difference, type Spread, signed} from './spread.ts'
export {paperSeconds, summarizeTiming, type TimingRun, type TimingSummary} from './timing/timing-summary.ts'
export {compareNetworks, type NetworkAgreement} from './trees/trees-compare.ts'
export {fallOf} from './trees/trees-explaining.ts'
export type {TreesCell, TreesResult} from './trees/trees-measure.ts'
