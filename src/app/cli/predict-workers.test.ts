import {beforeAll, describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from './test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
let files: string[]

/** Several files, since each gives blocks of its own: in one, some rows have no id. */
beforeAll(async () => {
  const small = await generateSmall(folder, 400)
  const rows: {id: string; features: string[]; tags: string[]}[] = JSON.parse(
    `[${folder.text('docs.jsonl').trimEnd().split('\n').join()}]`
  )
  const learned = folder.write(
    'learned.jsonl',
    rows.map((row, at) => ({...row, title: at % 3 === 0 ? 'large' : 'small'}))
  )
  await adfaDone('fit', learned, '--anchors', small.anchors, '--text', 'title', '-o', model)
  files = [
    folder.write('a.jsonl', rows.slice(0, 40)),
    folder.write(
      'b.jsonl',
      rows.slice(40, 90).map(({id, ...row}, at) => (at % 3 === 0 ? {...row, note: 'é\u2028"'} : {id, ...row}))
    ),
    folder.write(
      'c.csv',
      `features,other\n${rows
        .slice(90, 130)
        .map(({features}) => `${features.join('|')},x\n`)
        .join('')}`
    ),
    folder.write('d.jsonl', [{features: []}]),
    folder.write('e.svm', '1:1 2:1\n0 7:1\n')
  ]
})

async function written(name: string, workers: number, ...args: readonly string[]): Promise<Buffer> {
  const own = ['--allow-missing', '--workers', String(workers), '-o', folder.at(name)]
  await adfaDone('predict', model, ...files, ...args, ...own)
  return folder.bytes(name)
}

describe('adfa predict --workers', () => {
  test.each([
    'p.jsonl --threshold 0.2 --top 2',
    'p.jsonl --known tags --hide-anchors --words noisy-or',
    'p.jsonl.gz --only-tags',
    't.csv',
    't.csv --only-tags',
    't.xlsx --only-tags',
    't.parquet'
  ])('-o %s: the same bytes on threads', async command => {
    const [name, ...args] = command.split(' ')
    const alone = await written(name, 0, ...args)
    expect((await written(name, 2, ...args)).equals(alone)).toBe(true)
  })

  test('numbers documents without an id through all files', async () => {
    const ids = async (workers: number) =>
      (await written('p.jsonl', workers))
        .toString()
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line).id)
    const found = await ids(2)
    expect(found).toEqual(await ids(0))
    expect(found.slice(40, 44)).toEqual([41, expect.any(String), expect.any(String), 44])
    expect(found.slice(90)).toEqual(Array.from({length: 43}, (_, at) => 91 + at))
  })

  test('tells the same of the documents, and of fields that none of them has', async () => {
    const titled = folder.write('titled.jsonl', [{title: 'large', features: []}])
    const told = async (workers: string, ...docs: readonly string[]) => {
      const args = ['predict', model, ...docs, '--allow-missing', '--workers', workers, '-o', folder.at('p.jsonl')]
      return {notes: notes((await adfa(...args)).stderr), ...Object(await adfaJson(...args)), seconds: 0}
    }
    const alone = await told('0', ...files)
    expect(alone.notes).toMatch(/title/)
    expect(await told('2', ...files)).toEqual(alone)
    expect((await told('2', ...files, titled)).notes).toBe('')
  })

  test('names the first line that cannot be read, and leaves no file', async () => {
    const bad = folder.write('bad.jsonl', '{"features":[]}\n{"features":[}\n')
    const worse = folder.write('worse.jsonl', '[]\n')
    const before = folder.names()
    const refusal = async (workers: string) => {
      const out = folder.at('none.jsonl')
      const {code, stderr} = await adfa('predict', model, ...files, bad, worse, '--workers', workers, '-o', out)
      return {code, notes: notes(stderr)}
    }
    const alone = await refusal('0')
    expect(alone).toMatchObject({code: 1, notes: expect.stringMatching(/bad\.jsonl:2: not valid JSON/)})
    expect(await refusal('2')).toEqual(alone)
    expect(folder.names()).toEqual(before)
  })
})

/** Without progress, which depends on the clock. */
function notes(stderr: string): string {
  return stderr.replaceAll(/^predicting: .*\n/gm, '')
}
