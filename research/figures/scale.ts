/**
 * Writes the figures of research/results/scale.json, count-growth.json and peers.json into docs/SCALE.md, between its marks, and
 * extrapolates them to a billion documents. Command: npx tsx research/figures/scale.ts, after npx tsx research/bench/scale.ts,
 * count-growth.ts or peers.ts
 */
import {readFileSync, writeFileSync} from 'node:fs'
import {billion} from './scale-billion.ts'
import {exponents, peers} from './scale-peers.ts'
import {readResults, type ScaleRow, table, thousands} from './scale-rows.ts'

const page = new URL('../../docs/SCALE.md', import.meta.url)
const {rows, date, machine} = readResults('scale')

const sections: Readonly<Record<string, string>> = {
  growth: growth(),
  engines: engines(),
  sizes: sizes(),
  billion: billion(rows),
  exponents: exponents(readResults('count-growth')),
  peers: peers(readResults('peers'))
}
let text = readFileSync(page, 'utf8')
for (const [name, content] of Object.entries(sections)) {
  const marks = new RegExp(`(<!-- measured: ${name} -->\n)[^]*?(<!-- end -->)`)
  if (!marks.test(text)) throw new Error(`docs/SCALE.md has no place for "${name}"`)
  text = text.replace(marks, (_, begin: string, end: string) => `${begin}\n${content}\n\n${end}`)
}
writeFileSync(page, text)

function growth(): string {
  const over = [...rows.filter(row => row.part === 'growth'), ...rows.filter(isOneThread)]
  const lines = over.map(row => [
    thousands(row.documents),
    row.anchors,
    thousands(row.words),
    row['processor s'],
    perMillion(row),
    thousands(row.patterns),
    thousands(row.cells)
  ])
  const columns = ['documents', 'anchors', 'words', 'processor s', 's per million', 'patterns', 'cells']
  return `One thread, documents of 60 words, already parsed (${machine}, ${date}):\n\n${table(columns, lines)}`
}

function isOneThread({part, how, threads}: ScaleRow): boolean {
  return part === 'packed' && how === 'packed documents' && threads === 1
}

function perMillion(row: ScaleRow): string {
  return ((Number(row['processor s']) * 1e6) / Number(row.documents)).toPrecision(3)
}

function engines(): string {
  const shown = rows.filter(({part}) => ['packed', 'files', 'duckdb', 'large'].includes(String(part)))
  const columns = {
    how: 'how',
    threads: 'threads',
    documents: 'documents',
    'anchors per document': 'anchors in each',
    s: 's',
    'processor s': 'processor s',
    'documents per s': 'documents per second',
    'peak MB': 'peak MB',
    load: 'load'
  }
  const lines = shown.map(row => Object.keys(columns).map(name => thousands(row[name])))
  return (
    `50 anchors, 2,000 words, 60 words per document; the number of anchors that fire in each determines the number of patterns, and so the memory. \`adfa count\` is the whole command. ` +
    `*Load* is the load average of the computer, including this run: far above 2, ` +
    `its number of cores, elapsed seconds are inflated, and processor time is the figure to read.${missing()}\n\n${table(Object.values(columns), lines)}`
  )
}

function sizes(): string {
  const counted = rows.filter(({part, cells}) => (part === 'growth' || part === 'packed') && Number(cells) > 0)
  const seen = new Set<string>()
  const lines = counted
    .filter(row => row['file MB'] !== '-')
    .filter(({documents, anchors, words}) => {
      const key = `${documents} ${anchors} ${words}`
      const isNew = !seen.has(key)
      seen.add(key)
      return isNew
    })
    .map(row => {
      const bytes = Number(row['file MB']) * 2 ** 20
      return [
        'counts',
        thousands(row.documents),
        row.anchors,
        thousands(row.words),
        row['file MB'],
        thousands(Math.round(bytes / Number(row.patterns))),
        (bytes / Number(row.cells)).toFixed(2)
      ]
    })
  const releases = rows
    .filter(({part}) => part === 'release')
    .map(row => [row.how, thousands(row.documents), row.anchors, thousands(row.words), row['file MB'], '-', '-'])
  const columns = ['file', 'documents', 'anchors', 'words', 'MB', 'bytes per pattern', 'bytes per cell']
  return table(columns, [...lines, ...releases])
}

/** Figures of the page that are not measured yet. */
function missing(): string {
  const wanted: readonly (readonly [string, boolean])[] = [
    ['10 million parsed documents', rows.some(row => row.part === 'packed' && row.documents === 10_000_000)],
    ['the file of 5 GB', rows.some(row => row.part === 'large')],
    ['DuckDB on 10 million', rows.some(row => row.part === 'duckdb' && row.documents === 10_000_000)]
  ]
  const open = wanted.filter(([, isMeasured]) => !isMeasured).map(([name]) => name)
  return open.length === 0 ? '' : ` **Not measured yet:** ${open.join(', ')}.`
}
