import {testFolder} from '../files/test-folder.ts'
import {openDuckDb} from './duckdb-engine.ts'
import {describeEngine} from './engine.contract.ts'
import {drawSqlCorpora} from './test-corpora.ts'
import {parquetRows} from './test-corpus-files.ts'

const folder = testFolder()

describeEngine({
  name: 'duckdb, words',
  corpora: drawSqlCorpora(1000, {text: false, seed: 2}),
  open: ({rows}) => openDuckDb([folder.file('words.parquet', parquetRows(rows))])
})

describeEngine({
  name: 'duckdb, text',
  corpora: drawSqlCorpora(100, {text: true, seed: 1}),
  open: ({rows}) => openDuckDb([folder.file('text.parquet', parquetRows(rows, true))])
})
