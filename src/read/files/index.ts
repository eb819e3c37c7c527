export {readBinaryFile, readFileHead, readRecords, readTextFile, type TableRecord} from './disk-file.ts'
export {cannotWrite, fileChanged} from './file-error.ts'
export {
  type DocumentOptions,
  type DocumentShard,
  type DocumentSource,
  isTextFile,
  openDocuments
} from './open-documents.ts'
export {
  endingSignals,
  removeTemporaryFile,
  removeTemporaryFiles,
  reserveTemporaryFile
} from './temporary-files.ts'
export {
  type AtomicWriter,
  checkWritable,
  isStandardOutput,
  makeFolder,
  type OnFinished,
  openAtomicWriter,
  withAtomicWriter,
  writeAtomically
} from './write-atomically.ts'
export {type TableFormat, tableFormatOf, withTable} from './write-table.ts'
