import fc from 'fast-check'
import {expect, test} from 'vitest'
import {documentFixture, readAll, refusalOf, testFolder} from './test-folder.ts'

const folder = testFolder()
const pattern = '%%MatrixMarket matrix coordinate pattern general\n'
const integer = '%%MatrixMarket matrix coordinate integer general\n'

async function featuresOf(content: string): Promise<(readonly string[])[]> {
  return (await readAll(folder.file('x.mtx', content))).map(row => row.features)
}

const errorOf = async (content: string) => (await refusalOf(() => featuresOf(content))).replace(folder.path, '')

test('readMatrixMarket(...) makes a document of every row, named by its number', async () => {
  const rows = await readAll(documentFixture('notes.mtx'))
  expect(rows).toEqual([
    {id: 1, text: new Map(), features: ['1', '2'], tags: undefined, labels: undefined},
    {id: 2, text: new Map(), features: ['3'], tags: undefined, labels: undefined},
    {id: 3, text: new Map(), features: ['4'], tags: undefined, labels: undefined}
  ])
})

test('readMatrixMarket(...) reads values however they are written and leaves zeros out', async () => {
  const entries = '1 1 1\r\n1 2 0\n\n 2\t1  1.0 \n2 2 0e0\n2 3 1e0\n2 4 1'
  expect(await featuresOf(`${integer}%\n% words\n\n4 4 6\n${entries}`)).toEqual([['1'], ['1', '3', '4'], [], []])
  expect(await featuresOf('%%matrixmarket  MATRIX Coordinate Real General\n1 1 1\n1 1 1.000e+00\n')).toEqual([['1']])
})

test('readMatrixMarket(...) equals the obvious table for entries in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.integer({min: 1, max: 6}), fc.integer({min: 1, max: 12})), {
        selector: ([row, column]) => `${row} ${column}`
      }),
      async entries => {
        const content = `${pattern}6 12 ${entries.length}\n${entries.map(entry => `${entry.join(' ')}\n`).join('')}`
        const columnsOf = (row: number) => entries.filter(entry => entry[0] === row).map(entry => entry[1])
        expect(await featuresOf(content)).toEqual(
          [1, 2, 3, 4, 5, 6].map(row =>
            columnsOf(row)
              .sort((a, b) => a - b)
              .map(String)
          )
        )
      }
    )
  )
})

test('readMatrixMarket(...) sorts more entries than one page holds and makes several batches', async () => {
  const lines: string[] = []
  for (let column = 10; column >= 1; column--) for (let row = 1; row <= 9000; row++) lines.push(`${row} ${column}`)
  const documents = await featuresOf(`${pattern}9000 10 ${lines.length}\n${lines.join('\n')}`)
  expect(documents.length).toBe(9000)
  const all = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']
  expect(documents.every(features => features.join() === all.join())).toBe(true)
})

test.each([
  '%%MatrixMarket matrix array real general',
  '%%MatrixMarket matrix coordinate complex general',
  '%%MatrixMarket matrix coordinate real symmetric',
  '3 4 4'
])('readMatrixMarket(...) refuses the first line "%s"', async line => {
  expect(await errorOf(`${line}\n1 1 1\n1 1 1\n`)).toBe(
    `/x.mtx:1: the first line is "${line}"; it must be "%%MatrixMarket matrix coordinate pattern general" ` +
      '(or integer or real in place of pattern); write the matrix again in that form'
  )
})

test('readMatrixMarket(...) refuses a size line that is missing, strange or too large', async () => {
  expect(await errorOf(`${pattern}% nothing\n`)).toMatch(/^\/x\.mtx: there is no size line; /)
  expect(await errorOf(`${pattern}3 x 4\n`)).toMatch(/^\/x\.mtx:2: the size line is "3 x 4"; it must hold three whole/)
  expect(await errorOf(`${pattern}100000000 5 1\n1 1\n`)).toMatch(/needs at least one entry per 1,000 rows; /)
  expect(await errorOf(`${pattern}4000000000 4 4\n`)).toMatch(/^\/x\.mtx:2: .*at most 100 million rows/)
})

test('readMatrixMarket(...) does not reserve memory for entries that are only claimed', async () => {
  expect(await errorOf(`${pattern}10 10 999999999\n1 1\n`)).toMatch(
    /there are 1 entries where .* 999999999; .*cut short/
  )
})

test('readMatrixMarket(...) checks the number of entries', async () => {
  expect(await errorOf(`${pattern}3 3 2\n1 1\n`)).toMatch(
    /^\/x\.mtx: there are 1 entries where the size line says 2; .*cut short/
  )
  expect(await errorOf(`${pattern}3 3 1\n1 1\n2 2\n`)).toMatch(/^\/x\.mtx:4: here is one entry more than the 1/)
})

test.each(['0 1', '1 0', '4 1', '1 5'])(
  'readMatrixMarket(...) refuses the entry "%s" outside the matrix',
  async entry => {
    expect(await errorOf(`${pattern}3 4 2\n1 1\n${entry}\n`)).toMatch(
      /^\/x\.mtx:4: row \d, column \d lies outside the matrix; the size line says 3 rows and 4 columns/
    )
  }
)

test.each(['1', '1 x', '-1 1', '1 1 1', '1 1 1 1', '% late'])(
  'readMatrixMarket(...) refuses the line "%s"',
  async entry => {
    expect(await errorOf(`${pattern}3 4 2\n1 1\n${entry}\n`)).toBe(
      `/x.mtx:4: "${entry}" is not an entry; entries are written "row column"; correct the line`
    )
  }
)

test('readMatrixMarket(...) refuses values other than 0 and 1, and entries without value', async () => {
  expect(await errorOf(`${integer}3 4 1\n2 3 7\n`)).toMatch(/^\/x\.mtx:3: row 2, column 3 has the value 7; .*binarise/)
  expect(await errorOf(`${integer}3 4 1\n2 3\n`)).toMatch(/^\/x\.mtx:3: "2 3" is not an entry; .*"row column value"/)
})

test('readMatrixMarket(...) refuses an entry that is there twice', async () => {
  expect(await errorOf(`${pattern}3 4 3\n2 3\n1 1\n2 3\n`)).toMatch(
    /^\/x\.mtx: the entry in row 2, column 3 is there twice/
  )
})
