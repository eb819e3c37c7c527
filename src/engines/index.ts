export {
  type AnchorSource,
  type CountingControl,
  type CountingOptions,
  countDocuments,
  countingDefaults,
  countWith,
  learnLexicon
} from './count-with.ts'
export type {CountingEngine, CountingStage, EngineControl, EngineName, RowSource} from './counting-engine.ts'
export {memoryEngine} from './memory-engine.ts'
