import {readFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Row} from '../data/index.ts'
import {readStackExchange} from './read-stack-exchange.ts'
import {documentFixture, failureOf, inPieces, readAll, testFolder} from './test-folder.ts'

const folder = testFolder()
const context = {name: 'Posts.xml', fields: {fields: ['title', 'text']}, separator: '|'}
const row = '<row Id="1" PostTypeId="1" Title="A title" Body="b" Tags="&lt;c#&gt;" />'

async function read(content: string | Uint8Array, pieceSize = 1_000_000): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of readStackExchange(inPieces(Buffer.from(content), pieceSize), context)) rows.push(...batch)
  return rows
}

async function errorOf(content: string | Uint8Array): Promise<string> {
  const messages = new Set<string>()
  for (const size of [1, 7, 1_000_000]) {
    const error = await failureOf(() => read(content, size))
    expect(error.code).toBe('bad-document')
    messages.add(error.message)
  }
  expect(messages.size).toBe(1)
  return [...messages][0]
}

const questions = [
  {
    id: 4,
    title: 'How to convert Decimal to Double in C#?',
    text: 'I want to use a Track-Bar to change a Form\'s opacity.\n\nThis is my code: trans < 5000 & more\n\n\nWhen I build it, I get — 😀:\n\nCannot implicitly convert "decimal" to double.\n',
    tags: ['c#', 'floating-point', 'type-conversion']
  },
  {
    id: 11,
    title: 'Calculate relative time 🕰 in <C#>',
    text: 'Given a DateTime, how do I show "2 hours ago"?\n\n',
    tags: ['c#', 'unit-testing']
  },
  {id: 19, title: 'An unopened question', text: undefined, tags: undefined}
]

function shown(rows: readonly Row[]): unknown[] {
  return rows.map(({id, text, tags}) => ({id, title: text.get('title'), text: text.get('text'), tags}))
}

test('readStackExchange(...) reads the questions of a dump, and neither answers nor deleted posts nor tag wikis', async () => {
  expect(shown(await readAll(documentFixture('Posts.xml')))).toEqual(questions)
})

test('readStackExchange(...) gives the same rows however the bytes are cut', async () => {
  const bytes = readFileSync(documentFixture('Posts.xml'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({min: 0, max: bytes.length}), {maxLength: 40}), async cuts => {
      const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
      async function* pieces() {
        for (let at = 1; at < places.length; at++) yield bytes.subarray(places[at - 1], places[at])
      }
      const rows: Row[] = []
      for await (const batch of readStackExchange(pieces(), context)) rows.push(...batch)
      expect(shown(rows)).toEqual(questions)
    })
  )
  for (const size of [1, 2, 3, 5]) expect(shown(await read(bytes, size))).toEqual(questions)
})

test('readStackExchange(...) gives score, views and year to those who ask for numbers', async () => {
  const numbers = [
    {field: 'score', width: 100},
    {field: 'views', width: 1000},
    {field: 'year', width: 1}
  ]
  const rows = await readAll(documentFixture('Posts.xml'), {fields: ['title'], numbers})
  expect(rows[0].features.map(feature => feature.split(':')[0])).toEqual(['score', 'views', 'year'])
  expect(rows[0].features[2]).toContain('2008')
})

test('readStackExchange(...) reads gzip, and any name with `format`', async () => {
  const path = folder.file('posts.gz', gzipSync(`<posts>${row}</posts>`))
  expect(await readAll(path, {format: 'stackexchange'})).toHaveLength(1)
  expect(await readAll(folder.file('a.xml.gz', gzipSync(`<posts>${row}</posts>`)))).toHaveLength(1)
})

test.each([
  ['&lt;c#&gt;&lt;.net&gt;', ['c#', '.net']],
  ['|c#|.net|', ['c#', '.net']],
  ['|c++|', ['c++']],
  ['', []]
])('readStackExchange(...) reads the tags %j', async (tags, expected) => {
  const [{tags: found}] = await read(`<posts><row Id="1" PostTypeId="1" Title="t" Tags="${tags}"/></posts>`)
  expect(found).toEqual(expected)
})

test.each(['c#', '&lt;c#', '&lt;&gt;', '|', '||', '|a||b|', '&lt;a|b&gt;', '&lt;a&gt; &lt;b&gt;', '|a', '|a&gt;b|'])(
  'readStackExchange(...) refuses the tags %j',
  async tags => {
    expect(await errorOf(`<posts>\n<row Id="1" PostTypeId="1" Title="t" Tags="${tags}"/>\n</posts>`)).toMatch(
      /^Posts\.xml:2: the row has the Tags ".*"; expected tags such as <c#><unit-testing> or \|c#\|unit-testing\|; /
    )
  }
)

