import {gzipSync} from 'node:zlib'
import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {type Counts, countsFromBytes} from '../../../read/counts/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {adfa, adfaDone, adfaJson, documentFixture, generateSmall, jsonLines, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(150, rng(1))
let small: Awaited<ReturnType<typeof generateSmall>>

beforeAll(async () => {
  small = await generateSmall(folder)
  folder.write('questions.jsonl', questions)
  folder.write('tools.json', JSON.stringify({python: 'title:python', git: ['git', 'text:branch']}))
})

/** Count with the given arguments and read the file back. */
async function countsOf(...args: readonly string[]): Promise<Counts> {
  await adfaDone('count', ...args, '-o', folder.at('read-back.counts'), '--quiet')
  return countsFromBytes(folder.bytes('read-back.counts'), 'read-back.counts')
}

describe('adfa count', () => {
  test('adfa count ... writes the counts and says what they hold', async () => {
    const {code, stdout, stderr} = await adfa(
      'count',
      small.docs,
      '--anchors',
      small.anchors,
      '-o',
      folder.at('x.counts'),
      '--quiet'
    )
    expect([code, stderr]).toEqual([0, ''])
    const counts = countsFromBytes(folder.bytes('x.counts'), 'x.counts')
    expect(counts.documentCount).toBe(600)
    expect(stdout).toBe(
      `600 documents, 5 concepts, 40 words, ${counts.patternCount} anchor patterns\nwrote ${folder.at('x.counts')}\n`
    )
  })

  test('adfa count --json prints one JSON document and nothing else', async () => {
    const result = await adfaJson('count', small.docs, '--anchors', small.anchors, '-o', folder.at('x.counts'))
    const {patternCount: patterns} = countsFromBytes(folder.bytes('x.counts'), 'x.counts')
    const file = folder.at('x.counts')
    expect(result).toEqual({file, documents: 600, concepts: 5, words: 40, patterns, skippedAnchors: []})
  })

  test('adfa count ... gives the same bytes every time, and for the rows in another order', async () => {
    const args = ['--anchors', small.anchors, '--label-share', '0.5', '--seed', '3']
    await adfaDone('count', small.docs, ...args, '-o', folder.at('once.counts'))
    await adfaDone('count', small.docs, ...args, '-o', folder.at('twice.counts'))
    const backwards = folder.write(
      'backwards.jsonl',
      folder.text('docs.jsonl').trimEnd().split('\n').toReversed().join('\n')
    )
    await adfaDone('count', backwards, ...args, '-o', folder.at('backwards.counts'))
    expect(folder.bytes('twice.counts')).toEqual(folder.bytes('once.counts'))
    expect(folder.bytes('backwards.counts')).toEqual(folder.bytes('once.counts'))
    await adfaDone('count', small.docs, ...args, '--seed', '4', '-o', folder.at('seed.counts'))
    expect(folder.bytes('seed.counts')).not.toEqual(folder.bytes('once.counts'))
  })

  test('adfa count A B reads several files one after the other', async () => {
    const parts = [questions.slice(0, 40), questions.slice(40, 41), questions.slice(41)]
    const paths = parts.map((part, at) => folder.write(`part-${at}.jsonl`, part))
    const whole = await countsOf(folder.at('questions.jsonl'), '--anchors', folder.at('tools.json'))
    expect(await countsOf(...paths, '--anchors', folder.at('tools.json'))).toEqual(whole)
  })

  test('adfa count -o x.counts.gz writes compressed counts, which adfa count --like can read', async () => {
    const anchors = folder.at('tools.json')
    const plain = await countsOf(folder.at('questions.jsonl'), '--anchors', anchors)
    await adfaDone('count', folder.at('questions.jsonl'), '--anchors', anchors, '-o', folder.at('x.counts.gz'))
    expect(await countsOf(folder.at('questions.jsonl'), '--like', folder.at('x.counts.gz'))).toEqual(plain)
  })
})

