import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Row} from '../data/index.ts'
import {failureOf, inPieces, readAll, refusalOf, testFolder} from '../files/test-folder.ts'
import {type CsvRecord, csvRecords, readCsv} from './read-csv.ts'

const folder = testFolder()

/** The message of the error that the content ends with. */
const errorOf = (content: string | Uint8Array) =>
  refusalOf(async () => {
    for await (const _ of readCsv(inPieces(Buffer.from(content), 1000), {name: 'x.csv', fields: {text: ['text']}}));
  })

const anyText = fc.oneof(
  fc.string({unit: 'binary'}),
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', '', '🍺', '"', 'a,b', 'a\tb', 'a\r\nb', '[', ' ', '|')
)
const anyList = fc.array(anyText, {maxLength: 4})
const anyNote = fc.record({
  id: fc.string({minLength: 1}),
  title: anyText,
  text: anyText,
  features: anyList,
  tags: anyList
})
const anyNotes = fc.array(anyNote, {minLength: 1, maxLength: 10})

function quoted(cell: unknown): string {
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
  return `"${text.replaceAll('"', '""')}"`
}

/** Notes as a table, all of its cells in quotes, lists as JSON. */
function toTable(notes: readonly object[], separator: string): string {
  const rows = [Object.keys(notes[0]), ...notes.map(note => Object.values(note))]
  return rows.map(cells => cells.map(quoted).join(separator)).join('\n')
}

test('documents written as JSON Lines, CSV and TSV are read as the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(anyNotes, async notes => {
      const rows = await readAll(folder.file('a.jsonl', notes.map(note => `${JSON.stringify(note)}\n`).join('')))
      expect(rows.map(row => [row.id, row.text.get('title'), row.text.get('text'), row.features, row.tags])).toEqual(
        notes.map(({id, title, text, features, tags}) => [id, title, text, features, tags])
      )
      expect(await readAll(folder.file('a.csv', toTable(notes, ',')))).toEqual(rows)
      expect(await readAll(folder.file('a.tsv', toTable(notes, '\t')))).toEqual(rows)
    })
  )
})

test.each<[string, string, object, readonly Partial<Row>[]]>([
  [
    'lists: separated, trimmed, JSON or empty',
    'tags,features\n a | b|c ,x\n,\n"[""a|b"", ""c""]",||y|\n',
    {},
    [
      {tags: ['a', 'b', 'c'], features: ['x']},
      {tags: [], features: []},
      {tags: ['a|b', 'c'], features: ['y']}
    ]
  ],
  ['lists by another separator', 'features\na;b c', {separator: ';'}, [{features: ['a', 'b c']}]],
  [
    'every list by its own',
    'a,b,tags\n"x,y","x;y,z",p|q\n',
    {text: [], list: ['a', 'b:;'], separator: ',', tagSeparator: '|'},
    [{features: ['a:x', 'a:y', 'b:x', 'b:y,z'], tags: ['p', 'q']}]
  ],
  [
    'labels as an object of JSON, and an empty id as none',
    ' id ,text,labels\n,x,"{""a"": true}"\n7,y,\n',
    {},
    [
      {id: undefined, labels: new Map([['a', true]])},
      {id: '7', labels: undefined}
    ]
  ],
  [
    'categories, numbers and lists, and an empty cell as nothing',
    'sex,age,drugs\nM,47,Naloxone|Albuterol sulfate\n,,\nF,4.5,"[""a|b""]"\n',
    {text: [], category: ['sex'], number: ['age:10'], list: ['drugs']},
    [
      {features: ['sex:m', 'age:40-50', 'drugs:naloxone', 'drugs:albuterol sulfate']},
      {features: []},
      {features: ['sex:f', 'age:0-10', 'drugs:a|b']}
    ]
  ]
])('readCsv(...) reads %s', async (_, content, options, rows) => {
  expect(await readAll(folder.file('cells.csv', content), options)).toMatchObject(rows)
})

