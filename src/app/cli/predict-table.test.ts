import {gunzipSync} from 'node:zlib'
import {DuckDBInstance} from '@duckdb/node-api'
import {readSheet} from 'read-excel-file/node'
import {describe, expect, test} from 'vitest'
import {readRecords} from '../../read/files/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, parseLines, refused, testFolder} from './test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
const small = await generateSmall(folder, 800)
await adfaDone`fit ${small.docs} --anchors ${small.anchors} -o ${model}`
const loaded = folder.model('model.json')
const names = loaded.concepts.map(({name}) => name)
const threshold = loaded.wordModel.kind === 'weights' ? loaded.wordModel.threshold : Number.NaN
const rows: {id: string; features: string[]; tags: string[]}[] = folder.rows('docs.jsonl').slice(0, 30)
folder.write('rows.jsonl', rows)

interface Prediction {
  readonly id: string
  readonly posterior: Readonly<Record<string, number>>
}

/** What `adfa predict` writes in JSON Lines. */
const predictions = async (path: string): Promise<Prediction[]> => parseLines(await adfaDone`predict ${model} ${path}`)

/** The tags and probabilities of a table, by the predictions in JSON Lines. */
function added({posterior}: Prediction, from = threshold): {tags: string; probabilities: number[]} {
  const tags = Object.entries(posterior)
    .filter(([, p]) => p >= from)
    .toSorted(([, p], [, q]) => q - p)
    .map(([name]) => name)
  return {tags: tags.join('|'), probabilities: names.map(name => Number(posterior[name].toFixed(3)))}
}

async function tableOf(path: string, ...args: readonly string[]): Promise<string> {
  await adfaDone`predict ${model} ${path} -o ${folder.at('t.csv')} ${args}`
  return folder.text('t.csv')
}

/** Documents as a table with columns that adfa does not know. */
function asCsv(separator = ',', end = '\n'): string {
  const lines = rows.map(({id, features}, at) => [id, `note ${at}`, features.join('|'), `00${at}`, at / 4])
  return [['id', 'Remark', 'features', 'code', 'weight'], ...lines].map(cells => cells.join(separator) + end).join('')
}

