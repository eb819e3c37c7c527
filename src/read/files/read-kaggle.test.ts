import {expect, test} from 'vitest'
import {failureOf, readAll, testFolder} from './test-folder.ts'

const folder = testFolder()
const training = `"Id","Title","Body","Tags"
"1","How to check if an uploaded file is an image?","<p>I'd like to <em>un</em>do it, &amp; how?</p>

<pre><code>$_FILES[""type""] == ""image""
</code></pre>
","php image-processing  file-upload"
"2","A ""quoted"" title, with a comma","plain",""
`

test('readCsvOrKaggle(...) tells the Kaggle table by its columns', async () => {
  for (const header of ['"Id","Title","Body","Tags"', 'Id,Title,Body,Tags', 'Id,"Title",Body , Tags']) {
    const rows = await readAll(folder.file('Train.csv', training.replace(/^.*/, header)))
    expect(rows.map(({id, text, tags}) => [id, text.get('title'), text.get('text'), tags])).toEqual([
      [
        '1',
        'How to check if an uploaded file is an image?',
        "I'd like to undo it, & how?\n\n\n\n",
        ['php', 'image-processing', 'file-upload']
      ],
      ['2', 'A "quoted" title, with a comma', 'plain', []]
    ])
  }
})

test('readCsvOrKaggle(...) reads the test table, which has no tags', async () => {
  const [row] = await readAll(folder.file('Test.csv', 'Id,Title,Body\n7,t,<p>b</p>\n'))
  expect([row.id, row.text.get('title'), row.text.get('text'), row.tags]).toEqual(['7', 't', 'b\n', undefined])
})

test('readCsvOrKaggle(...) takes other tables, and all with --format csv, as they are', async () => {
  const other = folder.file('other.csv', 'Id,Title,Body,Tags,text\n1,t,b,a b,<p>x</p>\n')
  expect((await readAll(other))[0].text).toEqual(new Map([['text', '<p>x</p>']]))
  const lower = folder.file('lower.csv', 'id,title,text,tags\n1,t,<b>x</b>,a b\n')
  expect((await readAll(lower))[0].tags).toEqual(['a b'])
  const path = folder.file('plain.csv', training)
  const [row] = await readAll(path, {format: 'csv', fields: ['Title', 'Body']})
  expect(row.text.get('Body')).toContain('<p>')
  expect(row.tags).toBeUndefined()
})

test('readKaggle(...) takes any name with --format kaggle, and refuses other columns', async () => {
  expect(await readAll(folder.file('train.txt', training), {format: 'kaggle'})).toHaveLength(2)
  const path = folder.file('wrong.csv', 'id,title,text\n1,a,b\n')
  const error = await failureOf(() => readAll(path, {format: 'kaggle'}))
  expect(error.message).toBe(
    `${path}:1: the columns are id, title, text; the keyword extraction table of Kaggle has Id,Title,Body,Tags, or Id,Title,Body; ` +
      'if it is an ordinary table, give --format csv'
  )
})

test('readKaggle(...) names the line of a record with too few cells', async () => {
  const path = folder.file('short.csv', 'Id,Title,Body,Tags\n1,a,"b\n\n",c\n2,a,b\n')
  expect((await failureOf(() => readAll(path))).message).toContain(
    `${path}:5: the record that begins here has 3 cells; `
  )
})
