export {type CsvRecord, csvRecords} from './csv-records.ts'
export {cannotWrite} from './file-error.ts'
export {type DocumentFormat, documentFormats, parseFormat} from './format.ts'
export {makeFolder} from './make-folder.ts'
export {type DocumentOptions, type DocumentSource, openDocuments} from './open-documents.ts'
export {readBinaryFile, readFileHead, readTextFile} from './read-file.ts'
export {removeTemporaryFiles} from './temporary-files.ts'
export {
  type AtomicWriter,
  checkWritable,
  openAtomicWriter,
  withAtomicWriter,
  writeAtomically
} from './write-atomically.ts'
