import {stripVTControlCharacters} from 'node:util'
import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {adfa, type Ended, testFolder} from './test-run.ts'

const folder = testFolder()

/** Sets the title of a window, clears the screen, overwrites a line, turns the direction: in C0, DEL, C1 and Unicode. */
const BAD = '\x1b]0;pwned\x07\x1b[2J\r\x08\x7f\x9b31m\x85\u202e\u2066\u061c\u200e\u200f'
/** What must not reach a terminal; lines end and tables may have tabs. */
const RAW = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
const [flu, pain] = [`flu${BAD}`, `=pain${BAD}`]

const docs = folder.at('docs.jsonl')
const anchors = folder.at('anchors.json')
const model = folder.at('model.json')
const counts = folder.at('docs.counts')

/** The command must have ended as expected, and have printed nothing that controls a terminal. */
function clean({code, stdout, stderr}: Ended, expected = 0): string {
  expect([code, code === expected ? '' : stderr]).toEqual([expected, ''])
  expect(RAW.exec(stdout)).toBeNull()
  expect(RAW.exec(stderr)).toBeNull()
  expect(stripVTControlCharacters(stdout + stderr)).toBe(stdout + stderr)
  return stdout + stderr
}

const done = async (...args: readonly string[]) => clean(await adfa(...args))
const failed = async (code: number, ...args: readonly string[]) => clean(await adfa(...args), code)

beforeAll(async () => {
  const random = rng(3)
  const rows = Array.from({length: 400}, (_, at) => {
    const [hasFlu, hasPain] = [random.next() < 0.4, random.next() < 0.4]
    const features = [
      ...(hasFlu ? [`f1${BAD}`, ...(random.next() < 0.7 ? [`fw${BAD}`] : [])] : []),
      ...(hasPain ? [`p1${BAD}`, ...(random.next() < 0.7 ? [`+pw${BAD}`] : [])] : []),
      ...(random.next() < 0.5 ? ['@sum(1)'] : [])
    ].filter(() => random.next() < 0.9)
    const tags = [...(hasFlu ? [flu] : []), ...(hasPain ? [pain] : [])]
    return {id: `${at}${BAD}`, features, [`sex${BAD}`]: hasFlu ? `m${BAD}` : 'f', tags}
  })
  folder.write('docs.jsonl', rows)
  folder.write('anchors.json', JSON.stringify({[flu]: [`f1${BAD}`], [pain]: [`p1${BAD}`]}))
  const reading = ['--category', `sex${BAD}`, '--label-share', '1', '--max-share', '1']
  await done('count', docs, '--anchors', anchors, ...reading, '-o', counts)
  await done('fit', counts, '--noise', 'labels', '-o', model)
})

