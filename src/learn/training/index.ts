export {type EmOptions, emDefaults} from './em-options.ts'
export {
  type RefineControl,
  type Refinement,
  type RefinementCertificate,
  type RefineProgress,
  type RefineScore,
  refine
} from './refine.ts'
export {type RefineOptions, refineDefaults} from './refine-options.ts'
export {type EmControl, runEm, type TrainingStep, type TrainingTrace} from './run-em.ts'
export {weakenWords} from './weaken-words.ts'
