export {binaryValue, isPresent} from './binary-value.ts'
export type {ByteTools} from './bytes.ts'
export {mostSurveyedRows, type SurveyedColumns, surveyColumns} from './column-facts.ts'
export {type CsvRecord, csvRecords} from './csv-records.ts'
export {type DocumentBlock, eachRow, holdsDocuments, parseBlock} from './document-block.ts'
export {
  documentError,
  errorCode,
  fileError,
  gzipError,
  noDocuments,
  reasonOf,
  shorten
} from './document-error.ts'
export {parseEncoding, utf8Bytes} from './encoding.ts'
export {
  type DocumentFormat,
  type DocumentReader,
  documentFormats,
  type FileContext,
  formatOfName,
  formatOfPath,
  parseFormat,
  type ReaderContext,
  type StreamFormat,
  type TextReader
} from './format.ts'
export {
  BY_NAME,
  type ColumnGuess,
  columnRoles,
  guessColumns,
  type Role,
  readingFor,
  roleWords
} from './guess-columns.ts'
export {htmlText} from './html-text.ts'
export {eachLine, eachLineRange, lineBlocks} from './line-blocks.ts'
export {isSkippableFrame, isZstdFrame, packingOf, startsZstd} from './packing.ts'
export {type ParquetFile, parquetRows, type RowGroup} from './parquet-rows.ts'
export {type ReadControl, type ReadOptions, readDocuments} from './read-documents.ts'
export {startsArray} from './read-json-array.ts'
export {openTable, parseCell, readCsv, readCsvOrKaggle, readKaggle, readTsv} from './read-table.ts'
export {textDocument, textEnding} from './read-text.ts'
export {recogniseBinary, startsWrench} from './recognise.ts'
export {type RecognisedFile, recogniseFile} from './recognise-file.ts'
export {cellText, isFilled, type SheetCell, type SheetCells, sheetRows} from './sheet-rows.ts'
export {readSourceText, type SourceControl, type SourceFile} from './source-bytes.ts'
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
export {namedColumns, withFixedKeys} from './table-columns.ts'
export type {LibraryFormat, TablesApi} from './table-files.ts'
export {tableLines} from './table-lines.ts'
export {once, rowBlocks, textBlocks, textReader} from './text-blocks.ts'
export {byteOrderMarkLength, checkUtf8, isText16, recordLimit, tooLong, wholeCharacters} from './utf8.ts'