describe('adfa predict -o table', () => {
  test('a CSV has all columns of the input as they were, the tags, and the probability of every concept', async () => {
    const docs = folder.write('in.csv', asCsv())
    const lines = await predictions(docs)
    const [header, ...records] = asCsv().trimEnd().split('\n')
    const expected = lines.map((line, at) => {
      const {tags, probabilities} = added(line)
      return `${[records[at], tags, ...probabilities].join()}\n`
    })
    expect(lines.some(line => added(line).tags.includes('|'))).toBe(true)
    expect(await tableOf(docs)).toBe(`${[header, 'tags', ...names].join()}\n${expected.join('')}`)
    await adfaDone('predict', model, docs, '-o', folder.at('t.csv.gz'))
    expect(gunzipSync(folder.bytes('t.csv.gz'))).toEqual(folder.bytes('t.csv'))
    await adfaDone('predict', model, docs, '-o', folder.at('t.tsv'))
    expect(folder.text('t.tsv')).toBe(folder.text('t.csv').replaceAll(',', '\t'))
  })

  test('.xlsx and .parquet have the same cells; a column of numbers holds numbers, 007 stays text', async () => {
    const docs = folder.write('in.csv', asCsv())
    const lines = await predictions(docs)
    for (const name of ['t.xlsx', 't.parquet']) await adfaDone('predict', model, docs, '-o', folder.at(name))
    const header = ['id', 'Remark', 'features', 'code', 'weight', 'tags', ...names]
    const expected = rows.map(({id, features}, at) => {
      const {tags, probabilities} = added(lines[at])
      return [id, `note ${at}`, features.join('|'), `00${at}`, at / 4, tags, ...probabilities]
    })
    const [first, ...sheet] = await readSheet(folder.at('t.xlsx'))
    expect(first).toEqual(header)
    expect(sheet.map(row => row.map(cell => cell ?? ''))).toEqual(expected)
    const records: unknown[] = []
    for await (const batch of readRecords(folder.at('t.parquet')))
      for (const {values} of batch) records.push([...values.values()])
    // Parquet has all digits.
    expect(records).toEqual(
      expected.map((row, at) => [...row.slice(0, 6), ...names.map(name => lines[at].posterior[name])])
    )
  })

  test('--threshold changes the tags; a model of noisy-or links, which has no threshold, gives those from 0.5 on', async () => {
    const docs = folder.at('rows.jsonl')
    const lines = await predictions(docs)
    const tagsOf = (text: string) => [...text.matchAll(/^[^,]+,(.*)$/gm)].slice(1).map(([, tags]) => tags)
    const half = lines.map(line => added(line, 0.5).tags)
    expect(tagsOf(await tableOf(docs, '--only-tags', '--threshold', '0.5'))).toEqual(half)
    const links = parseLines(await adfaDone('predict', model, docs, '--words', 'noisy-or')) as Prediction[]
    const args = ['--words', 'noisy-or', '--only-tags', '-o', folder.at('t.csv')]
    expect(tagsOf(await tableOf(docs, ...args))).toEqual(links.map(line => added(line, 0.5).tags))
    expect(await adfaJson('predict', model, docs, ...args)).toMatchObject({threshold: 0.5, documents: 30})
  })

  test('documents without an id have their number in tables of tags alone, and nothing in their own columns', async () => {
    const docs = folder.write('unnamed.jsonl', [{id: 'a', features: []}, {features: []}])
    const sheet = async (...args: readonly string[]) => {
      await adfaDone('predict', model, docs, '-o', folder.at('t.xlsx'), ...args)
      return (await readSheet(folder.at('t.xlsx'))).map(([id]) => id)
    }
    expect((await tableOf(docs, '--only-tags')).replaceAll(/,.*/g, '')).toBe('id\na\n2\n')
    expect(await sheet('--only-tags')).toEqual(['id', 'a', '2'])
    expect(await sheet()).toEqual(['id', 'a', null])
  })

  test('--top, other spreadsheets and a table over its input are refused', async () => {
    const csv = folder.write('in.csv', asCsv())
    for (const [args, message] of [
      [['--top', '2', '-o', folder.at('t.csv')], /--top .* leave it out/],
      [['--top', '2', '--only-tags'], /--top .* leave it out/],
      [['-o', folder.at('t.pdf')], /\.pdf cannot be written; .* \.csv, .* or \.jsonl/],
      [['-o', folder.at('t.ods')], /\.ods cannot be written; .* \.xlsx or \.csv/],
      [['-o', csv], /is also read/]
    ] as const)
      expect(await adfa`predict ${model} ${csv} ${args}`).toEqual(refused(2, message))
    expect(folder.text('in.csv')).toBe(asCsv())
  })
})

describe('adfa predict --sql', () => {
  test('writes a query that DuckDB runs, with the numbers of predict', async () => {
    const file = folder.at('score.sql')
    expect(await adfaDone('predict', model, '--sql', 'duckdb', '-o', file)).toBe(`wrote ${file}\n`)
    expect(await adfaDone('predict', model, '--sql', 'duckdb')).toBe(folder.text('score.sql'))
    const connection = await (await DuckDBInstance.create()).connect()
    await connection.run(`CREATE VIEW documents AS FROM '${folder.at('rows.jsonl')}'`)
    const rows = (await connection.runAndReadAll(folder.text('score.sql'))).getRowObjectsJson()
    const lines = await predictions(folder.at('rows.jsonl'))
    const expected = lines.map(line => {
      // Sums in another order: a few roundings of 1e-16.
      const probabilities = names.map(name => [name, expect.closeTo(line.posterior[name], 12)])
      return {id: line.id, tags: added(line).tags, ...Object.fromEntries(probabilities)}
    })
    expect(rows).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  })

  test('refuses documents, options that a query does not follow, and the name of a table', async () => {
    const sql = ['predict', model, '--sql', 'duckdb']
    expect(await adfa`${sql} ${folder.at('rows.jsonl')} --top 2`).toEqual(
      refused(2, /takes no documents, --top; leave it out/)
    )
    expect(await adfa`${sql} -o ${folder.at('t.csv')}`).toEqual(refused(2, /a query, not a table; .* \.sql/))
  })
})
