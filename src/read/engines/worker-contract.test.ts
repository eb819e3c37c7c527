import {afterAll} from 'vitest'
import {openDocuments} from '../files/index.ts'
import {testFolder} from '../files/test-folder.ts'
import {describeEngine} from './engine.contract.ts'
import {drawCorpora} from './test-corpora.ts'
import {jsonLines} from './test-corpus-files.ts'
import {openCountWorkers, workerEngine} from './worker-engine.ts'

const folder = testFolder()
const [two, three] = [2, 3].map(openCountWorkers)
afterAll(() => Promise.all([two.close(), three.close()]))

describeEngine({
  name: 'memory, two threads, text',
  corpora: drawCorpora(1000, {text: true, seed: 1}),
  open: async ({rows}) =>
    workerEngine(openDocuments([folder.file('text.jsonl', jsonLines(rows))], {text: ['title', 'text']}), two)
})

describeEngine({
  name: 'memory, three threads, several files',
  corpora: drawCorpora(1000, {text: false, seed: 2}),
  async open({rows}) {
    const middle = Math.ceil(rows.length / 2)
    const parts = [rows.slice(0, middle), rows.slice(middle)].filter(part => part.length > 0)
    const paths = parts.map((part, at) => folder.file(`words-${at}.jsonl`, jsonLines(part)))
    return workerEngine(openDocuments(paths, {text: ['title', 'text']}), three)
  }
})
