import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Row, RowFields} from '../data/index.ts'
import {readArff} from './read-arff.ts'
import {documentFixture, failureOf, inPieces, readAll, testFolder} from './test-folder.ts'

const folder = testFolder()
const fields = {fields: ['title', 'text']}

async function rowsOf(content: string, asked: RowFields = fields): Promise<Row[]> {
  return readAll(folder.file('x.arff', content), asked)
}

async function briefOf(content: string, asked?: RowFields): Promise<unknown[]> {
  return (await rowsOf(content, asked)).map(({features, tags}) => (tags === undefined ? features : [features, tags]))
}

async function errorOf(content: string, asked?: RowFields): Promise<string> {
  const error = await failureOf(() => rowsOf(content, asked))
  return error.message.replace(folder.path, '')
}

/** Weka's quoting. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
}

const meka = `% medical, an excerpt
@RELATION 'Notes: -C 2 -split-number 3'

@Attribute pain {0,1}
@attribute 'heart attack' {0,1}   % the second label
@ATTRIBUTE "isn't" numeric
@attribute sex {M,'F \\'x\\'',"?"}
@attribute fever REAL
@attribute note string
@attribute seen date 'yyyy-MM-dd'
@DATA
`

test('readArff(...) reads labels as MEKA counts them, features by name, and numbers rows', async () => {
  const rows = await rowsOf(
    `${meka}1,0,1,M,0,'a, b',?\n\n% a comment\n0,\t0, 1.0 ,'F \\'x\\'',1,"?",2020-01-01 % end\n?,0,?,'?',?,?,?\n`
  )
  expect(rows).toEqual([
    {id: 1, text: new Map(), features: ["isn't", 'sex:M'], tags: ['pain'], labels: undefined},
    {id: 2, text: new Map(), features: ["isn't", "sex:F 'x'", 'fever'], tags: [], labels: undefined},
    {id: 3, text: new Map(), features: ['sex:?'], tags: undefined, labels: new Map([['heart attack', false]])}
  ])
})

test('readArff(...) takes a negative count of labels from the end, and none as not said', async () => {
  const data = '@attribute a {0,1}\n@attribute b {0,1}\n@attribute c numeric\n@data\n1,1,1\n0,1,0\n'
  expect(await briefOf(`@relation 'x: -C -1'\n${data}`)).toEqual([
    [['a', 'b'], ['c']],
    [['b'], []]
  ])
  expect(await briefOf(`@relation x-C 1\n${data}`)).toEqual([['a', 'b', 'c'], ['b']])
  expect(await errorOf(`@relation 'x: -C 4'\n${data}`)).toMatch(
    /^\/x\.arff: .*4 attributes are labels \(-C 4\); .*only 3/
  )
})

test('readArff(...) reads the labels that an XML file beside it lists, nested ones too', async () => {
  const rows = await readAll(documentFixture('notes.arff'))
  expect(rows.map(({features, tags}) => ({features, tags}))).toEqual([
    {features: ['chest', 'sharp'], tags: ['cardiac', 'pain']},
    {features: ['etoh'], tags: ['alcohol']},
    {features: ['routine'], tags: []}
  ])
})

test('readArff(...) refuses an XML file that is something else, or of other data', async () => {
  const path = folder.file('y.arff', '@relation y\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0\n')
  const failure = async (xml: string) => {
    folder.file('y.xml', xml)
    const error = await failureOf(() => readAll(path))
    expect(error.code).toBe('bad-file')
    return error.message.replaceAll(folder.path, '')
  }
  expect(await failure('<posts>\n</posts>')).toMatch(/^\/y\.xml:1: <posts> is not expected here; .*move it elsewhere/)
  expect(await failure('<labels>\n<row/></labels>')).toMatch(/^\/y\.xml:2: <row> is not expected here; /)
  expect(await failure('<labels>\n<label/></labels>')).toMatch(/^\/y\.xml:2: a label has no name; /)
  expect(await failure('<labels>\n<label name="a">')).toMatch(/^\/y\.xml:2: not valid XML \(.*\); /)
  expect(await failure('<labels><label name="z"/></labels>')).toMatch(
    /^\/y\.xml: .*"z", which is not an attribute of \/y\.arff/
  )
  folder.file('y.xml', '<m:labels xmlns:m="http://mulan.sourceforge.net/labels"><m:label name="b"/></m:labels>')
  expect((await readAll(path))[0]).toMatchObject({features: ['a'], tags: []})
})

test('readArff(...) does not look at the XML file when the relation counts the labels', async () => {
  folder.file('z.xml', 'not XML')
  const path = folder.file('z.arff', "@relation 'z: -C 1'\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,1\n")
  expect((await readAll(path))[0]).toMatchObject({features: ['b'], tags: ['a']})
})

test('readArff(...) takes what a sparse row leaves out as 0 or the first value, as Weka does', async () => {
  const header = '@relation x\n@attribute a {1,0}\n@attribute b {red,green}\n@attribute c numeric\n@attribute d {0,1}\n'
  expect(await briefOf(`${header}@data\n{}\n{0 0}\n{ 1 green , 2 1}\n{0 ?,1 ?,3 1}\n`)).toEqual([
    ['a', 'b:red'],
    ['b:red'],
    ['a', 'b:green', 'c'],
    ['d']
  ])
  expect(await briefOf(`${header.replace(' x', " 'x: -C 1'")}@data\n{1 green}\n{0 0,1 green}\n`)).toEqual([
    [['b:green'], ['a']],
    [['b:green'], []]
  ])
})

test('readArff(...) reads a label that is missing as not known', async () => {
  const header = "@relation 'x: -C 2'\n@attribute a {no,YES}\n@attribute b {false,true}\n@attribute w {0,1}\n@data\n"
  const rows = await rowsOf(`${header}YES,?,1\n?,?,?\n{1 ?, 2 1}\nno,true,0\n`)
  expect(rows.map(({tags, labels, features}) => ({tags, labels, features}))).toEqual([
    {tags: undefined, labels: new Map([['a', true]]), features: ['w']},
    {tags: undefined, labels: undefined, features: []},
    {tags: undefined, labels: new Map([['a', false]]), features: ['w']},
    {tags: ['b'], labels: undefined, features: []}
  ])
})

test('readArff(...) reads the fields asked for, and the string attribute id', async () => {
  const header = `@relation x\n@attribute id string\n@attribute text string\n@attribute age numeric
@attribute sex {M,F}\n@attribute meds string\n@attribute title {0,1}\n@data\n`
  const asked = {...fields, categories: ['sex'], numbers: [{field: 'age', width: 10}], lists: ['meds']}
  const rows = await rowsOf(`${header}n1,'it\\'s\\n50\\% "\\u0041\\t\\\\"',47,F,'a|b',1\nn2,?,?,?,?,0\n{0 n3}\n`, asked)
  expect(rows).toEqual([
    {
      id: 'n1',
      text: new Map([['text', 'it\'s\n50% "A\t\\"']]),
      features: ['title', 'sex:f', 'age:40-50', 'meds:a', 'meds:b'],
      tags: undefined,
      labels: undefined
    },
    {id: 'n2', text: new Map(), features: [], tags: undefined, labels: undefined},
    {id: 'n3', text: new Map(), features: ['sex:m', 'age:0-10'], tags: undefined, labels: undefined}
  ])
})

test.each([
  ['1,0', /^\/x\.arff:6: the row has 2 values; there are 3 attributes, .*quotes/],
  ['1,,0,', /:6: the row has 2 values; /],
  ["1,0,'a", /:6: the quote ' at character 5 is never closed; .*\\'/],
  ['2,0,a', /:6: the attribute "n" has the value 2; .*0 \(absent\) or 1 .*`number` "n:10"/],
  ['x,0,a', /:6: the attribute "n" has the value x; /],
  ['1,0,c', /:6: the attribute "v" has the value "c"; its values are a, b/],
  ['1,2,a', /:6: the attribute "b" has the value "2"; its values are 0, 1/],
  ['{0 1', /:6: the sparse row is not whole; it is written \{index value/],
  ['{0 1 1}', /:6: the sparse row is not whole; /],
  ['{0 1}, {5}', /:6: the sparse row is not whole; .*without a weight/],
  ['{1 1, 0 1}', /:6: the sparse row has the index 0 after 1; indices are whole numbers from 0 to 2 and rise/],
  ['{1 1, 1 1}', /:6: the sparse row has the index 1 after 1; /],
  ['{3 1}', /:6: the sparse row has the index 3; /],
  ['{-1 1}', /:6: the sparse row has the index -1; /]
])('readArff(...) refuses the row %s', async (row, message) => {
  const header = '@relation x\n@attribute n numeric\n@attribute b {0,1}\n@attribute v {a,b}\n@data\n'
  expect(await errorOf(`${header}${row}\n`)).toMatch(message)
})

test.each([
  ['@attribute a {0,1}\n1,0\n', /^\/x\.arff:2: "1" is not known here; before the line @data/],
  ['@attribute a {0,1}\n', /^\/x\.arff:1: the file ends without a line @data; /],
  ['@relation x\n@data\n1\n', /:2: there is no @attribute line before @data; /],
  ['@attribute a {0,1\n@data\n1\n', /:1: the values of "a" do not end with \}; /],
  ['@attribute a relational\n@data\n1\n', /:1: the attribute "a" has the type relational; known are numeric/],
  ['@attribute a\n@data\n1\n', /:1: the attribute "a" has no type; /],
  ['@attribute {0,1}\n@data\n1\n', /:1: the attribute has no name; /],
  ['@attribute a {0,1}\n@attribute "a" real\n@data\n1,1\n', /:2: a second attribute is named "a"; /],
  [
    '@attribute a string\n@attribute id string\n@data\nx,y\n',
    /^\/x\.arff: none of the attributes can be used: a, id; .*`text`/
  ],
  [
    "@relation ': -C 1'\n@attribute a {0,1,2}\n@attribute b real\n@data\n1,1\n",
    /: the label "a" may have the value "2"; /
  ],
  [
    "@relation ': -C 1'\n@attribute a string\n@attribute b real\n@data\n1,1\n",
    /: the label "a" is of the type string; /
  ],
  [
    "@relation ': -C 1'\n@attribute a real\n@attribute b real\n@data\n.5,1\n",
    /:5: the label "a" has the value "\.5"; /
  ],
  ["@relation ': -C 1'\n@attribute a {0,1}\n@attribute b real\n@data\n2,1\n", /:5: the label "a" has the value "2"; /]
])('readArff(...) refuses the header %s', async (content, message) => {
  expect(await errorOf(content)).toMatch(message)
})

interface Table {
  readonly attributes: readonly {readonly name: string; readonly values: readonly string[] | undefined}[]
  readonly rows: readonly (readonly (string | undefined)[])[]
}

const table: fc.Arbitrary<Table> = fc
  .uniqueArray(fc.string({unit: 'grapheme', minLength: 1, maxLength: 6}), {minLength: 1, maxLength: 6})
  .chain(names => fc.tuple(...names.map(attributeOf)))
  .chain(attributes => {
    const cells = attributes.map(({values}) => fc.option(fc.constantFrom(...(values ?? ['0', '1'])), {nil: undefined}))
    return fc.record({
      attributes: fc.constant(attributes),
      rows: fc.array(fc.tuple(...cells), {minLength: 1, maxLength: 8})
    })
  })

function attributeOf(name: string): fc.Arbitrary<Table['attributes'][number]> {
  const values = fc.oneof(
    fc.constantFrom(['0', '1'], ['1', '0'], undefined),
    fc.uniqueArray(fc.string({unit: 'grapheme', maxLength: 4}), {minLength: 1, maxLength: 3})
  )
  return fc.record({name: fc.constant(name), values})
}

function headerOf({attributes}: Table): string {
  const types = attributes.map(({name, values}) => {
    return `@attribute ${quoted(name)} ${values === undefined ? 'numeric' : `{${values.map(quoted).join(',')}}`}`
  })
  return `@relation x\n${types.join('\n')}\n@data\n`
}

function denseOf({rows}: Table): string {
  return rows.map(row => row.map(cell => (cell === undefined ? '?' : quoted(cell))).join(',')).join('\n')
}

function sparseOf({attributes, rows}: Table): string {
  const lines = rows.map(row => {
    const cells = row.map((cell, at) => {
      if (cell === (attributes[at].values?.[0] ?? '0')) return ''
      return `${at} ${cell === undefined ? '?' : quoted(cell)}`
    })
    return `{${cells.filter(cell => cell !== '').join(', ')}}`
  })
  return lines.join('\n')
}

/** The same, written without haste. */
function featuresOf({attributes, rows}: Table): string[][] {
  return rows.map(row =>
    row.flatMap((cell, at) => {
      const {name, values} = attributes[at]
      if (cell === undefined) return []
      if (values === undefined || values.every(value => value === '0' || value === '1'))
        return cell === '1' ? [name] : []
      return [`${name}:${cell}`]
    })
  )
}

async function pieces(content: string, size: number): Promise<Row[]> {
  const rows: Row[] = []
  const context = {name: 'x.arff', fields: {fields: []}, separator: '|'}
  for await (const batch of readArff(inPieces(Buffer.from(content), size), context)) rows.push(...batch)
  return rows
}

test('readArff(...) gives the obvious features for any names and values, dense and sparse, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.integer({min: 1, max: 40}), async (data, size) => {
      const expected = featuresOf(data)
      for (const rows of [denseOf(data), sparseOf(data)]) {
        const read = await pieces(`${headerOf(data)}${rows}`, size)
        expect(read.map(row => row.features)).toEqual(expected)
        expect(read.map(row => row.id)).toEqual(expected.map((_, at) => at + 1))
      }
    }),
    {numRuns: 100}
  )
})

test('readArff(...) reads compressed files, with their labels beside them, CRLF and a byte order mark', async () => {
  folder.file('c.xml', '<labels><label name="a"/></labels>')
  const content = '\ufeff@relation c\r\n@attribute a {0,1}\r\n@attribute b {0,1}\r\n@data\r\n1,1\r\n'
  expect((await readAll(folder.file('c.arff.gz', gzipSync(content))))[0]).toMatchObject({features: ['b'], tags: ['a']})
})