describe('adfa count, formats', () => {
  const rows = questions.map(({id, tags}, at) => ({
    id,
    features: ['1', '2', '3', '4', '5', '6', '7'].filter((_, j) => (at * 7919 + j * j * 31) % 5 < 2),
    tags
  }))
  const table = (separator: string, list: string) =>
    ['id,features,tags', ...rows.map(({id, features, tags}) => [id, features.join(list), tags.join(list)].join())]
      .map(line => `${line.replaceAll(',', separator)}\n`)
      .join('')

  test('adfa count gives the same counts for the same documents in every format', async () => {
    const anchors = folder.write('digits.json', '{"one": "1", "three": ["3", "4"]}')
    const svmlight = rows.map(({features, tags}) => `${tags.join()} ${features.map(name => `${name}:1`).join(' ')}\n`)
    const files = [
      folder.write('rows.jsonl', rows),
      folder.write('rows.jsonl.gz', gzipSync(jsonLines(rows))),
      folder.write('rows.csv', table(',', '|')),
      folder.write('rows.tsv', table('\t', '|')),
      folder.write('rows.svm', svmlight.join(''))
    ]
    const whole = await countsOf(files[0], '--anchors', anchors)
    expect(whole.documentCount).toBe(rows.length)
    expect(whole.lexicon.words).toEqual(['2', '5', '6', '7'])
    for (const file of files.slice(1)) expect(await countsOf(file, '--anchors', anchors)).toEqual(whole)
  })

  test('adfa count reads tags from every format that has them', async () => {
    const anchors = folder.write('marks.json', '{"python": "1", "git": "2"}')
    const labels = ['--anchors', anchors, '--label-share', '1']
    const whole = await countsOf(folder.at('rows.jsonl'), ...labels)
    expect(whole.labelled.reduce((sum, cell) => sum + cell, 0)).toBe(2 * rows.length)
    for (const name of ['rows.csv', 'rows.tsv', 'rows.svm'])
      expect((await countsOf(folder.at(name), ...labels)).labelled).toEqual(whole.labelled)
  })

  test('adfa count reads the notes of the fixtures in gzip, Zstandard, CSV and TSV alike', async () => {
    const anchors = folder.write('notes.json', '{"alcohol": "etoh", "pain": "chest pain", "code": "code:V70"}')
    const whole = await countsOf(documentFixture('notes.jsonl'), '--anchors', anchors)
    expect([whole.documentCount, whole.patternCount]).toEqual([3, 3])
    expect(whole.lexicon.words).toContain('__proto__')
    expect(whole.lexicon.words).toContain('title:constructor')
    for (const name of ['notes.jsonl.gz', 'notes.jsonl.zst', 'frames.jsonl.zst', 'notes.csv', 'notes.tsv'])
      expect(await countsOf(documentFixture(name), '--anchors', anchors)).toEqual(whole)
  })

  test('adfa count --format and --separator read what a name does not tell', async () => {
    const anchors = folder.at('digits.json')
    const whole = await countsOf(folder.at('rows.jsonl'), '--anchors', anchors)
    const unnamed = folder.write('rows.data', table(',', ';'))
    const read = await countsOf(unnamed, '--format', 'csv', '--separator', ';', '--anchors', anchors)
    const reading = {...whole.lexicon.reading, separator: ';'}
    expect(read).toEqual({...whole, lexicon: {...whole.lexicon, reading}})
  })
})

describe('adfa count, words', () => {
  const anchors = () => ['--anchors', folder.at('tools.json')]

  test('adfa count --text names the fields that are read', async () => {
    const {words, reading} = (
      await countsOf(folder.at('questions.jsonl'), '--text', 'text', ...anchors(), '--skip-bad-anchors')
    ).lexicon
    expect(reading.text).toEqual(['text'])
    expect(words.length).toBeGreaterThan(10)
    expect(words.every(word => word.startsWith('text:'))).toBe(true)
  })

  test('adfa count --vocabulary and --max-share keep the commonest words, but not those that stand everywhere', async () => {
    const all = (await countsOf(folder.at('questions.jsonl'), ...anchors(), '--max-share', '1')).lexicon.words
    const few = (await countsOf(folder.at('questions.jsonl'), ...anchors(), '--vocabulary', '3')).lexicon.words
    expect(few).toHaveLength(6)
    expect(all).toEqual(expect.arrayContaining([...few]))
    const share = (word: string) => {
      const [field, token] = word.split(':')
      const having = questions.filter(row => (field === 'title' ? row.title : row.text).split(' ').includes(token))
      return having.length / questions.length
    }
    const rare = (await countsOf(folder.at('questions.jsonl'), ...anchors(), '--max-share', '0.2')).lexicon.words
    expect(rare).toEqual(all.filter(word => share(word) <= 0.2))
    expect(rare.length).toBeLessThan(all.length)
  })

  test('adfa count --keep-case leaves capital letters', async () => {
    const path = folder.write('case.jsonl', [{text: 'IT it git'}, {text: 'It'}, {text: 'IT'}])
    const git = folder.write('git.json', '{"git": "git"}')
    const words = async (...more: string[]) =>
      (await countsOf(path, '--anchors', git, '--max-share', '1', ...more)).lexicon.words
    expect(await words()).toEqual(['text:it'])
    expect(await words('--keep-case')).toEqual(['text:IT', 'text:It', 'text:it'])
  })
})

