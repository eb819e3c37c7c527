export {type DriftRun, type DriftSummary, EM_STEPS, summarizeDrift} from './em-drift/measure.ts'
export {type ExperimentName, type ExperimentOptions, experimentNames, type Pictures, type Run} from './experiment.ts'
export {printedWords} from './factors/printed.ts'
export {groupsOf, type LikelihoodGroup, type LikelihoodRun} from './heldout-likelihood/measure.ts'
export {type LastTagCell, type LastTagResult, type MethodId, methodName, methods} from './last-tag/measure.ts'
export {
  flooredOracles,
  independentOracles,
  type LastTagSummary,
  noiseTolerant,
  summarizeLastTag,
  withoutTags
} from './last-tag/present.ts'
export {type Material, type MaterialOptions, readMaterial} from './material.ts'
export {type ExperimentControl, type ExperimentOutcome, type ExperimentPlan, runExperiments} from './run-experiment.ts'
export {type Difference, type Spread, signed} from './spread.ts'
export {paperSeconds, summarizeTiming, type TimingRun, type TimingSummary} from './timing/findings.ts'
export {compareNetworks, type NetworkAgreement} from './trees/findings.ts'
export {fallOf, type TreesCell, type TreesResult} from './trees/measure.ts'
export {nodePictures} from './write-report.ts'
