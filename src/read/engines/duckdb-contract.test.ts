import {testFolder} from '../files/test-folder.ts'
import {openDuckDb} from './duckdb-engine.ts'
import {describeEngine} from './engine.contract.ts'
import {drawCorpora} from './test-corpora.ts'
import {jsonLines, parquetRows} from './test-corpus-files.ts'

const folder = testFolder()
const fields = {text: ['title', 'text']}

describeEngine({
  name: 'duckdb, Parquet',
  corpora: drawCorpora(1000, {text: false, seed: 2}),
  open: ({rows}) => openDuckDb([folder.file('words.parquet', parquetRows(rows))], {fields})
})

describeEngine({
  name: 'duckdb, text',
  corpora: drawCorpora(40, {text: true, seed: 1}),
  open: ({rows}) => openDuckDb([folder.file('text.jsonl', jsonLines(rows))], {fields})
})