test.each<[string | Uint8Array, RegExp]>([
  [
    'id,text\n1,a\n\n"2\n",b,c\n',
    /^x\.csv:4: .* has 3 cells; the first line names 2 columns \(id, text\).* in quotes$/
  ],
  ['id,text\n1\n', /^x\.csv:2: the record that begins here has 1 cell; /],
  ['id,,text\n', /^x\.csv:1: column 2 has no name; /],
  ['id,text, id\n', /^x\.csv:1: two columns are named "id"; /],
  ['Notes of 2024\nid,text\n', / can be used \(delete what is above .*; the columns are Notes of 2024; /],
  ['text,tags\na,\nb,[1 draft\n', /^x\.csv:3: the cell "tags" is not valid JSON; .*separated by \|; got \[1 draft/],
  ['text,tags\nb,[1]\n', /^x\.csv:2: .*field "tags" has an entry that is not a string/],
  [`${'a,'.repeat(1_000_000)}b\n`, /^x\.csv:1: the table has 1,000,001 columns; at most 1,000,000 can be read; /],
  ['a;text\n1;x, y, z\n2;"b" c\n', /^x\.csv:3: .* text after a closing quote/],
  ['a,text\n"x\ny",z\n1,"never\nclosed\n', /^x\.csv:4: .* a quote that is never closed; .* must end with "$/],
  ['a,text\n"x"y,z\n', /^x\.csv:2: .* text after a closing quote; .* twice, as ""/],
  [Buffer.from('text\n"b\n\xff"\n', 'latin1'), /^x\.csv:3: not text in UTF-8/],
  ['id,words\n1,a\n', /^x\.csv:1: none of the columns can be used; .*the columns are id, words/]
])('readCsv(...) refuses %.50j with line, rule and way out', async (content, message) => {
  expect(await errorOf(content)).toMatch(message)
})

test('readCsv(...) reads 300,000 columns, for which comparing every name with every other would take minutes', async () => {
  const names = Array.from({length: 300_000}, (_, at) => `column ${at}`)
  const rows: Row[] = []
  const content = `text,${names.join(',')}\nfever,${names.map(() => '1').join(',')}\n`
  const context = {name: 'x.csv', fields: {text: ['text']}, separator: '|'}
  for await (const batch of readCsv(inPieces(Buffer.from(content), 1 << 20), context)) rows.push(...batch)
  expect(rows.map(({text}) => text.get('text'))).toEqual(['fever'])
})

/** All documents of a file, and what was noted. */
async function readNoted(name: string, content: string | Uint8Array, options: Parameters<typeof readAll>[1] = {}) {
  const notes: string[] = []
  const path = folder.file(name, content)
  const rows = await readAll(path, {...options, onNote: note => notes.push(note.slice(path.length + 2))})
  return {rows, notes}
}

test.each([
  ['semicolons', ';', ['cells are separated by semicolons']],
  ['tabs', '\t', ['cells are separated by tabs']],
  ['commas', ',', []]
])('readCsv(...) recognises %s in the first line, outside quotes', async (name, separator, noted) => {
  const lines = ['"Patient, ID; nr"|Text|Tags', '7|"a, b; c\td\nsecond ""line"""|x', '8|plain|']
  const content = `\ufeff${lines.map(line => line.replaceAll('|', separator)).join('\r\n')}\r\n`
  const {rows, notes} = await readNoted(`${name}.csv`, content, {id: 'Patient, ID; nr'})
  expect(rows.map(({id, text, tags}) => [id, text.get('text'), tags])).toEqual([
    ['7', 'a, b; c\td\nsecond "line"', ['x']],
    ['8', 'plain', []]
  ])
  expect(notes).toEqual(noted)
})

test('readCsv(...) takes the separator of a first line sep=, and counts lines with it', async () => {
  for (const [first, separator] of [
    ['sep=;', ';'],
    ['SEP=|', '|'],
    ['\ufeffsep=,', ','],
    ['sep=\t', '\t']
  ]) {
    const {rows} = await readNoted('sep.csv', `${first}\r\nid,text\n1,a\n`.replaceAll(/(?<!=),/g, separator))
    expect(rows.map(({id, text}) => [id, text.get('text')])).toEqual([['1', 'a']])
  }
  const short = readNoted('short.csv', 'sep=;\nid;text\n1;a\n2\n')
  expect((await failureOf(() => short)).message).toContain('short.csv:4: the record that begins here has 1 cell')
})

const SEMICOLONS = 'cells are separated by semicolons'

/** The separator of a table, its column of numbers, what they become, and what is noted last. */
const numbers: readonly [string, string, readonly string[], readonly (string | undefined)[], string | undefined][] = [
  [
    'decimal commas where cells are not separated by commas',
    ';',
    ['12,5', ' -1,25 ', '1.234,5', '7', '6.5', '', '1,5E3'],
    ['12.5-13', '-1.5..-1', '1234.5-1235', '7-7.5', '6.5-7', undefined, '1500-1500.5'],
    't has numbers such as 12,5, read as 12.5'
  ],
  ['a decimal comma in quotes', ',', ['12,5'], ['12.5-13'], 't has numbers such as 12,5, read as 12.5'],
  [
    '1.234 as decimals where no cell shows a comma',
    ';',
    ['1.234', '12', '2.5'],
    ['1-1.5', '12-12.5', '2.5-3'],
    SEMICOLONS
  ],
  [
    'points between thousands where any cell has a decimal comma',
    ';',
    ['1.234', '9.414,10', '2.000.000'],
    ['1234-1234.5', '9414-9414.5', '2000000-2000000.5'],
    't has numbers such as 1.234, read as 1234'
  ],
  [
    'commas between thousands',
    ',',
    ['1,234.5', '-1,234', '12,000,000'],
    ['1234.5-1235', '-1234..-1233.5', '12000000-12000000.5'],
    't has numbers such as 1,234.5, read as 1234.5'
  ],
  [
    'commas between thousands where no cell shows decimals',
    ',',
    ['5', '1,234'],
    ['5-5.5', '1234-1234.5'],
    't has numbers such as 1,234, read as 1234'
  ],
  [
    'numbers with a unit',
    ';',
    ['6,50 €', '23,4 %', '-£3', '$ 1.5', '5 mg'],
    ['6.5-7', '23-23.5', '-3..-2.5', '1.5-2', undefined],
    "1 cell of t is not a number, such as '5 mg': read as missing"
  ],
  [
    'other cells as missing',
    ';',
    ['36,3', 'n. b.', '', '4', '<0,6', '7.5', '2'],
    ['36-36.5', undefined, undefined, '4-4.5', undefined, '7.5-8', '2-2.5'],
    "2 cells of t are not numbers, such as 'n. b.': read as missing"
  ]
]

test.each(numbers)('readCsv(...) reads %s', async (_, separator, cells, bins, note) => {
  const lines = cells.map(cell => `a${separator}${separator === ',' ? quoted(cell) : cell}`)
  const content = [`text${separator}T`, ...lines].join('\n')
  const {rows, notes} = await readNoted('numbers.csv', content, {number: ['t:0.5']})
  expect(rows.map(({features}) => features[0])).toEqual(bins.map(bin => bin && `t:${bin}`))
  expect(notes.at(-1)).toBe(note)
})

test('readCsv(...) refuses a number that shows that earlier ones, beyond which nothing was looked at, were read wrongly', async () => {
  const late = ['text;t', 'a;1.234', ...Array.from({length: 30_000}, () => 'a;1'), 'a;1.200,5'].join('\n')
  const read = () => readNoted('late.csv', late, {number: ['t:1']})
  expect(await refusalOf(read)).toMatch(/late\.csv:30003: field "t" has the number 1\.200,5, by which 1\.234 above/)
  expect((await readNoted('early.csv', late.replace('1.234', '0,5'))).rows).toHaveLength(30_002)
})

test('readCsv(...) drops what separators at the ends of lines and of the table would be', async () => {
  const {rows} = await readNoted('open.csv', 'id;text;\n1;a;\n;;\n2;b;\n3;c\n;;\n ; ;\n')
  expect(rows.map(({id, text}) => [id, text.get('text')])).toEqual([
    ['1', 'a'],
    [undefined, ''],
    ['2', 'b'],
    ['3', 'c']
  ])
  expect(await errorOf('id;text;\n1;a;x\n')).toMatch(/^x\.csv:2: .* has 3 cells; the first line names 2 columns/)
})

test.each(['csv', 'tsv', 'jsonl'])('lines of .%s may end with carriage returns alone', async ending => {
  const tab = ending === 'tsv' ? '\t' : ','
  const table = ['id,text', '1,a', '2,b'].map(line => `${line.replace(',', tab)}\r`)
  const lines = ending === 'jsonl' ? ['{"id":"1","text":"a"}\r', '{"id":"2","text":"b"}'] : table
  const {rows, notes} = await readNoted(`old.${ending}`, lines.join(''))
  expect(rows.map(({id, text}) => [id, text.get('text')])).toEqual([
    ['1', 'a'],
    ['2', 'b']
  ])
  expect(notes[0]).toBe('lines end with carriage returns')
})

test('readCsv(...) refuses a column of numbers that holds mostly something else', async () => {
  const words = () => readNoted('words.csv', 'text,crp\na,5\nb,high\nc,low\n', {number: ['crp:1']})
  expect(await refusalOf(words)).toMatch(/words\.csv:3: field "crp" is not a number, here and in 2 of 3 cells/)
})

async function cut(content: string | Uint8Array, pieceSize = 1_000_000, separator = ','): Promise<CsvRecord[]> {
  const records: CsvRecord[] = []
  const pieces = inPieces(Buffer.from(content), pieceSize)
  for await (const batch of csvRecords(pieces, separator.charCodeAt(0), 'x.csv')) records.push(...batch)
  return records
}

const awkwardText = fc.string({unit: fc.constantFrom('a', 'é', '🍺', '"', ',', '\t', '\n', '\r', ' '), maxLength: 6})
const anyTable = fc
  .integer({min: 1, max: 4})
  .chain(width => fc.array(fc.array(awkwardText, {minLength: width, maxLength: width}), {maxLength: 6}))

test('csvRecords(...) gives back the cells that were written, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyTable,
      fc.constantFrom(',', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({min: 1, max: 9}),
      fc.boolean(),
      async (table, separator, end, size, endsWithLine) => {
        const text = table.map(cells => cells.map(quoted).join(separator)).join(end) + (endsWithLine ? end : '')
        const records = await cut(text, size, separator)
        expect(records.map(record => record.cells)).toEqual(table)
        let line = 1
        for (const [index, cells] of table.entries()) {
          expect(records[index].line).toBe(line)
          line += 1 + cells.join('').split('\n').length - 1
        }
      }
    ),
    {numRuns: 300}
  )
})

test('csvRecords(...) gives the same records or the same error for any bytes in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(awkwardText, awkwardText, fc.integer({min: 1, max: 5}), async (start, rest, size) => {
      const outcome = (pieceSize: number) => cut(start + rest, pieceSize).catch(error => error.message)
      expect(await outcome(size)).toEqual(await outcome(1000))
    }),
    {numRuns: 1000}
  )
})

test('csvRecords(...) takes cells without quotes as they are, counts and skips empty lines, and drops a byte order mark', async () => {
  for (const size of [1, 2, 3, 100]) expect(await cut('\ufeff"a",b', size)).toEqual([{line: 1, cells: ['a', 'b']}])
  expect(await cut('\ufeffa, b ,5" pipe\r\n\r\n\n,,\nlast')).toEqual([
    {line: 1, cells: ['a', ' b ', '5" pipe']},
    {line: 4, cells: ['', '', '']},
    {line: 5, cells: ['last']}
  ])
})

test('csvRecords(...) refuses a record over 16 MB without reading on, in linear time', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a\n"')
    for (;;) yield piece
  }
  const piece = Buffer.alloc(8_000_000, 'x')
  const work = async () => {
    for await (const _ of csvRecords(endless(), 44, 'x.csv'));
  }
  expect(await refusalOf(work)).toMatch(/^x\.csv:2: the line that begins here is over 16 MB; .* every quote is closed/)
})
