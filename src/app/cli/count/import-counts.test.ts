import {beforeAll, describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, generateSmall, jsonLines, testFolder} from '../test-run.ts'

const folder = testFolder()
const out = folder.at('imported.counts')
let docs = ''
let anchors = ''

beforeAll(async () => {
  ;({docs, anchors} = await generateSmall(folder))
  const documents = folder.rows('docs.jsonl') as {features: string[]}[]
  const named = new Set(Object.values(JSON.parse(folder.text('anchors.json')) as object).flatMap(anchorNames))
  const groups = new Map<string, number>()
  const words = new Map<string, number>()
  for (const {features} of documents) {
    const mask = JSON.stringify([...new Set(features)].filter(name => named.has(name)).sort())
    groups.set(mask, (groups.get(mask) ?? 0) + 1)
    for (const word of new Set(features)) {
      const key = `${JSON.stringify(mask).replaceAll('\\"', '""')},${word}`
      words.set(key, (words.get(key) ?? 0) + 1)
    }
  }
  folder.write(
    'groups.jsonl',
    [...groups].map(([mask, count]) => ({mask, documents: count}))
  )
  const lines = [...words].map(([key, count]) => `${key},${count}`)
  folder.write('words-1.csv', `mask,word,documents\n${lines.slice(0, 50).join('\n')}\n`)
  folder.write('words-2.csv', `mask,word,documents\n${lines.slice(50).join('\n')}\n`)
})

function anchorNames(entry: string | string[] | {any: string[]}): string[] {
  return typeof entry === 'string' ? [entry] : Array.isArray(entry) ? entry : entry.any
}

const tables = () => ['groups.jsonl', 'words-1.csv', 'words-2.csv'].map(name => folder.at(name))

describe('adfa import-counts', () => {
  test('adfa import-counts makes, from two grouped tables, the counts of the documents, byte for byte', async () => {
    await adfaDone(
      'count',
      docs,
      '--anchors',
      anchors,
      '--text',
      '',
      '--vocabulary',
      '30',
      '-o',
      folder.at('all.counts')
    )
    const options = ['--anchors', anchors, '--vocabulary', '30', '-o', out]
    expect(await adfaDone('import-counts', ...tables(), ...options)).toMatch(
      /^600 documents, 5 concepts, 30 words, \d+ anchor patterns\nwrote .*imported\.counts\n$/
    )
    expect(folder.bytes('imported.counts')).toEqual(folder.bytes('all.counts'))
    expect(await adfaJson('import-counts', ...tables().reverse(), ...options)).toMatchObject({
      file: out,
      documents: 600,
      concepts: 5,
      words: 30,
      skippedAnchors: []
    })
    expect(folder.bytes('imported.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('adfa import-counts --like counts the words of other counts, and says what groups cannot tell', async () => {
    const like = folder.at('like.counts')
    await adfaDone('count', docs, '--anchors', anchors, '--label-share', '1', '--min-tags', '1', '-o', like)
    const {code, stderr} = await adfa('import-counts', ...tables(), '--like', like, '-o', out)
    expect(code).toBe(0)
    expect(stderr).toMatch(/groups hold no labels/)
    expect(stderr).toMatch(/documents with at least 1 of 5 tags; the queries must leave the others out/)
    expect(stderr).not.toMatch(/in no group/)
  })

  test('adfa import-counts --like says which anchors and words stand in no group', async () => {
    const like = folder.at('plain.counts')
    await adfaDone('count', docs, '--anchors', anchors, '-o', like)
    const path = folder.write('few.jsonl', jsonLines([{mask: [], documents: 3}]))
    const {code, stderr} = await adfa('import-counts', path, '--like', like, '-o', out)
    expect(code).toBe(0)
    expect(stderr).toMatch(/5 of 5 features of anchors occur in no group: '[^']+', .* and 2 more; does the first query/)
    expect(stderr).toMatch(/\d+ of \d+ words of the vocabulary occur in no group: .*; does the second query/)
  })

  test('adfa import-counts refuses anchors given twice or not at all, options that --like settles, and anchors that never fire', async () => {
    const cases: [string[], number, RegExp][] = [
      [[], 2, /no anchors given; use exactly one of --anchors FILE and --like FILE/],
      [['--anchors', anchors, '--like', folder.at('all.counts')], 2, /anchors given in two ways/],
      [['--like', folder.at('all.counts'), '--vocabulary', '5'], 2, /--vocabulary cannot change anything here: --like/],
      [['--anchors', folder.write('ghost.json', '{"ghost": "nowhere"}')], 1, /concept "ghost": .*nowhere/]
    ]
    for (const [options, exit, message] of cases) {
      const {code, stdout, stderr} = await adfa(
        'import-counts',
        ...tables(),
        ...options,
        '-o',
        folder.at('none.counts')
      )
      expect([code, stdout]).toEqual([exit, ''])
      expect(stderr).toMatch(message)
    }
    expect(folder.names().filter(name => /none|tmp/.test(name))).toEqual([])
  })
})