describe('names with control characters', () => {
  test('do not reach the terminal from commands that learn', async () => {
    const reading = ['--anchors', anchors, '--category', `sex${BAD}`]
    expect(await done('fit', docs, ...reading, '--noise', 'labels', '--intervals', '3', '-o', model)).toContain(
      'flu\\u001b]0;pwned\\u0007'
    )
    for (const command of ['doctor', 'suggest', 'noise'])
      expect(await done(command, docs, ...reading, '--label-share', '1')).toContain('\\u001b')
    await done('doctor', counts)
    await done('merge', counts, '-o', folder.at(`merged${BAD}.counts`))
    await done('merge', counts, '--max-order', '2', '--site', 'North', '-o', folder.at('tables'))
    await done('protocol', docs, ...reading, '--name', `p${BAD}`, '-o', folder.at('protocol.json'))
    await done('label', docs, ...reading, '--documents', '20', '--sheet', folder.at('sheet.csv'))
    const labels = ['--from-sheet', folder.at('sheet.csv'), '-o', folder.at('labels.jsonl')]
    await done('label', docs, ...reading, '--documents', '20', ...labels)
  })

  test('do not reach the terminal from commands that use a model', async () => {
    await done('predict', model, docs, '--threshold', 'best', '--top', '1')
    await done('evaluate', model, docs, '--train', docs, '--reliability')
    expect(await done('explain', model, docs, '--id', `7${BAD}`, '--svg', '-')).toContain('Why =pain')
    await done('explain', model, docs, '--id', `7${BAD}`)
    await done('report', model, '-o', folder.at('report.html'))
    for (const format of ['bif', 'dot', 'csv', 'svg', 'uai']) await done('export', model, '--to', format)
    expect(folder.text('report.html')).not.toContain('\x1b')
    expect(folder.text('tables.audit.txt')).not.toMatch(RAW)
  })

  test('stay themselves in --json', async () => {
    const printed = await done('doctor', counts, '--json', '--quiet')
    expect(JSON.parse(printed).anchors.map(({concept}: {concept: string}) => concept)).toEqual([flu, pain])
    const [line] = (await done('predict', model, docs, '--quiet')).split('\n')
    expect(Object.keys(JSON.parse(line).posterior)).toEqual([flu, pain])
  })

  test('do not reach the terminal in errors', async () => {
    await failed(1, 'fit', folder.at(`missing${BAD}.jsonl`), '--anchors', anchors, '-o', model)
    await failed(2, 'fit', docs, `--${BAD}`)
    await failed(2, BAD)
    await failed(2, 'predict', model, docs, '--known', BAD)
    await failed(2, 'explain', model, docs, '--id', BAD)
    for (const [name, content] of Object.entries({
      'a.jsonl': `{"text": ${BAD}}`,
      'b.jsonl': JSON.stringify({[BAD]: 1}),
      'c.csv': `text,${BAD}\n1\n`,
      'd.svm': `1 2:${BAD}\n`,
      'f.json': JSON.stringify({features: [BAD], tags: BAD})
    }))
      await failed(1, 'count', folder.write(name, content), '--anchors', anchors, '-o', folder.at('x.counts'))
    for (const content of [BAD, JSON.stringify({[BAD]: 1}), JSON.stringify({[BAD]: [BAD, BAD]})])
      await failed(1, 'count', docs, '--anchors', folder.write('bad.json', content), '-o', folder.at('x.counts'))
    await failed(2, 'count', docs, '--like', counts, '--max-order', '2', '--site', BAD, '-o', folder.at('t'))
    await failed(1, 'predict', folder.write('bad-model.json', `{"${BAD}`), docs)
  })
})

