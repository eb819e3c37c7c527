import {basename} from 'node:path'
import {stripVTControlCharacters} from 'node:util'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {adfa, type CommandLine, type Ended, testFolder} from './test-run.ts'

const folder = testFolder()

/** Sets the title of a window, clears the screen, overwrites a line, turns the direction: in C0, DEL, C1 and Unicode. */
const BAD = '\x1b]0;pwned\x07\x1b[2J\r\x08\x7f\x9b31m\x85\u202e\u2066\u061c\u200e\u200f'
/** What must not reach a terminal; lines end and tables may have tabs. */
const RAW = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
// In front of what looks like a line of adfa itself.
const LINE = '\nFORGED: all is well'
const [flu, pain] = [`flu${BAD}`, `=pain${BAD}`]
const [docs, model, counts, x] = ['docs.jsonl', 'model.json', 'docs.counts', 'x'].map(folder.at)

/** Documents whose ids, words, fields and tags end in a hostile text. */
function rowsWith(bad: string, flu: string, pain: string) {
  const random = rng(3)
  return Array.from({length: 400}, (_, at) => {
    const [hasFlu, hasPain] = [random.next() < 0.4, random.next() < 0.4]
    const features = [
      ...(hasFlu ? [`f1${bad}`, ...(random.next() < 0.7 ? [`fw${bad}`] : [])] : []),
      ...(hasPain ? [`p1${bad}`, ...(random.next() < 0.7 ? [`+pw${bad}`] : [])] : []),
      ...(random.next() < 0.5 ? ['@sum(1)'] : [])
    ].filter(() => random.next() < 0.9)
    const tags = [...(hasFlu ? [flu] : []), ...(hasPain ? [pain] : [])]
    return {id: `${at}${bad}`, features, [`sex${bad}`]: hasFlu ? `m${bad}` : 'f', tags}
  })
}

/** Commands that learn from documents and use a model, with hostile names in all of them. */
function commandsWith(bad: string, docs: string, reading: readonly string[]): readonly string[][] {
  const sheet = folder.at('sheet.csv')
  // The text of a document is shown as it is laid out; this one is hostile in its id and its field alone.
  const {id} = folder.rows(basename(docs)).find(({features}) => features.every((name: string) => !name.includes(bad)))
  return [
    ['count', docs, ...reading, '--label-share', '1', '-o', counts],
    ['fit', docs, ...reading, '--noise', 'labels', '--intervals', '3', '-o', model],
    ...['doctor', 'suggest'].map(command => [command, docs, ...reading, '--label-share', '1']),
    ['doctor', counts],
    ['merge', counts, '-o', folder.at(`merged${bad.replace('\n', '')}.counts`)],
    ['merge', counts, '--max-order', '2', '--min-cell', '2', '--site', 'North', '-o', folder.at('tables')],
    ['count', docs, ...reading, '--protocol', folder.at(`p${bad.replace('\n', '')}.json`)],
    ['label', docs, ...reading, '--documents', '20', '--sheet', sheet, '--force'],
    ['label', docs, ...reading, '--documents', '20', '--from-sheet', sheet, '-o', folder.at('labels.jsonl')],
    ['predict', model, docs, '--threshold', 'best', '--top', '1'],
    ['evaluate', model, docs, '--train', docs, '--reliability'],
    ['explain', model, docs, '--id', id],
    ['report', model, '-o', folder.at('report.html')],
    ...['bif', 'dot', 'csv', 'svg', 'uai'].map(format => ['export', model, '--to', format])
  ]
}

