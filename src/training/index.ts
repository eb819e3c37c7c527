export {type EmOptions, emDefaults} from './em-options.ts'
export {
  type RefineControl,
  type Refinement,
  type RefineOptions,
  type RefineScore,
  refine,
  refineDefaults
} from './refine.ts'
export {type EmControl, runEm, type TrainingStep, type TrainingTrace} from './run-em.ts'
