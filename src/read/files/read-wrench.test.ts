import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {wrenchClasses} from './read-wrench.ts'
import {documentFixture, failureOf, readAll, testFolder} from './test-folder.ts'

const folder = testFolder()
const train = documentFixture('wrench/train.json')
let folders = 0

/** A folder of its own, with these documents and classes. */
function written(documents: unknown, classes: unknown = {0: 'HAM', 1: 'SPAM'}): string {
  const path = join(folder.path, String(folders++))
  mkdirSync(path)
  if (classes !== 'none') writeFileSync(join(path, 'label.json'), JSON.stringify(classes))
  const text = typeof documents === 'string' ? documents : JSON.stringify(documents)
  writeFileSync(join(path, 'train.json'), text)
  return join(path, 'train.json')
}

const entry = {label: 0, weak_labels: [0, -1], data: {text: 'a'}}

describe('readWrench', () => {
  test('reads what the same documents as JSON Lines hold', async () => {
    const lines = [
      {id: '0', text: 'Win a prize now', tags: ['SPAM'], votes: {lf1: 'SPAM'}},
      {id: '1', text: 'lovely song', tags: ['HAM'], votes: {lf0: 'HAM', lf2: 'HAM'}},
      {id: '2', text: 'first', votes: {}},
      {id: '3', text: 'prize song: win', tags: ['SPAM'], votes: {lf0: 'HAM', lf1: 'SPAM', lf2: 'SPAM'}}
    ]
    const plain = await readAll(folder.file('plain.jsonl', lines.map(line => JSON.stringify(line)).join('\n')))
    expect(await readAll(train, {format: 'wrench'})).toEqual(plain)
    expect(plain[3].features).toEqual(['votes:lf0=HAM', 'votes:lf1=SPAM', 'votes:lf2=SPAM'])
  })

  test('is recognised by its content, also compressed, with a note', async () => {
    const expected = await readAll(train, {format: 'wrench'})
    const path = written({})
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(train)))
    const notes: string[] = []
    expect(await readAll(`${path}.gz`, {onNote: note => notes.push(note)})).toEqual(expected)
    expect(notes).toEqual([`${path}.gz: read as wrench, by its content`])
  })

  test('goes whole to one shard', async () => {
    const shards = [1, 2, 3].map(shard => readAll(train, {shard: {shard, of: 3}}).catch(() => []))
    expect((await Promise.all(shards)).map(rows => rows.length)).toEqual([4, 0, 0])
  })

  test('wrenchClasses(...) are those of label.json, by their numbers', async () => {
    expect(await wrenchClasses([train], undefined)).toEqual(['HAM', 'SPAM'])
    expect(await wrenchClasses([written({0: entry}, {1: 'b', 0: 'a'})], 'wrench')).toEqual(['a', 'b'])
    expect(await wrenchClasses([folder.file('x.jsonl', '{"text": "a"}')], undefined)).toBeUndefined()
    expect(await wrenchClasses([folder.file('x.json', '{"text": "a"}')], undefined)).toBeUndefined()
  })

  test.each<[string, unknown, unknown, RegExp]>([
    [
      'a class without a name',
      {0: {...entry, label: 2}},
      undefined,
      /train\.json, document "0": there is no class 2; .*0 to 1/
    ],
    ['a vote for such a class', {0: {...entry, weak_labels: [7]}}, undefined, /there is no class 7/],
    ['a vote that is no number', {0: {...entry, weak_labels: ['HAM']}}, undefined, /there is no class "HAM"/],
    [
      'documents of other sources',
      {0: entry, 1: {...entry, weak_labels: [1]}},
      undefined,
      /document "1": there are 1 weak labels; the documents before have 2/
    ],
    ['no votes', {0: {label: 0, data: {}}}, undefined, /"weak_labels" must be a list of numbers/],
    ['no data', {0: {...entry, data: 'a'}}, undefined, /document "0": "data" must be an object/],
    ['broken JSON', '{"0": {"weak_labels": ', undefined, /train\.json: not valid JSON/],
    ['a list of classes', {0: entry}, ['HAM'], /label\.json: .*it names the classes by number/],
    ['two classes of one name', {0: entry}, {0: 'a', 1: 'a'}, /different names/],
    ['numbers that begin at 1', {0: entry}, {1: 'a', 2: 'b'}, /label\.json: "0" must be text/]
  ])('refuses %s', async (_, documents, classes, message) => {
    const path = written(documents, classes)
    const {message: found} = await failureOf(() => readAll(path, {format: 'wrench'}))
    expect(found).toMatch(message)
  })

  test('refuses files of different classes, and one without label.json', async () => {
    const other = written({0: entry}, {0: 'a', 1: 'b'})
    await expect(wrenchClasses([train, other], 'wrench')).rejects.toThrow(/have different classes: .*HAM/)
    const alone = written({0: entry}, 'none')
    const {message} = await failureOf(() => readAll(alone, {format: 'wrench'}))
    expect(message).toMatch(/label\.json: .*no such file/i)
  })
})