test.each([
  ['PostTypeId="1" Title="t"', 'Id nothing; expected a number'],
  ['Id="x" PostTypeId="1"', 'Id "x"; expected a whole number'],
  ['Id="1"', 'PostTypeId nothing; expected a number'],
  ['Id="1" PostTypeId="question"', 'PostTypeId "question"; expected a whole number'],
  ['Id="1" PostTypeId="1" Title="t" Body="" Score="1.5"', 'Score "1.5"; expected a whole number'],
  ['Id="1" PostTypeId="1" Title="t" Body="" ViewCount=""', 'ViewCount ""; expected a whole number'],
  [
    'Id="1" PostTypeId="1" Title="t" Body="" CreationDate="31/7/2008"',
    'CreationDate "31/7/2008"; expected a date such as'
  ]
])('readStackExchange(...) refuses a row with %s', async (attributes, problem) => {
  expect(await errorOf(`<posts>\n${row}\n\n<row ${attributes} />\n</posts>`)).toContain(
    `Posts.xml:4: the row has the ${problem}`
  )
})

test.each([
  ['<users><row Id="1"/></users>', 1, 'this is not a Stack Exchange Posts.xml; its first element is <users> where'],
  ['{"id": 1}', 1, 'this is not a Stack Exchange Posts.xml ('],
  ['\n\n', 3, 'this is not a Stack Exchange Posts.xml ('],
  [`<posts>\n${row}\n`, 3, 'the file ends too early ('],
  [`<posts>\n${row}\n  <row Id="2" PostTy`, 3, 'the file ends too early ('],
  [`<posts>\n${row}\n  <row Id="2" Body="&l`, 3, 'the file ends too early ('],
  [`<posts>\n${row}\n<row Id="2" Body="a < b" /></posts>`, 3, 'not valid XML: disallowed character'],
  [`<posts>\n<row Id="2" Id="3" /></posts>`, 2, 'not valid XML: '],
  [`<posts>\n<row Id=2 /></posts>`, 2, 'not valid XML: '],
  [`<posts>\n<row Id="2" Body="&nbsp;" /></posts>`, 2, 'not valid XML: '],
  [`<posts>\n<row Id="2" Body="&#0;" /></posts>`, 2, 'not valid XML: '],
  [`<posts>\n<row Id="2" Body="\u0001" /></posts>`, 2, 'not valid XML: '],
  [`<posts>\n</post>`, 2, 'not valid XML: '],
  [`<posts>${row}</posts>\n<posts>${row}</posts>`, 2, 'not valid XML: '],
  [`<posts>\n<user Id="1"/></posts>`, 2, '<user> stands among the posts; a Posts.xml holds <row> elements'],
  [`<posts>\n<row Id="1" PostTypeId="2">\n<b/></row></posts>`, 3, '<b> stands inside a row; '],
  [`<posts>\n<row Id="1" PostTypeId="2">body</row></posts>`, 2, 'text stands outside the attributes of a row; '],
  [`<posts>\n<![CDATA[body]]></posts>`, 2, 'text stands outside the attributes of a row; ']
])('readStackExchange(...) refuses %j with line and reason', async (content, line, problem) => {
  expect(await errorOf(content)).toContain(`Posts.xml:${line}: ${problem}`)
})

test('readStackExchange(...) passes over a question whose title is empty', async () => {
  expect(await read(`<posts><row Id="1" PostTypeId="1" Title=" " Body="b"/>${row}</posts>`)).toHaveLength(1)
})

test('readStackExchange(...) names the line on which a row begins', async () => {
  const content = `<posts>\n\n<row\n Id="1"\n PostTypeId="x"\n/></posts>`
  expect(await errorOf(content)).toMatch(/^Posts\.xml:3: /)
  expect(await errorOf(Buffer.from(`<posts>\n${row}\n<row Id="\u00e9"/></posts>`, 'latin1'))).toMatch(
    /^Posts\.xml:3: not text in UTF-8/
  )
})

test('readStackExchange(...) refuses entities of a document type: nothing is expanded', async () => {
  const bomb = '<!DOCTYPE posts [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
  expect(await errorOf(`${bomb}\n<posts><row Id="1" PostTypeId="1" Title="&b;"/></posts>`)).toContain('not valid XML: ')
})

test('readStackExchange(...) refuses a row over 16 MB soon after that much was read', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  let given = 0
  async function* endless() {
    yield Buffer.from(`<posts>\n<row Id="2" PostTypeId="2" Body="`)
    for (;;) {
      yield piece
      if (++given === 10) yield Buffer.from(`" />\n<row Id="3" PostTypeId="2" Body="`)
    }
  }
  const error = await failureOf(async () => {
    for await (const _ of readStackExchange(endless(), context));
  })
  expect(error.message).toMatch(/^Posts\.xml:3: the row that begins here is over 16 MB; /)
  // Ten pieces in the row that ends, 16 in the other, and one that is too many.
  expect(given).toBe(26)
})

test('readStackExchange(...) finds no documents in an empty file or in one of answers alone', async () => {
  const empty = folder.file('empty.xml', '')
  const answers = folder.file('answers.xml', '<posts><row Id="1" PostTypeId="2" Body="b"/></posts>')
  for (const path of [empty, answers])
    expect((await failureOf(() => readAll(path))).message).toContain(`${path}: the file holds no documents`)
})
