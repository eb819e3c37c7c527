/**
 * How long `adfa predict` takes to write 100,000 documents of 85 features with 50 probabilities each as JSON Lines, against one
 * `JSON.parse` per line, which any program has to do. The bytes must not depend on the threads. Processor time is that of all
 * threads.
 */
import {execFileSync, spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {type BenchRow, record, rounded} from './record.ts'

const adfa = fileURLToPath(new URL('../../dist/adfa.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'adfa-bench-'))
const at = (name: string) => join(folder, name)
const run = (command: string) => execFileSync(process.execPath, [adfa, ...command.split(' '), '--quiet'])

/** Prints the processor time of the whole process when it ends. */
const atEnd = `import {isMainThread} from 'node:worker_threads'
if (isMainThread) process.on('exit', () => { const {user, system} = process.cpuUsage(); console.error((user + system) / 1e6) })`
const clock = `data:text/javascript,${encodeURIComponent(atEnd)}`

const [docs, anchors, out] = [at('docs.jsonl'), at('anchors.json'), at('predictions.jsonl')]
run(
  `generate random --concepts 50 --words 2000 --words-per-document 82 --documents 100000 -o ${docs} --anchors ${anchors}`
)
const rows = ['weights', 'noisy-or'].flatMap(words => {
  const model = at(`${words}.json`)
  run(`fit ${docs} --anchors ${anchors} --words ${words} -o ${model}`)
  const measured = [0, 1, 2].map(workers => measure(model, words, workers))
  if (new Set(measured.map(({digest}) => digest)).size > 1) throw new Error('the bytes depend on the number of threads')
  return measured.map(({row}) => row)
})
rmSync(folder, {recursive: true})
record('predict-files', 'Predictions of 100,000 documents as JSON Lines, against JSON.parse of every line', rows)

function measure(model: string, words: string, workers: number): {readonly row: BenchRow; readonly digest: string} {
  const parsing = parseBare()
  const started = performance.now()
  const args = [adfa, 'predict', model, docs, '-o', out, '--workers', String(workers), '--quiet']
  const {stderr, status} = spawnSync(process.execPath, ['--import', clock, ...args], {encoding: 'utf8'})
  const elapsed = (performance.now() - started) / 1000
  if (status !== 0) throw new Error(stderr)
  const processor = Number(stderr)
  const row = {
    words,
    workers,
    megabytes: Math.round(statSync(docs).size / 2 ** 20),
    'processor s': rounded(processor),
    'elapsed s': rounded(elapsed),
    'parsing alone s': rounded(parsing),
    ratio: rounded(processor / parsing)
  }
  return {row, digest: createHash('sha256').update(readFileSync(out)).digest('hex')}
}

/** Processor seconds of `JSON.parse` of every line, and of nothing else. */
function parseBare(): number {
  const bytes = readFileSync(docs)
  const before = process.cpuUsage()
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    JSON.parse(bytes.toString('utf8', from, end))
    from = end + 1
  }
  const {user, system} = process.cpuUsage(before)
  return (user + system) / 1e6
}
