/**
 * Claim: from a file of 100,000 JSONL documents to a model at 50 concepts and 2,000 words in under 10 s, by the command
 * line. Compared with reading the file twice, with `JSON.parse` of every line and a Set of its features, and learning nothing:
 * the minimum for any two-pass learner in this language.
 */
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {type BenchRow, record, rounded, seconds} from './record.ts'

const adfa = fileURLToPath(new URL('../../dist/adfa.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'adfa-bench-'))
const run = (...args: string[]) => execFileSync(process.execPath, [adfa, ...args, '--quiet'], {encoding: 'utf8'})

const rows = [25_000, 50_000, 100_000, 200_000].map((documents): BenchRow => {
  const [docs, anchors, model] = ['docs.jsonl', 'anchors.json', 'model.json'].map(name => join(folder, name))
  run(
    'generate',
    'random',
    '--documents',
    String(documents),
    '--top-tags',
    '50',
    '--words',
    '2000',
    '--words-per-document',
    '60',
    '-o',
    docs,
    '--anchors',
    anchors
  )
  const ours = seconds(() => run('fit', docs, '--anchors', anchors, '--vocabulary', '2000', '-o', model, '--json'))
  const bare = 2 * seconds(() => readBare(docs))
  return {
    documents,
    megabytes: Math.round(statSync(docs).size / 2 ** 20),
    'fit s': rounded(ours),
    'parsing alone s': rounded(bare),
    ratio: rounded(ours / bare)
  }
})
rmSync(folder, {recursive: true})

function readBare(path: string): number {
  let features = 0
  for (const line of readFileSync(path, 'utf8').split('\n'))
    if (line !== '') features += new Set((JSON.parse(line) as {features: string[]}).features).size
  return features
}

record('documents', 'From 100,000 JSONL documents to a model in under 10 s', rows)