describe('adfa count, tags', () => {
  test('adfa count --anchors-from-tags --top-tags --min-tags --of-top is the rule and the filter of the paper', async () => {
    const filter = ['--min-tags', '2', '--of-top', '4']
    const counts = await countsOf(
      folder.at('questions.jsonl'),
      '--anchors-from-tags',
      'title',
      '--top-tags',
      '3',
      ...filter
    )
    const tags = questions.flatMap(question => question.tags)
    const count = (name: string) => tags.filter(tag => tag === name).length
    const ranking = [...new Set(tags)].sort((a, b) => count(b) - count(a) || (a < b ? -1 : 1))
    expect(counts.lexicon.anchors.map(({concept}) => concept)).toEqual(ranking.slice(0, 3))
    for (const {any} of counts.lexicon.anchors) expect(any.every(name => name.startsWith('title:'))).toBe(true)
    expect(counts.lexicon.filter).toEqual({minTags: 2, tags: ranking.slice(0, 4)})
    const kept = questions.filter(row => row.tags.filter(tag => ranking.slice(0, 4).includes(tag)).length >= 2)
    expect(counts.documentCount).toBe(kept.length)
  })

  test('adfa count reads tags for labels only when --label-share asks for them', async () => {
    const args = [folder.at('questions.jsonl'), '--anchors', folder.at('tools.json')]
    const labelled = async (...more: string[]) => (await countsOf(...args, ...more)).labelled
    expect((await labelled()).every(cell => cell === 0)).toBe(true)
    const all = await labelled('--label-share', '1')
    const python = questions.map(({tags, title}) => 2 * Number(tags.includes('python')) + Number(/python/.test(title)))
    expect([...all.slice(0, 4)]).toEqual([0, 1, 2, 3].map(cell => python.filter(found => found === cell).length))
    const some = await labelled('--label-share', '0.4')
    const drawn = some.slice(0, 4).reduce((sum, cell) => sum + cell, 0)
    // 5 standard deviations of a binomial count.
    expect(Math.abs(drawn - 0.4 * 150)).toBeLessThan(5 * Math.sqrt(150 * 0.4 * 0.6))
    expect(await labelled('--label-share', '0.4', '--seed', '1')).not.toEqual(some)
  })

  test('adfa count --skip-bad-anchors says what it left out on standard error and in the JSON', async () => {
    const anchors = folder.write('ghost.json', '{"python": "title:python", "ghost": "nowhere", "all": "text:/^/"}')
    const args = ['count', folder.at('questions.jsonl'), '--anchors', anchors, '-o', folder.at('ghost.counts')]
    const refused = await adfa(...args)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(
      /concept "ghost": anchor 'nowhere' does not occur in any of the 150 documents.*--skip-bad-anchors/s
    )
    expect(folder.names()).not.toContain('ghost.counts')
    const {code, stdout, stderr} = await adfa(...args, '--skip-bad-anchors', '--json')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^left out: concept "ghost": anchor 'nowhere' does not occur/m)
    expect(JSON.parse(stdout)).toMatchObject({concepts: 1, skippedAnchors: [{concept: 'ghost'}, {concept: 'all'}]})
    const {lexicon} = countsFromBytes(folder.bytes('ghost.counts'), 'ghost.counts')
    expect(lexicon.skipped.map(({concept}) => concept)).toEqual(['ghost', 'all'])
  })
})

describe('adfa count --like', () => {
  test('adfa count --like takes anchors, words and filter of counts or of a model, whatever the documents hold', async () => {
    const whole = await countsOf(folder.at('questions.jsonl'), '--anchors', folder.at('tools.json'), '--min-tags', '2')
    folder.write('whole.counts', folder.bytes('read-back.counts'))
    const few = folder.write('few.jsonl', questions.slice(0, 9))
    const like = await countsOf(few, '--like', folder.at('whole.counts'))
    expect(like.lexicon).toEqual(whole.lexicon)
    expect(like.documentCount).toBe(questions.slice(0, 9).filter(({tags}) => tags.length >= 2).length)
  })

  test('adfa count --like a model counts the words and anchors of the model', async () => {
    const like = await countsOf(small.docs, '--like', small.truth)
    const plain = await countsOf(small.docs, '--anchors', small.anchors)
    expect(like.lexicon.words).toEqual(plain.lexicon.words)
    expect(like.patternDocuments).toEqual(plain.patternDocuments)
    expect(like.wordCounts).toEqual(plain.wordCounts)
  })

  test('adfa count --like takes the share of labelled documents and the seed over, so that the counts can be merged', async () => {
    const args = ['--anchors', folder.at('tools.json'), '--label-share', '0.5', '--seed', '9']
    await countsOf(folder.at('questions.jsonl'), ...args)
    folder.write('labelled.counts', folder.bytes('read-back.counts'))
    const like = await countsOf(folder.at('questions.jsonl'), '--like', folder.at('labelled.counts'))
    expect([like.labelShare, like.seed]).toEqual([0.5, 9])
  })
})
