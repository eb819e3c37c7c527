import {spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {afterAll, expect, test} from 'vitest'
import {arff} from './arff.ts'
import {linesOf} from './lines.ts'
import {matrixMarket} from './matrix-market.ts'
import {stackExchange} from './stack-exchange.ts'
import {wrench, wrenchClasses} from './wrench.ts'

const folder = mkdtempSync(join(tmpdir(), 'adfa-convert-'))
afterAll(() => rmSync(folder, {recursive: true}))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/documents/${name}`, import.meta.url))
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return JSON.parse(JSON.stringify(found)) as T[]
}

async function failureOf(items: AsyncIterable<unknown>): Promise<string> {
  return all(items).then(
    () => expect.unreachable('it should have been refused'),
    (error: Error) => error.message.replace(`${folder}/`, '')
  )
}

const QUESTIONS = [
  {
    id: 4,
    title: 'How to convert Decimal to Double in C#?',
    text: 'I want to use a Track-Bar to change a Form\'s opacity.\n\nThis is my code: trans < 5000 & more\n\n\nWhen I build it, I get — 😀:\n\nCannot implicitly convert "decimal" to double.\n',
    tags: ['c#', 'floating-point', 'type-conversion'],
    score: 794,
    views: 70662,
    year: 2008
  },
  {
    id: 11,
    title: 'Calculate relative time 🕰 in <C#>',
    text: 'Given a DateTime, how do I show "2 hours ago"?\n\n',
    tags: ['c#', 'unit-testing'],
    score: -1,
    views: 196145,
    year: 2009
  },
  {id: 19, title: 'An unopened question'}
]

test('linesOf(...) gives the lines of any text, plain or in gzip, with their numbers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({unit: fc.constantFrom('a', 'é', '😀', ' ')})), async lines => {
      const text = lines.map(line => `${line}\n`).join('')
      for (const path of [file('lines', text), file('lines.gz', gzipSync(text))])
        expect(await all(linesOf(path))).toEqual(lines.map((line, at) => ({text: line, where: `${path}:${at + 1}`})))
    }),
    {numRuns: 20}
  )
  expect(await failureOf(linesOf(file('latin1', Buffer.from('a\nfi\xe8vre\n', 'latin1'))))).toMatch(/not text in UTF-8/)
})

test('stackExchange(...) gives the questions of a dump, and no answers, deleted posts or tag wikis', async () => {
  expect(await all(stackExchange(fixture('Posts.xml')))).toEqual(QUESTIONS)
})

test.each([
  ['<row Id="1" PostTypeId="1" Title="a" Score="many" />', 'Score "many"'],
  ['<row PostTypeId="1" Title="a" />', 'Id nothing'],
  ['<row Id="1" PostTypeId="1" Title="a" Tags="c# java" />', 'Tags "c# java"'],
  ['<row Id="1" PostTypeId="1" Title="a" CreationDate="today" />', 'CreationDate "today"'],
  ['<row Id="1" PostTypeId="1" Title="a & b" />', '& is not a character'],
  ['<row Id="1" PostTypeId="1" Title="a"', 'not a whole <row'],
  ['<user Id="1" />', 'not a whole <row']
])('stackExchange(...) refuses %s', async (row, problem) => {
  const message = await failureOf(stackExchange(file('x.xml', `<posts>\n${row}\n</posts>\n`)))
  expect([message.slice(0, 8), message]).toEqual(['x.xml:2:', expect.stringContaining(problem)])
})

test('stackExchange(...) refuses what is not a dump, and one that is cut short', async () => {
  expect(await failureOf(stackExchange(file('x.xml', '<users>\n</users>\n')))).toMatch(/^x\.xml:1: not a Posts\.xml/)
  expect(await failureOf(stackExchange(file('x.xml', '<posts>\n')))).toMatch(/does not end with <\/posts>/)
})

test('a converter is a program: Kaggle tables give the questions that the dump gives', () => {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const [{id, title, tags = []}] = QUESTIONS
  const table = `Id,Title,Body,Tags\n${[String(id), title, '<p>a &lt; b</p>', tags.join(' ')].map(cell).join(',')}\n`
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), ...args], {encoding: 'utf8', input: table})
  const program = fileURLToPath(new URL('./kaggle.ts', import.meta.url))
  const done = run(program, '-')
  expect(done.stderr).toBe('')
  expect(JSON.parse(done.stdout)).toEqual({id: String(id), title, text: 'a < b\n', tags})
  expect(run(program)).toMatchObject({status: 2, stderr: expect.stringContaining('usage: npx tsx')})
  const other = run(program, file('other.csv', 'a,b\n1,2\n'))
  expect(other).toMatchObject({status: 1, stderr: expect.stringContaining('expected Id,Title,Body,Tags')})
})

test('matrixMarket(...) gives rows in order, empty ones too, and binary values however they are written', async () => {
  const rows = [
    {id: 1, features: ['1', '3']},
    {id: 2, features: []},
    {id: 3, features: ['4']}
  ]
  const entries = '3 4\n1 3\n1 1\n'
  const plain = `%%MatrixMarket matrix coordinate pattern general\n% a comment\n3 4 3\n${entries}`
  expect(await all(matrixMarket(file('x.mtx', plain)))).toEqual(rows)
  const real = `%%MatrixMarket matrix coordinate real general\n3 4 4\n${entries.replaceAll('\n', ' 1e0\n')}2 2 0.0\n`
  expect(await all(matrixMarket(file('x.mtx', real)))).toEqual(rows)
})

test.each([
  ['1 1\n', 'x.mtx:1:'],
  ['%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 3\n', 'x.mtx:3: the value is 3'],
  ['%%MatrixMarket matrix coordinate pattern general\n1 1 1\n2 1\n', 'x.mtx:3: row 2, column 1 is outside'],
  ['%%MatrixMarket matrix coordinate pattern general\n1 1 2\n1 1\n1 1\n', 'x.mtx:4: row 1, column 1 is there twice'],
  ['%%MatrixMarket matrix coordinate pattern general\n1 1 2\n1 1\n', 'x.mtx: 1 entries']
])('matrixMarket(...) refuses %j', async (content, message) => {
  expect(await failureOf(matrixMarket(file('x.mtx', content)))).toContain(message)
})

test('wrench(...) gives documents with votes; what they say is that of the file', async () => {
  const documents = await all(wrench(fixture('wrench/train.json')))
  const classes = wrenchClasses(fixture('wrench/train.json'))
  const entries = JSON.parse(readFileSync(fixture('wrench/train.json'), 'utf8')) as Record<string, Wrench>
  for (const {id, tags, votes, text} of documents) {
    const {label, weak_labels, data} = entries[id]
    expect([tags, text]).toEqual([label === -1 ? undefined : [classes[label]], data.text])
    expect(weak_labels.map((_, at) => votes[`lf${at}`])).toEqual(weak_labels.map(vote => classes[vote]))
  }
  expect(documents).toHaveLength(Object.keys(entries).length)
  file('label.json', '{"0": "no", "1": "yes"}')
  const odd = {0: {label: 1, weak_labels: [2], data: {}}}
  expect(await failureOf(wrench(file('odd.json', JSON.stringify(odd))))).toMatch(/there is no class 2/)
})

interface Wrench {
  readonly label: number
  readonly weak_labels: readonly number[]
  readonly data: {readonly text: string}
}

const MEKA = `% medical, an excerpt
@RELATION 'Notes: -C 2 -split-number 3'
@Attribute pain {0,1}
@attribute 'heart attack' {0,1}   % the second label
@ATTRIBUTE "isn't" numeric
@attribute sex {M,'F \\'x\\'',"?"}
@attribute age real
@attribute note string
@DATA
`

test('arff(...) reads labels as MEKA counts them, features by name and value, and fields', async () => {
  const rows = `1,0,1,M,47,'a, b'\n\n% a comment\n0,\t0, 1.0 ,'F \\'x\\'',1,"?" % end\n?,0,?,'?',?,?\n`
  expect(await all(arff(file('x.arff', MEKA + rows), ['--fields', 'age']))).toEqual([
    {id: 1, age: 47, note: 'a, b', features: ["isn't", 'sex:M'], tags: ['pain']},
    {id: 2, age: 1, note: '?', features: ["isn't", "sex:F 'x'"], tags: []},
    {id: 3, features: ['sex:?'], labels: {'heart attack': false}}
  ])
})

test('arff(...) reads sparse rows, in which the first value of an attribute is omitted, and listed labels', async () => {
  const rows = await all(arff(fixture('notes.arff'), ['--labels', fixture('notes.xml')]))
  expect(rows).toEqual([
    {id: 1, features: ['chest', 'sharp'], tags: ['cardiac', 'pain']},
    {id: 2, features: ['etoh'], tags: ['alcohol']},
    {id: 3, features: ['routine'], tags: []}
  ])
  const first = '@relation x\n@attribute a {1,0}\n@attribute b numeric\n@data\n{}\n{0 0}\n'
  expect(await all(arff(file('x.arff', first), []))).toMatchObject([{features: ['a']}, {features: []}])
})

test.each([
  ['0,0,1,M,47,x', '"age" is 47, neither 0 nor 1'],
  ['0,0,1,M,0', 'the row has 5 values for 6 attributes'],
  ['2,0,1,M,0,x', 'the label "pain" is 2'],
  ['0,0,1,X,0,x', '"sex" is "X"'],
  ["0,0,1,M,0,'x", 'a quote is never closed'],
  ['{3 M, 1 0}', 'the index 1'],
  ['{0 1}, {2}', 'without a weight']
])('arff(...) refuses the row %s', async (row, problem) => {
  const message = await failureOf(arff(file('x.arff', `${MEKA}${row}\n`), []))
  expect([message.slice(0, 10), message]).toEqual(['x.arff:10:', expect.stringContaining(problem)])
})

test('arff(...) refuses a file without @data, and labels or fields that are not attributes', async () => {
  expect(await failureOf(arff(file('x.arff', '@relation x\n'), []))).toMatch(/without a line @data/)
  const data = '@relation x\n@attribute a numeric\n@data\n1\n'
  const labels = file('x.xml', '<labels><label name="b"></label></labels>')
  expect(await failureOf(arff(file('x.arff', data), ['--labels', labels]))).toMatch(/label "b" is not an attribute/)
  expect(await failureOf(arff(file('x.arff', data), ['--fields', 'b']))).toMatch(/no attribute "b"/)
})
