export type {ByteTools} from './bytes.ts'
export {mostSurveyedRows, type SurveyedColumns, surveyColumns} from './column-facts.ts'
export {type CsvRecord, csvRecords} from './csv-records.ts'
export {packingOf} from './decompress.ts'
export {type DocumentBlock, eachRow, parseBlock} from './document-block.ts'
export {documentError, errorCode, fileError, reasonOf} from './document-error.ts'
export {utf8Bytes} from './encoding.ts'
export {
  type DocumentFormat,
  documentFormats,
  formatOfName,
  isLineFormat,
  parseFormat,
  rowBlocks
} from './formats.ts'
export {
  BY_NAME,
  type ColumnGuess,
  columnRoles,
  guessColumns,
  type Role,
  readingFor,
  roleWords
} from './guess-columns.ts'
export {lineBlocks} from './line-blocks.ts'
export {openTable} from './read-csv.ts'
export {
  documentBlocks,
  fileBlocks,
  type ReadControl,
  type ReadOptions,
  readDocuments,
  readingOf
} from './read-documents.ts'
export {startsArray} from './read-json-array.ts'
export {readTextDocument, textEnding, textIdOf} from './read-text.ts'
export {sheetRecords} from './read-xlsx.ts'
export type {FileContext, ReaderContext} from './reader-context.ts'
export {type RecognisedFile, recogniseFile} from './recognise-file.ts'
export {
  type ByteRange,
  lineRange,
  readSourceText,
  type SourceControl,
  type SourceFile,
  sourceBytes,
  wholeBytes,
  wholeText
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
  type TableWriter
} from './table-cells.ts'
export {tableLines} from './table-lines.ts'
export {isText16, recordLimit, tooLong} from './utf8.ts'
