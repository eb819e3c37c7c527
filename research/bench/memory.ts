/**
 * Claim: counting a file of 1 GB keeps peak memory under 1 GB. Compared with a file of a quarter of the size; memory must
 * not grow with the file. Each of the 50 anchors fires in about one document in a hundred. Documents are text, so that the
 * vocabulary is learned from free text with a long tail of rare words.
 */
import {closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {rng} from '../../src/base/numeric/index.ts'
import {type BenchRow, measureAdfa, record, rounded} from './bench.ts'

const folder = mkdtempSync(join(tmpdir(), 'adfa-bench-'))
const [anchors, docs] = ['anchors.json', 'docs.jsonl'].map(name => join(folder, name))
const names = Array.from({length: 50}, (_, i) => [`concept ${i}`, `w${300 + i}`])
writeFileSync(anchors, JSON.stringify(Object.fromEntries(names)))

const rows = [256, 1024].map((megabytes): BenchRow => {
  writeDocuments(docs, megabytes * 2 ** 20)
  const output = ['-o', join(folder, 'x.counts'), '--json', '--quiet']
  const {stdout, seconds, peak} = measureAdfa(['count', docs, '--anchors', anchors, ...output], folder)
  return {
    megabytes: Math.round(statSync(docs).size / 2 ** 20),
    documents: (JSON.parse(stdout) as {documents: number}).documents,
    'count s': rounded(seconds),
    'MB per s': rounded(megabytes / seconds),
    'peak MB': Math.round(peak / 1024)
  }
})
rmSync(folder, {recursive: true})
record('memory', 'Peak memory while streaming a 1 GB file stays under 1 GB', rows)

/** Words by a power law over two million names, about 50 per document. */
function writeDocuments(path: string, size: number): void {
  const random = rng(3)
  const file = openSync(path, 'w')
  for (let written = 0, id = 0; written < size; ) {
    const lines: string[] = []
    for (let line = 0; line < 5000; line++) {
      const words = Array.from({length: 50}, () => `w${Math.floor(2e6 ** random.next())}`)
      lines.push(JSON.stringify({id: id++, text: words.join(' ')}))
    }
    written += writeSync(file, `${lines.join('\n')}\n`)
  }
  closeSync(file)
}
