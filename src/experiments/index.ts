export type {Demo, DemoExample} from './demo.ts'
export {type EmergencyDemo, runEmergencyDemo} from './demo-emergency.ts'
export {runNpmDemo} from './demo-npm.ts'
export {type ExperimentName, type ExperimentOptions, experimentNames} from './experiment.ts'
export {type Material, type MaterialOptions, readMaterial} from './material.ts'
export {nodeDrawing, nodePictures} from './node-drawing.ts'
export {
  type ExperimentControl,
  type ExperimentOutcome,
  type ExperimentPlan,
  runExperiments
} from './run-experiment.ts'
