export {type EmergencyDemo, runEmergencyDemo} from './emergency.ts'
export {runNpmDemo} from './npm.ts'
export type {Demo, DemoExample} from './pipeline.ts'
