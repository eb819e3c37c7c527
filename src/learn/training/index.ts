export {weakenWords} from './candidates.ts'
export {chooseWords, type WordChoice} from './choose-words.ts'
export {type EmOptions, emDefaults, type RefineOptions, refineDefaults} from './options.ts'
export {
  type RefineControl,
  type Refinement,
  type RefinementCertificate,
  type RefineProgress,
  type RefineScore,
  refine
} from './refine.ts'
export {type EmControl, runEm, type TrainingStep, type TrainingTrace} from './run-em.ts'
