import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {type Cell, experimentDefaults} from './experiment.ts'
import {cellName, identityOf, openResultStore} from './result-store.ts'
import {testMaterial} from './test-material.ts'

const root = mkdtempSync(join(tmpdir(), 'adfa-results-'))
afterAll(() => rmSync(root, {recursive: true, force: true}))

const {material} = testMaterial(30)
const identity = identityOf(material, '1.2.3')
const cells: readonly Cell[] = [
  {split: 0, shrinkage: '10/N'},
  {split: 1, shrinkage: '10/N'},
  {split: 1, shrinkage: 0.01}
]
const tables = (score: number | string) => ({facts: [{score}]})

describe('identityOf', () => {
  test('identityOf(...) changes with the documents, their words, their tags, the lexicon and the version', () => {
    const {documents, lexicon} = material
    const [first, ...rest] = documents
    const flipped = Int8Array.from(first.labels ?? [], value => 1 - value)
    const others = [
      {...material, documents: rest},
      {...material, documents: [{...first, key: 'other'}, ...rest]},
      {...material, documents: [{...first, labels: flipped}, ...rest]},
      {...material, documents: [{...first, words: [0, 1, 2, 3]}, ...rest]},
      {...material, lexicon: {...lexicon, phrases: ['chest pain']}}
    ]
    const hashes = [material, ...others].map(each => identityOf(each, '1.2.3').sha256)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(identityOf(material, '1.2.3')).toEqual(identity)
  })
})

describe('openResultStore', () => {
  test('openResultStore(...) keeps single results until all are there, then all in one file', async () => {
    const folder = join(root, 'kept')
    const store = await openResultStore(folder, identity, false)
    expect(await store.known('trees', cells)).toEqual([undefined, undefined, undefined])
    await store.keep('trees', {cell: cells[2], tables: tables(-1.5)})
    await store.keep('trees', {cell: cells[0], tables: tables('done')})
    const again = await openResultStore(folder, identity, false)
    expect(await again.known('trees', cells)).toEqual([tables('done'), undefined, tables(-1.5)])
    const runs = cells.map((cell, at) => ({cell, tables: tables(at)}))
    const files = await again.finish('trees', experimentDefaults, runs, new Map([['trees.svg', '<svg/>']]))
    expect(files).toEqual(['trees.svg', 'results.json'].map(name => join(folder, 'trees', name)))
    expect(readdirSync(join(folder, 'trees')).toSorted()).toEqual(['results.json', 'trees.svg'])
    expect(JSON.parse(readFileSync(join(folder, 'trees', 'results.json'), 'utf8'))).toEqual({
      experiment: 'trees',
      ...identity,
      settings: experimentDefaults,
      runs
    })
    expect(await again.known('trees', cells)).toEqual([0, 1, 2].map(tables))
    expect(await again.read('trees', 'trees.svg')).toBe('<svg/>')
    expect(await again.read('factors', 'section.html')).toBeUndefined()
  })

  test('openResultStore(...) refuses a folder with results of something else, and begins again when told to', async () => {
    const folder = join(root, 'other')
    await (await openResultStore(folder, identity, false)).keep('trees', {cell: cells[0], tables: tables(1)})
    const other = {...identity, documents: 31, sha256: 'f'}
    await expect(openResultStore(folder, other, false)).rejects.toThrow(
      /holds results of other documents, options or versions \(documents 30, now 31; sha256 .*--fresh/
    )
    const fresh = await openResultStore(folder, other, true)
    expect(await fresh.known('trees', cells)).toEqual([undefined, undefined, undefined])
  })

  test('openResultStore(...) leaves files alone that are not its own, also with --fresh', async () => {
    const folder = join(root, 'mine')
    await openResultStore(folder, identity, false)
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    await openResultStore(folder, identity, true)
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine')
  })

  test('openResultStore(...) names a result that was damaged', async () => {
    const folder = join(root, 'damaged')
    const store = await openResultStore(folder, identity, false)
    await store.keep('trees', {cell: cells[0], tables: tables(1)})
    const [name] = readdirSync(join(folder, 'trees', 'cells'))
    writeFileSync(join(folder, 'trees', 'cells', name), '{"cell"')
    await expect(store.known('trees', cells)).rejects.toThrow(
      /split=0,shrinkage=10%2FN\.json: not valid JSON.*remove the file/
    )
  })

  test('cellName(...) is another name for another cell, and none that leaves the folder', () => {
    const hostile: Cell[] = [...cells, {split: '../x'}, {split: '..'}, {name: 'a/b', other: 'c,d=e'}]
    const names = hostile.map(cellName)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[^/\\]+=[^/\\]*$/)
  })
})
