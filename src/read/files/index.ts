export type {DocumentShard} from './cut-shard.ts'
export {cannotWrite, fileChanged} from './file-error.ts'
export {type DocumentOptions, type DocumentSource, openDocuments} from './open-documents.ts'
export {readBinaryFile, readFileHead, readTextFile} from './read-bytes.ts'
export {readRecords, type TableRecord} from './read-records.ts'
export {
  endingSignals,
  removeTemporaryFile,
  removeTemporaryFiles,
  reserveTemporaryFile
} from './temporary-files.ts'
export {isTextFile} from './text-folder.ts'
export {
  type AtomicWriter,
  checkWritable,
  isStandardOutput,
  makeFolder,
  openAtomicWriter,
  withAtomicWriter,
  writeAtomically
} from './write-atomically.ts'
export {type TableFormat, tableFormatOf, withTable} from './write-table.ts'