describe('names with control characters', async () => {
  folder.write('docs.jsonl', rowsWith(BAD, flu, pain))
  const anchors = folder.write('anchors.json', JSON.stringify({[flu]: [`f1${BAD}`], [pain]: [`p1${BAD}`]}))

  /** The command must end as expected, and print nothing that controls a terminal. */
  async function clean(expected: number, ...line: CommandLine): Promise<string> {
    const {code, stdout, stderr} = await adfa(...line)
    expect([line, code, code === expected ? '' : stderr]).toEqual([line, expected, ''])
    expect(RAW.exec(stdout + stderr)).toBeNull()
    expect(stripVTControlCharacters(stdout + stderr)).toBe(stdout + stderr)
    return stdout + stderr
  }

  test('do not reach the terminal from any command, and stay themselves in --json', async () => {
    const reading = ['--anchors', anchors, '--category', `sex${BAD}`, '--max-share', '1']
    for (const line of commandsWith(BAD, docs, reading)) await clean(0, ...line)
    expect(await clean(0, 'doctor', docs, ...reading)).toContain('flu\\u001b]0;pwned\\u0007')
    expect(folder.text('report.html')).not.toContain('\x1b')
    expect(folder.text('tables.audit.txt')).not.toMatch(RAW)
    const told = JSON.parse(await clean(0, 'doctor', counts, '--json', '--quiet'))
    expect(told.anchors).toMatchObject([{concept: flu}, {concept: pain}])
    const [first] = (await clean(0, 'predict', model, docs, '--quiet')).split('\n')
    expect(Object.keys(JSON.parse(first).posterior)).toEqual([flu, pain])
  })

  test('do not reach the terminal in errors', async () => {
    await clean(1, 'fit', folder.at(`missing${BAD}.jsonl`), '--anchors', anchors, '-o', x)
    await clean(2, 'fit', docs, `--${BAD}`)
    await clean(2, BAD)
    await clean(2, 'predict', model, docs, '--known', BAD)
    await clean(2, 'explain', model, docs, '--id', BAD)
    for (const [name, content] of Object.entries({
      'a.jsonl': `{"text": ${BAD}}`,
      'b.jsonl': JSON.stringify({[BAD]: 1}),
      'c.csv': `text,${BAD}\n1\n`,
      'd.svm': `1 2:${BAD}\n`,
      'f.json': JSON.stringify({features: [BAD], tags: BAD})
    }))
      await clean(1, 'count', folder.write(name, content), '--anchors', anchors, '-o', x)
    for (const content of [BAD, JSON.stringify({[BAD]: 1}), JSON.stringify({[BAD]: [BAD, BAD]})])
      await clean(1, 'count', docs, '--anchors', folder.write('bad.json', content), '-o', x)
    await clean(2, 'count', docs, '--like', counts, '--max-order', '2', '--site', BAD, '-o', x)
    await clean(1, 'predict', folder.write('bad-model.json', `{"${BAD}`), docs)
  })
})

describe('a line feed in a name', () => {
  const whole = ({stdout, stderr}: Ended) => {
    expect(`${stdout}${stderr}`).not.toMatch(/^\s*FORGED/m)
    return stdout + stderr
  }

  test('is refused in a concept', async () => {
    const given = folder.write('lines.json', JSON.stringify({[`a${LINE}`]: 'x', b: 'y'}))
    const named = await adfa`count ${docs} --anchors ${given} -o ${x}`
    expect(whole(named)).toContain('concept "a\\u000aFORGED: all is well": the name of a concept is one line')
    const rows = Array.from({length: 9}, (_, at) => ({text: `t${at % 2}`, tags: [`a${LINE}`]}))
    const tagged = await adfa`count ${folder.write('tagged.jsonl', rows)} --anchors-from-tags text -o ${x}`
    expect(whole(tagged)).toContain('is one line; remove the line feed from the tag')
  })

  test('does not begin a line if it is in a word, an id, a field or a file', async () => {
    const lines = folder.write('lines.jsonl', rowsWith(LINE, 'A', 'B'))
    const given = folder.write('good.json', JSON.stringify({A: `f1${LINE}`, B: [`p1${LINE}`]}))
    for (const line of commandsWith(LINE, lines, ['--anchors', given, '--max-share', '1'])) {
      const ended = await adfa(...line)
      expect([line, ended.code, ended.code === 0 ? '' : ended.stderr]).toEqual([line, 0, ''])
      whole(ended)
    }
    expect(folder.text('tables.audit.txt')).not.toMatch(/^FORGED/m)
    const names = {A: [`f1${LINE}`, `none${LINE}`], B: `f1${LINE}`, C: `no${LINE}`}
    const bad = folder.write('bad.json', JSON.stringify(names))
    for (const args of [
      ['count', lines, '--anchors', bad, '-o', x],
      ['count', lines, '--anchors', bad, '--skip-bad-anchors', '-o', x],
      ['count', folder.at(`no${LINE}`), '--anchors', given, '-o', x],
      ['count', folder.write('keys.jsonl', [{[`k${LINE}`]: 1}]), '--anchors', given, '-o', x],
      ['count', lines, '--anchors', given, '--category', `k${LINE}`, '-o', x],
      ['explain', model, lines, '--id', LINE],
      ['predict', model, lines, '--known', LINE]
    ])
      whole(await adfa(...args))
  })
})

test.each(['clickhouse://me:hunter2@localhost:1/notes/all', 'clickhouse://localhost:1/notes/all?password=hunter2'])(
  'a password in an address is not repeated by any command: %s',
  async given => {
    const anchors = ['--anchors', folder.at('anchors.json')]
    for (const line of [
      ['count', given, '--engine', 'clickhouse', ...anchors, '-o', x],
      ['fit', given, ...anchors, '-o', x],
      ['predict', model, given],
      ['predict', given, docs],
      ['merge', given, '-o', x],
      ['count', docs, '--like', given, '-o', x],
      ['count', docs, ...anchors, '-o', given]
    ]) {
      const {code, stdout, stderr} = await adfa(...line)
      expect(code).not.toBe(0)
      expect(stdout + stderr).not.toContain('hunter2')
    }
  }
)
