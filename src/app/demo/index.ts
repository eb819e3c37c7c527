export type {Demo, DemoExample} from './demo.ts'
export {type EmergencyDemo, runEmergencyDemo} from './demo-emergency.ts'
export {runNpmDemo} from './demo-npm.ts'
