/** What needs Node: files of every format, and counting them in streaming passes. */
export {
  type AnchorSource,
  type ClickHouseCredentials,
  type ClickHouseOptions,
  type CountingEngine,
  type CountingOptions,
  type CountingStage,
  countDocuments,
  countingDefaults,
  countWith,
  type DocumentGroup,
  type DuckDbOptions,
  documentsEngine,
  type EngineControl,
  type EngineName,
  groupsEngine,
  isClickHouseAddress,
  type KnownLabels,
  openClickHouse,
  openDuckDb,
  type RowSource,
  readClickHouseCredentials,
  readGroups
} from './read/engines/index.ts'
export {
  type AtomicWriter,
  cannotWrite,
  checkWritable,
  type DocumentOptions,
  type DocumentShard,
  type DocumentSource,
  makeFolder,
  openAtomicWriter,
  openDocuments,
  readBinaryFile,
  readFileHead,
  readTextFile,
  removeTemporaryFiles,
  withAtomicWriter,
  writeAtomically
} from './read/files/index.ts'
export {type CsvRecord, csvRecords, type DocumentFormat, documentFormats, parseFormat} from './read/reading/index.ts'
