import {basename} from 'node:path'
import {stripVTControlCharacters} from 'node:util'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {adfa, type CommandLine, testFolder} from './test-run.ts'

const folder = testFolder()

/** Sets the title of a window, clears the screen, overwrites a line, turns the direction: in C0, DEL, C1 and Unicode. */
const BAD = '\x1b]0;pwned\x07\x1b[2J\r\x08\x7f\x9b31m\x85\u202e\u2066\u061c\u200e\u200f'
/** What must not reach a terminal; lines end and tables may have tabs. */
const RAW = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
// In front of what looks like a line of adfa itself.
const LINE = '\nFORGED all is well'
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

describe('names with control characters and line feeds', async () => {
  const bad = `${BAD}${LINE}`
  folder.write('docs.jsonl', rowsWith(bad, flu, pain))
  const anchors = folder.write('anchors.json', JSON.stringify({[flu]: [`f1${bad}`], [pain]: [`p1${bad}`]}))

  /** The command must end as expected, and print nothing that controls a terminal or begins a line. */
  async function clean(expected: number, ...line: CommandLine): Promise<string> {
    const {code, stdout, stderr} = await adfa(...line)
    expect([line, code, code === expected ? '' : stderr]).toEqual([line, expected, ''])
    const told = stdout + stderr
    expect(RAW.exec(told)).toBeNull()
    expect(stripVTControlCharacters(told)).toBe(told)
    expect(told).not.toMatch(/^FORGED/m)
    return told
  }

  test('do not reach the terminal from any command, and stay themselves in --json', async () => {
    const reading = ['--anchors', anchors, '--category', `sex${bad}`, '--max-share', '1']
    for (const line of commandsWith(bad, docs, reading)) await clean(0, ...line)
    expect(await clean(0, 'doctor', docs, ...reading)).toContain('flu\\u001b]0;pwned\\u0007')
    expect(folder.text('report.html')).not.toContain('\x1b')
    expect(folder.text('tables.audit.txt')).not.toMatch(RAW)
    expect(folder.text('tables.audit.txt')).not.toMatch(/^FORGED/m)
    const told = JSON.parse(await clean(0, 'doctor', counts, '--json', '--quiet'))
    expect(told.anchors).toMatchObject([{concept: flu}, {concept: pain}])
    const [first] = (await clean(0, 'predict', model, docs, '--quiet')).split('\n')
    expect(Object.keys(JSON.parse(first).posterior)).toEqual([flu, pain])
  })

  test('do not reach the terminal in errors', async () => {
    await clean(1, 'fit', folder.at(`missing${bad}.jsonl`), '--anchors', anchors, '-o', x)
    await clean(2, 'fit', docs, `--${BAD}`)
    await clean(2, BAD)
    await clean(2, 'predict', model, docs, '--known', bad)
    await clean(2, 'explain', model, docs, '--id', bad)
    for (const [name, content] of Object.entries({
      'a.jsonl': `{"text": ${BAD}}`,
      'b.jsonl': JSON.stringify({[bad]: 1}),
      'c.csv': `text,${BAD}\n1\n`,
      'd.svm': `1 2:${BAD}\n`,
      'f.json': JSON.stringify({features: [bad], tags: bad})
    }))
      await clean(1, 'count', folder.write(name, content), '--anchors', anchors, '-o', x)
    for (const content of [bad, JSON.stringify({[bad]: 1}), JSON.stringify({[bad]: [bad, bad]})])
      await clean(1, 'count', docs, '--anchors', folder.write('bad.json', content), '-o', x)
    const names = {A: [`f1${bad}`, `none${bad}`], B: `f1${bad}`, C: `no${bad}`}
    await clean(1, 'count', docs, '--anchors', folder.write('bad.json', JSON.stringify(names)), '-o', x)
    await clean(1, 'count', docs, '--anchors', anchors, '--category', `k${bad}`, '-o', x)
    await clean(2, 'count', docs, '--like', counts, '--max-order', '2', '--site', bad, '-o', x)
    await clean(1, 'predict', folder.write('bad-model.json', `{"${BAD}`), docs)
  })

  test('are refused in a concept if they are line feeds', async () => {
    const given = folder.write('lines.json', JSON.stringify({[`a${LINE}`]: 'x', b: 'y'}))
    expect(await clean(1, 'count', docs, '--anchors', given, '-o', x)).toContain('the name of a concept is one line')
    const rows = Array.from({length: 9}, (_, at) => ({text: `t${at % 2}`, tags: [`a${LINE}`]}))
    const tagged = ['count', folder.write('tagged.jsonl', rows), '--anchors-from-tags', 'text', '-o', x]
    expect(await clean(1, ...tagged)).toContain('is one line; remove the line feed from the tag')
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
