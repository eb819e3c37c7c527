export {
  type ClickHouseCredentials,
  type ClickHouseOptions,
  isClickHouseAddress,
  openClickHouse,
  readClickHouseCredentials
} from './clickhouse-engine.ts'
export {
  type AnchorSource,
  type CountingOptions,
  countDocuments,
  countingDefaults,
  countWith
} from './count-with.ts'
export type {
  CountingEngine,
  CountingStage,
  EngineControl,
  EngineName,
  KnownLabels,
  RowSource,
  SampleOptions
} from './counting-engine.ts'
export {type DuckDbOptions, openDuckDb} from './duckdb-engine.ts'
export {type DocumentGroup, isGroupsFile, readGroups} from './groups.ts'
export {groupsEngine} from './sql-engine.ts'
export {answerTasks, openThreads, type Thread, type ThreadPool} from './threads.ts'
export {
  type BlockSource,
  dealBlocks,
  documentsEngine,
  transferOf,
  usualWorkers
} from './worker-engine.ts'
