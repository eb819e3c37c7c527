export {
  checkedLabels,
  fitOptionsOf,
  learnOptionsOf,
  readOptionsOf,
  searchNeedsHighs
} from './learn-options.ts'
export {
  type DocumentsMark,
  documentsHash,
  type EdgeRule,
  type EdgeRules,
  type FitSettings,
  marksDiffer,
  type Project,
  type Reading,
  type Snapshot
} from './project.ts'
export {
  heldSpans,
  heldText,
  jsonLines,
  labelsText,
  type NewProject,
  newProjectText,
  type OpenedProject,
  openProject,
  parseProjectFile,
  projectFileName,
  projectToText,
  resultsKey,
  type Settings
} from './project-file.ts'
export {
  namesConcept,
  quoted,
  settledAnchors,
  withNewName,
  withoutConcepts,
  withRule
} from './project-parts.ts'
export {projectSchema} from './schema.ts'
export {
  above0,
  columnSettings,
  countingSettings,
  declared,
  fileSettings,
  flagOf,
  learningSettings,
  namesOf,
  numberType,
  positiveNumber,
  projectSettings,
  type Setting,
  type SettingTypes,
  seedSettings,
  share,
  TOP_TAGS,
  takesList,
  upTo,
  wholeNumber,
  workerSettings
} from './settings.ts'
export {
  nowNames,
  snapshotOf,
  withoutSnapshot,
  withSnapshot,
  withSnapshotName
} from './snapshots.ts'
