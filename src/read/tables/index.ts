export {createTables} from './create-tables.ts'
export {openParquetFile} from './parquet-file.ts'
export {checkWorkbookSize, sheetCells} from './sheet-cells.ts'
