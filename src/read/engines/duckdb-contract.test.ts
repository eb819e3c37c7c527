import {testFolder} from '../files/test-folder.ts'
import {openDuckDb} from './duckdb-engine.ts'
import {describeEngine} from './engine.contract.ts'
import {jsonLines, parquetRows} from './test-corpus-files.ts'

const folder = testFolder()
const fields = {fields: ['title', 'text']}

describeEngine({
  name: 'duckdb, Parquet',
  text: false,
  corpora: 1000,
  open: rows => openDuckDb([folder.file('words.parquet', parquetRows(rows))], {fields})
})

describeEngine({
  name: 'duckdb, text',
  text: true,
  corpora: 40,
  open: rows => openDuckDb([folder.file('text.jsonl', jsonLines(rows))], {fields})
})
