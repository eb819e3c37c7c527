/** What needs Node: files of every format, and counting them in streaming passes. */
export {
  type AnchorSource,
  type CountingControl,
  type CountingOptions,
  type CountingStage,
  countDocuments,
  countingDefaults,
  type RowSource
} from './engines/index.ts'
export {
  type AtomicWriter,
  type DocumentFormat,
  type DocumentOptions,
  type DocumentSource,
  documentFormats,
  openAtomicWriter,
  openDocuments,
  parseFormat,
  readBinaryFile,
  readTextFile,
  removeTemporaryFiles,
  writeAtomically
} from './files/index.ts'
