import {expect, test} from 'vitest'
import {documentFixture, failureOf, readAll, testFolder} from './test-folder.ts'

const folder = testFolder()

async function rowsOf(content: string) {
  return (await readAll(folder.file('x.svm', content))).map(({features, tags}) => ({features, tags}))
}

async function errorOf(content: string): Promise<string> {
  const error = await failureOf(() => rowsOf(content))
  expect(error.code).toBe('bad-document')
  return error.message.replace(folder.path, '')
}

test('readSvmlight(...) reads labels as tags and indices as features', async () => {
  expect(await readAll(documentFixture('notes.svm'))).toEqual([
    {id: undefined, text: new Map(), features: ['1', '2'], tags: ['cardiac', 'pain'], labels: undefined},
    {id: undefined, text: new Map(), features: ['3'], tags: ['alcohol'], labels: undefined},
    {id: undefined, text: new Map(), features: ['4'], tags: [], labels: undefined}
  ])
})

test('readSvmlight(...) keeps labels as written, ignores qid and comments, drops zeros', async () => {
  expect(await rowsOf('+1 qid:3 7:1 9:1e0\t10:0.0  11:1.  # a:b 3:7\r\n-1\n\n# only a comment\nc#,🍺 0:1\n')).toEqual([
    {features: ['7', '9', '11'], tags: ['+1']},
    {features: [], tags: ['-1']},
    {features: ['0'], tags: ['c#', '🍺']}
  ])
})

test('readSvmlight(...) tells no labels from labels that are not said', async () => {
  expect(await rowsOf('3:1\n 3:1\n')).toEqual([
    {features: ['3'], tags: undefined},
    {features: ['3'], tags: []}
  ])
})

test.each(['2', '0.5', '-1', '', 'yes', '0x1', 'NaN', '1#comment'])(
  'readSvmlight(...) refuses the value "%s"',
  async value => {
    const message = await errorOf(`1 2:1\n1 2:1 7:${value}\n`)
    expect(message).toMatch(
      /^\/x\.svm:2: feature 7 has the value .*; values must be 0 \(absent\) or 1 .*; binarise the data first/
    )
    expect(message).toContain(value)
  }
)

test.each(['x:1', '-3:1', '007:1', '1.5:1', '3', ':1'])('readSvmlight(...) refuses the feature "%s"', async part => {
  expect(await errorOf(`1 2:1\n\n1 ${part} 8:1\n`)).toBe(
    `/x.svm:3: "${part}" is not a feature; features are written index:1, with a whole number as index`
  )
})

test('readSvmlight(...) refuses an empty label among others', async () => {
  expect(await errorOf('a,,b 1:1')).toMatch(/^\/x\.svm:1: the labels "a,,b" have an empty one among them/)
})
