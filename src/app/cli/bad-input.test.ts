import {existsSync, mkdirSync, rmSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import {beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {adfa, adfaDone, type CommandLine, generateSmall, refused, testFolder} from './test-run.ts'

// One case for each kind of file and fault; the rules themselves are tested where files are read.
const folder = testFolder()
const {docs, anchors} = await generateSmall(folder, 300)
const [out, counts, model, few] = ['out', 'good.counts', 'good.json', 'few.jsonl'].map(folder.at)

beforeAll(async () => {
  await adfaDone`count ${docs} --anchors ${anchors} -o ${counts}`
  await adfaDone`fit ${counts} -o ${model}`
  folder.write('few.jsonl', [{features: ['word-0001']}, {features: ['anchor-01']}])
  mkdirSync(folder.at('folder.jsonl'))
})

beforeEach(() => rmSync(out, {force: true}))

/** Runs a command that must fail like this, leave no file, and leave an output of before as it was. */
async function expectFailure(code: 1 | 2, message: RegExp, ...line: CommandLine): Promise<void> {
  const before = folder.names()
  const ended = await adfa(...line)
  expect(ended).toEqual(refused(code, message))
  expect(ended.stderr).toMatch(/^(adfa|error): \S/m)
  expect(ended.stderr).not.toMatch(/internal error|undefined|\[object|NaN/)
  expect(folder.names()).toEqual(before)
  folder.write('out', 'what was there before')
  await adfa(...line)
  expect(folder.text('out')).toBe('what was there before')
  rmSync(out)
}

describe('bad documents', () => {
  test.each<[string, string, string | Uint8Array, RegExp]>([
    ['malformed JSON', 'x.jsonl', '{"text": "a"}\n{"text": "a\n', /x\.jsonl:2: not valid JSON.*fix or remove the line/],
    ['gzip cut short', 'x.jsonl.gz', gzipSync('x'.repeat(500)).subarray(0, 20), /x\.jsonl\.gz: .*damaged or cut short/],
    ['a cell too few', 'x.csv', 'id,text\n1,fever\n2\n', /x\.csv:3: .*1 cell.*2 columns \(id, text\)/],
    ['no format', 'x.notes', 'Fever\n', /x\.notes: neither the name nor the content.*(--format|`format`)/]
  ])('%s: refused with file and line', async (_, name, content, message) => {
    await expectFailure(1, message, ...['count', folder.write(name, content), '--anchors', anchors, '-o', out])
  })

  test('every command that reads documents refuses them', async () => {
    const path = folder.write('x.jsonl', '{"text": 5}\n')
    for (const line of [
      ['fit', few, path, '--anchors', anchors, '-o', out],
      ['predict', model, path],
      ['evaluate', model, path],
      ['doctor', path, '--anchors', anchors]
    ])
      expect(await adfa(...line)).toEqual(refused(1, /x\.jsonl:1: field "text" is not a string/))
  })

  test('files that are missing, folders, other files and no file at all are refused', async () => {
    await expectFailure(1, /nowhere: no such file; check the path/, ...['predict', model, folder.at('nowhere')])
    await expectFailure(1, /folder\.jsonl: .*no text files/, ...['predict', model, folder.at('folder.jsonl')])
    await expectFailure(1, /good\.counts: a counts file, by its name; documents/, ...['predict', model, counts])
    await expectFailure(1, /holds a model, not documents/, ...['fit', model, '--anchors', anchors, '-o', out])
    await expectFailure(2, /adfa count needs documents/, ...['count', '--anchors', anchors, '-o', out])
    await expectFailure(2, /missing required argument 'docs'/, ...['predict', model, '-o', out])
    await expectFailure(2, /\(-\) is given twice/, ...['count', '-', '-', '--anchors', anchors, '-o', out])
  })
})

describe('bad anchors', () => {
  test.each<[string, string, RegExp]>([
    ['several faults', '{"a": 3, "b": {"any": ["x"], "rate": 1}, "a": 4}', /x\.json: .*"a" is named twice.*\n.*"b": /s],
    [
      'anchors that cannot work',
      '{"__proto__": "nowhere", "a": "anchor-01", "b": ["anchor-02", "anchor-01"]}',
      /concept "__proto__": anchor 'nowhere' does not occur in any of the 300.*shared with "b".*--skip-bad-anchors/s
    ]
  ])('%s: refused', async (_, content, message) => {
    await expectFailure(1, message, ...['fit', docs, '--anchors', folder.write('x.json', content), '-o', out])
  })

  test('an anchors file that is missing, no anchors, and two ways to give them are refused', async () => {
    const count = (...more: string[]) => ['count', docs, ...more, '-o', out]
    await expectFailure(1, /nowhere: no such file/, ...count('--anchors', folder.at('nowhere')))
    await expectFailure(2, /no anchors given, and no document has votes for classes; give --anchors/, ...count())
    await expectFailure(2, /in several ways; use exactly one/, ...count('--anchors', anchors, '--like', counts))
  })
})

describe('bad counts and models', () => {
  test('counts that are damaged or no counts are refused by every command that takes counts', async () => {
    const cut = folder.write('x.counts', folder.bytes('good.counts').subarray(0, 300))
    const message = /x\.counts: .*cut short.*make it again/
    await expectFailure(1, message, ...['fit', cut, '-o', out])
    await expectFailure(1, message, ...['merge', counts, cut, '-o', out])
    await expectFailure(1, /cut short/, ...['count', docs, '--like', cut, '-o', out])
    await expectFailure(1, /docs\.jsonl: not a counts file; it holds documents/, ...['merge', docs, '-o', out])
    await expectFailure(1, /nowhere: no such file/, ...['merge', folder.at('nowhere'), '-o', out])
    await expectFailure(2, /one counts file; add up several with adfa merge/, ...['fit', counts, cut, '-o', out])
  })

  test('models that are damaged, changed by hand or no models are refused by every command that takes one', async () => {
    const text = folder.text('good.json')
    const bad: readonly [string | Uint8Array, RegExp][] = [
      [text.slice(0, 400), /x\.json: not a model file \(not valid JSON\).*; fit the model again/],
      [text.replace('concept-01', 'concept-1A'), /the file is damaged .*delete its "checksum" line/],
      ['[1, 2]', /x\.json: not a model file/],
      [folder.text('docs.jsonl'), /not a model file: it holds documents; give/],
      [folder.bytes('good.counts'), /holds counts/]
    ]
    for (const [content, message] of bad)
      await expectFailure(1, message, ...['predict', folder.write('x.json', content), few, '-o', out])
    for (const line of [
      ['evaluate', counts, docs],
      ['explain', counts, docs, '--id', '1'],
      ['export', counts, '--to', 'bif'],
      ['report', counts, '-o', out]
    ])
      expect(await adfa(...line)).toEqual(refused(1, /holds counts/))
    const renamed = text.replaceAll('concept-01', 'concept-1A').replace(/^"checksum": .*\n/m, '')
    await adfaDone`predict ${folder.write('x.json', renamed)} ${few}`
    await expectFailure(1, /nowhere: no such file/, ...['predict', folder.at('nowhere'), few])
    await expectFailure(1, /not a model file/, ...['count', docs, '--like', folder.write('x.json', '{}'), '-o', out])
  })
})

describe('outputs that cannot be written', () => {
  const commands: readonly string[][] = [
    ['count', docs, '--anchors', anchors],
    ['merge', counts],
    ['fit', counts],
    ['predict', model, few],
    ['generate', 'random', '--documents', '5']
  ]

  test.each(commands)('adfa %s ... says why it cannot write, and leaves nothing', async (...args) => {
    const unwritable = async (path: string, message: RegExp) => {
      const before = folder.names()
      const ended = await adfa(...args, '-o', path)
      expect(ended).toEqual(refused(1, message))
      expect(ended.stderr).toContain(`${path}: cannot be written: `)
      expect(folder.names()).toEqual(before)
    }
    await unwritable(folder.at('missing/out'), /its folder does not exist; create the folder first/)
    await unwritable(folder.at('folder.jsonl'), /it is a folder; give the name of a file/)
    if (existsSync('/dev/full')) await unwritable('/dev/full', /the disk is full; free some space or write elsewhere/)
  })
})
