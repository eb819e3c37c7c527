export {recordLimit, tooLong} from './bytes.ts'
export {type DocumentBlock, eachRow, lineBlocks, parseBlock} from './document-block.ts'
export {documentError, errorCode, fileError, reasonOf} from './document-error.ts'
export {isText16, utf8Bytes} from './encoding.ts'
export {
  type DocumentFormat,
  documentFormats,
  fileBlocks,
  formatOfName,
  isLineFormat,
  parseFormat,
  type RecognisedFile,
  readTextDocument,
  recogniseFile,
  textEnding,
  textIdOf
} from './formats.ts'
export {
  BY_NAME,
  type ColumnGuess,
  columnRoles,
  guessColumns,
  mostSurveyedRows,
  type Role,
  readingFor,
  roleWords,
  type SurveyedColumns,
  surveyColumns
} from './guess-columns.ts'
export {type CsvRecord, csvRecords} from './read-csv.ts'
export {
  documentBlocks,
  type ReadControl,
  type ReadOptions,
  readDocuments,
  readingOf
} from './read-documents.ts'
export {startsArray} from './read-json-array.ts'
export {
  type ByteRange,
  lineRange,
  packingOf,
  type ReaderContext,
  readSourceText,
  type SourceControl,
  type SourceFile,
  sourceBytes,
  wholeBytes
} from './source-file.ts'
export {
  type Cell,
  type CellKind,
  ColumnSurvey,
  cellReader,
  listCell,
  recordOf,
  rounded,
  type TableColumn,
  type TableLayout,
  type TableWriter,
  tableLines
} from './table-cells.ts'
