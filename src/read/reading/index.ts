export {documentError, errorCode, fileError, peek, reasonOf} from './bytes.ts'
export {type DocumentBlock, eachRow, lineBlocks, parseBlock} from './document-block.ts'
export {utf8Bytes} from './encoding.ts'
export {
  documentBlocks,
  documentFormats,
  fileBlocks,
  formatOfName,
  hasLines,
  headOf,
  parseFormat,
  readDocuments,
  readingOf,
  rowsOf,
  textEnding
} from './formats.ts'
export {
  BY_NAME,
  type ColumnGuess,
  columnRoles,
  guessColumns,
  mostSurveyedRows,
  PREDICTED,
  type Role,
  readingFor,
  roleWords,
  type SurveyedColumns,
  surveyColumns
} from './guess-columns.ts'
export {type CsvRecord, csvRecords} from './read-csv.ts'
export {
  type ByteRange,
  type DocumentFormat,
  lineRange,
  type Reading,
  type ReadOptions,
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
