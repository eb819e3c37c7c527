/** What needs Node: files of every format, and counting them in streaming passes. */
export {
  type AnchorSource,
  type CountingControl,
  type CountingEngine,
  type CountingOptions,
  type CountingStage,
  countDocuments,
  countingDefaults,
  countWith,
  type EngineControl,
  type EngineName,
  learnLexicon,
  memoryEngine,
  type RowSource
} from './engines/index.ts'
export {
  type AtomicWriter,
  type CsvRecord,
  cannotWrite,
  checkWritable,
  csvRecords,
  type DocumentFormat,
  type DocumentOptions,
  type DocumentSource,
  documentFormats,
  makeFolder,
  openAtomicWriter,
  openDocuments,
  parseFormat,
  readBinaryFile,
  readFileHead,
  readTextFile,
  removeTemporaryFiles,
  withAtomicWriter,
  writeAtomically
} from './files/index.ts'
