/**
 * Claim: a Stack Exchange Posts.xml of 1 GB is streamed in under 300 MB of memory, at some three quarters of the speed of its XML
 * parser alone. Compared, on the smallest file, with saxes alone, which makes no documents, and with the obvious program, regular
 * expressions on the whole file as one string, which checks nothing. Seconds are processor time; each run is its own process.
 */
import {spawnSync} from 'node:child_process'
import {closeSync, createReadStream, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {SaxesParser} from 'saxes'
import {rng} from '../../src/base/numeric/index.ts'
import {openDocuments} from '../../src/read/files/index.ts'
import {type BenchRow, record, rounded} from './record.ts'

const readers: Readonly<Record<string, (path: string) => Promise<number>>> = {
  adfa: readDocuments,
  'saxes alone': parseAlone,
  'regular expressions': readNaively
}
const [, , reader, path] = process.argv
if (reader === undefined) bench()
else await measure(readers[reader], path)

function bench(): void {
  const folder = mkdtempSync(join(tmpdir(), 'adfa-bench-'))
  try {
    const rows: BenchRow[] = []
    const posts = join(folder, 'Posts.xml')
    for (const megabytes of [256, 512, 1024]) {
      writePosts(posts, megabytes * 2 ** 20)
      for (const name of Object.keys(readers)) if (name === 'adfa' || megabytes === 256) rows.push(run(name, posts))
    }
    const parser = Number(rows.find(row => row.reader === 'saxes alone')?.['MB per s'])
    record(
      'import',
      'Posts.xml of 1 GB: streamed in under 300 MB of memory',
      rows.map(row => ({...row, 'of saxes alone': rounded(Number(row['MB per s']) / parser)}))
    )
  } finally {
    rmSync(folder, {recursive: true})
  }
}

function run(name: string, posts: string): BenchRow {
  const program = [...process.execArgv, fileURLToPath(import.meta.url), name, posts]
  const {stdout, stderr, status} = spawnSync(process.execPath, program, {encoding: 'utf8'})
  if (status !== 0) throw new Error(stderr)
  const {documents, seconds, peak} = JSON.parse(stdout) as Readonly<Record<string, number>>
  const megabytes = statSync(posts).size / 2 ** 20
  return {
    reader: name,
    megabytes: Math.round(megabytes),
    documents,
    's of processor': rounded(seconds),
    'MB per s': rounded(megabytes / seconds),
    'documents per s': Math.round(documents / seconds),
    'peak MB': Math.round(peak / 1024)
  }
}

async function measure(read: (path: string) => Promise<number>, posts: string): Promise<void> {
  const before = process.cpuUsage()
  const documents = await read(posts)
  const {user, system} = process.cpuUsage(before)
  console.log(JSON.stringify({documents, seconds: (user + system) / 1e6, peak: process.resourceUsage().maxRSS}))
}

async function readDocuments(posts: string): Promise<number> {
  const source = openDocuments([posts], {fields: ['title', 'text']})
  let count = 0
  for await (const batch of source.batches()) count += batch.length
  return count
}

async function parseAlone(posts: string): Promise<number> {
  const parser = new SaxesParser()
  let count = 0
  parser.on('opentag', ({attributes}) => {
    if (attributes.PostTypeId === '1') count++
  })
  for await (const text of createReadStream(posts, {encoding: 'utf8', highWaterMark: 2 ** 20})) parser.write(text)
  parser.close()
  return count
}

async function readNaively(posts: string): Promise<number> {
  const decode = (text: string) =>
    text
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&#xA;/g, '\n')
      .replace(/&amp;/g, '&')
  const documents: unknown[] = []
  for (const [row] of readFileSync(posts, 'utf8').matchAll(/<row [^>]*>/g)) {
    if (!row.includes(' PostTypeId="1"')) continue
    const attribute = (name: string) => decode(new RegExp(` ${name}="([^"]*)"`).exec(row)?.[1] ?? '')
    const text = decode(attribute('Body').replace(/<pre>[\s\S]*?<\/pre>|<[^>]*>/g, ''))
    documents.push({id: attribute('Id'), title: attribute('Title'), text, tags: attribute('Tags').split(/[<>]+/)})
  }
  return documents.length
}

/** Two questions to three answers, some 1,500 characters each, with paragraphs, inline code, blocks of code and quotes. */
function writePosts(posts: string, size: number): void {
  const random = rng(7)
  const words = (count: number) =>
    Array.from({length: count}, () => `w${Math.floor(2e6 ** random.next())}${random.next() < 0.02 ? 'é' : ''}`).join(
      ' '
    )
  const pool = Array.from({length: 3000}, () => words(30))
  const pick = () => pool[Math.floor(random.next() * pool.length)]
  const file = openSync(posts, 'w')
  let written = writeSync(file, '\ufeff<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
  for (let id = 1; written < size; ) {
    const rows: string[] = []
    for (let line = 0; line < 1000; line++) rows.push(postRow(id++, pick))
    written += writeSync(file, rows.join(''))
  }
  writeSync(file, '</posts>\n')
  closeSync(file)
}

function postRow(id: number, pick: () => string): string {
  const body = [
    `&lt;p&gt;${pick()}, &lt;code&gt;x&lt;/code&gt; &amp;amp; &quot;y&quot;: ${pick()}&lt;/p&gt;&#xA;`,
    `&lt;pre&gt;&lt;code&gt;if (a &amp;lt; b) { ${pick()}&#xA;${pick()} }&#xA;&lt;/code&gt;&lt;/pre&gt;&#xA;`,
    `&lt;p&gt;${pick()} &lt;a href=&quot;https://example.com/${id}&quot;&gt;it&lt;/a&gt;&lt;/p&gt;&#xA;`
  ].join('&#xA;')
  const dates = 'LastEditDate="2021-02-26T03:31:15.027" LastActivityDate="2021-11-15T21:15:29.713"'
  const common = `CreationDate="2008-07-31T21:42:52.667" Score="${id % 90}" Body="${body}" OwnerUserId="8" ${dates}`
  const title = pick().slice(0, 60).trim()
  return id % 5 < 2
    ? `  <row Id="${id}" PostTypeId="1" ${common} ViewCount="70" Title="${title}" Tags="&lt;c#&gt;&lt;.net&gt;" AnswerCount="3" />\n`
    : `  <row Id="${id}" PostTypeId="2" ParentId="${id - 1}" ${common} CommentCount="0" />\n`
}