describe('a line feed in a name', () => {
  // In front of what looks like a line of adfa itself.
  const LINE = '\nFORGED: all is well'
  const whole = ({stdout, stderr}: Ended) => {
    expect(`${stdout}${stderr}`).not.toMatch(/^\s*FORGED/m)
    return stdout + stderr
  }

  test('is refused in a concept', async () => {
    const given = folder.write('lines.json', JSON.stringify({[`a${LINE}`]: 'x', b: 'y'}))
    const ended = await adfa('count', docs, '--anchors', given, '-o', folder.at('x.counts'))
    expect(whole(ended)).toContain('concept "a\\u000aFORGED: all is well": the name of a concept is one line')
    expect(ended.code).toBe(1)
    const rows = Array.from({length: 9}, (_, at) => ({text: `t${at % 2}`, tags: [`a${LINE}`]}))
    const tagged = folder.write('tagged.jsonl', rows)
    expect(whole(await adfa('count', tagged, '--anchors-from-tags', 'text', '-o', folder.at('x.counts')))).toContain(
      'is one line; remove the line feed from the tag'
    )
  })

  test('does not begin a line if it is in a word, an id, a field or a file', async () => {
    const random = rng(4)
    const rows = Array.from({length: 400}, (_, at) => {
      const [a, b] = [random.next() < 0.4, random.next() < 0.4]
      const features = [...(a ? [`a${LINE}`, `aw${LINE}`] : []), ...(b ? [`b${LINE}`, `bw${LINE}`] : []), `w${at % 3}`]
      return {id: `${at}${LINE}`, features: features.filter(() => random.next() < 0.9), tags: a ? ['A'] : []}
    })
    const lines = folder.write('lines.jsonl', rows)
    const given = folder.write('good.json', JSON.stringify({A: `a${LINE}`, B: [`b${LINE}`]}))
    const reading = ['--anchors', given, '--max-share', '1']
    const fitted = folder.at('lines-model.json')
    expect((await adfa('fit', lines, ...reading, '--intervals', '2', '-o', fitted)).code).toBe(0)
    const tables = ['count', lines, ...reading, '--max-order', '2', '--min-cell', '2', '--site', 'A']
    for (const args of [
      ['fit', lines, ...reading, '-o', fitted],
      ['doctor', lines, ...reading, '--label-share', '1'],
      ['suggest', lines, ...reading],
      ['noise', lines, ...reading],
      [...tables, '-o', folder.at('lines.tables')],
      ['protocol', lines, ...reading, '--name', `p${LINE}`, '-o', folder.at('p.json')],
      ['label', lines, ...reading, '--documents', '9', '--sheet', folder.at('lines.csv')],
      ['explain', fitted, lines, '--id', `7${LINE}`],
      ['evaluate', fitted, lines, '--reliability'],
      ['predict', fitted, lines]
    ]) {
      const ended = await adfa(...args)
      expect([args[0], ended.code, ended.code === 0 ? '' : ended.stderr]).toEqual([args[0], 0, ''])
      whole(ended)
    }
    expect(folder.text('lines.tables.audit.txt')).not.toMatch(/^FORGED/m)
    const bad = folder.write(
      'bad.json',
      JSON.stringify({A: [`a${LINE}`, `none${LINE}`], B: `a${LINE}`, C: `no${LINE}`})
    )
    for (const args of [
      ['count', lines, '--anchors', bad, '-o', folder.at('x')],
      ['count', lines, '--anchors', bad, '--skip-bad-anchors', '-o', folder.at('x')],
      ['count', folder.at(`no${LINE}`), '--anchors', given, '-o', folder.at('x')],
      ['count', folder.write('keys.jsonl', [{[`k${LINE}`]: 1}]), '--anchors', given, '-o', folder.at('x')],
      ['count', lines, '--anchors', given, '--category', `k${LINE}`, '-o', folder.at('x')],
      ['explain', fitted, lines, '--id', LINE],
      ['predict', fitted, lines, '--known', LINE]
    ])
      whole(await adfa(...args))
  })
})

describe('a password in an address', () => {
  const address = 'clickhouse://me:hunter2@localhost:1/notes/all'
  const addresses = [
    address,
    'clickhouse://localhost:1/notes/all?password=hunter2',
    'clickhouse://me:hunter2/notes/all'
  ]

  test('is not repeated by any command', async () => {
    for (const given of addresses) {
      const rest = ['--anchors', anchors, '-o', folder.at('x.counts')]
      const ended = [
        await adfa('count', given, ...rest),
        await adfa('count', given, '--engine', 'clickhouse', ...rest),
        await adfa('count', given, '--engine', 'duckdb', ...rest),
        await adfa('fit', given, ...rest),
        await adfa('doctor', given, '--anchors', anchors, '--json'),
        await adfa('predict', model, given),
        await adfa('evaluate', model, given, '--train', given),
        await adfa('explain', model, given, '--id', '1'),
        await adfa('predict', given, docs),
        await adfa('merge', given, '-o', folder.at('y.counts')),
        await adfa('count', docs, '--like', given, '-o', folder.at('x.counts')),
        await adfa('count', docs, '--anchors', given, '-o', folder.at('x.counts')),
        await adfa('count', docs, '--anchors', anchors, '-o', given)
      ]
      for (const {code, stdout, stderr} of ended) {
        expect(code).not.toBe(0)
        expect(stdout + stderr).not.toContain('hunter2')
      }
    }
  })
})
