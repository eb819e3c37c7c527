import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {adfa, adfaDone, adfaJson, documentFixture, generateSmall, jsonLines, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(150, rng(1))
const small = await generateSmall(folder)
const docs = folder.write('questions.jsonl', questions)
const tools = JSON.stringify({python: 'title:python', git: ['git', 'text:branch']})
const anchors = ['--anchors', folder.write('tools.json', tools)]
const out = folder.at('x.counts')

/** Count with the given arguments and read the file back. */
async function countsOf(...args: readonly string[]) {
  await adfaDone`count ${args} -o ${folder.at('read.counts')} --quiet`
  return folder.counts('read.counts')
}

describe('adfa count', () => {
  test('writes the counts and says what they hold, as text or as JSON', async () => {
    const args = ['count', small.docs, '--anchors', small.anchors, '-o', out]
    const printed = await adfa`${args} --quiet`
    const {documentCount, patternCount: patterns} = folder.counts('x.counts')
    expect(documentCount).toBe(600)
    const stdout = `600 documents, 5 concepts, 40 words, ${patterns} anchor patterns\nwrote ${out}\n`
    expect(printed).toEqual({code: 0, stdout, stderr: ''})
    const told = {file: out, documents: 600, concepts: 5, words: 40, patterns, skippedAnchors: []}
    expect(await adfaJson(...args)).toEqual(told)
  })

  test('gives the same bytes every time, for the rows in another order, and in several files', async () => {
    const args = [...anchors, '--label-share', '0.5', '--seed', '3']
    const whole = await countsOf(docs, ...args)
    expect(await countsOf(docs, ...args)).toEqual(whole)
    const backwards = folder.write('backwards.jsonl', questions.toReversed())
    expect(await countsOf(backwards, ...args)).toEqual(whole)
    const parts = [questions.slice(0, 40), questions.slice(40)].map((part, at) => folder.write(`${at}.jsonl`, part))
    expect(await countsOf(...parts, ...args)).toEqual(whole)
    expect((await countsOf(docs, ...args, '--seed', '4')).labelled).not.toEqual(whole.labelled)
  })

  test('gives the same counts for the same documents in every format', async () => {
    const notes = JSON.stringify({alcohol: 'etoh', pain: 'chest pain', code: 'code:V70'})
    const given = ['--anchors', folder.write('notes.json', notes)]
    const whole = await countsOf(documentFixture('notes.jsonl'), ...given)
    expect([whole.documentCount, whole.patternCount]).toEqual([3, 3])
    expect(whole.lexicon.words).toEqual(expect.arrayContaining(['__proto__', 'title:constructor']))
    for (const name of ['notes.jsonl.gz', 'notes.jsonl.zst', 'notes.csv', 'notes.tsv'])
      expect(await countsOf(documentFixture(name), ...given)).toEqual(whole)
    const rows = Array.from({length: 30}, (_, at) => ({features: ['1', '2', '3'].filter((_, j) => at % (j + 2) > 0)}))
    const digits = ['--anchors', folder.write('digits.json', '{"one": "1", "three": "3"}')]
    const features = await countsOf(folder.write('rows.jsonl.gz', gzipSync(jsonLines(rows))), ...digits)
    const svmlight = rows.map(row => `a ${row.features.map(name => `${name}:1`).join(' ')}\n`)
    expect(await countsOf(folder.write('rows.svm', svmlight.join('')), ...digits)).toEqual(features)
    const table = ['features', ...rows.map(row => row.features.join(';'))].join('\n')
    const told = await countsOf(folder.write('r.data', table), '--format', 'csv', '--separator', ';', ...digits)
    expect(told.wordCounts).toEqual(features.wordCounts)
  })

  test('--text, --vocabulary, --max-share and --keep-case choose the words', async () => {
    const words = async (...args: readonly string[]) => (await countsOf(docs, ...anchors, ...args)).lexicon.words
    const all = await words('--max-share', '1')
    const few = await words('--vocabulary', '3')
    expect(few).toHaveLength(6)
    expect(all).toEqual(expect.arrayContaining([...few]))
    const rare = await words('--max-share', '0.2')
    expect(all).toEqual(expect.arrayContaining([...rare]))
    expect(rare.length).toBeLessThan(all.length)
    const own = await words('--text', 'text', '--skip-bad-anchors')
    expect([own.length > 10, own.every(word => word.startsWith('text:'))]).toEqual([true, true])
    const cased = folder.write('case.jsonl', [{text: 'IT it git python'}, {text: 'It'}])
    const git = ['--anchors', folder.write('git.json', '{"git": "git"}'), '--max-share', '1', '--keep-case']
    expect((await countsOf(cased, ...git)).lexicon.words).toEqual(['text:IT', 'text:It', 'text:it', 'text:python'])
  })

  test('--anchors-from-tags --top-tags --min-tags --of-top is the rule and the filter of the paper', async () => {
    const rule = ['--anchors-from-tags', 'title', '--top-tags', '3', '--min-tags', '2', '--of-top', '4']
    const {lexicon, documentCount} = await countsOf(docs, ...rule)
    const tags = questions.flatMap(question => question.tags)
    const count = (name: string) => tags.filter(tag => tag === name).length
    const ranking = [...new Set(tags)].sort((a, b) => count(b) - count(a) || (a < b ? -1 : 1))
    expect(lexicon.anchors.map(({concept}) => concept)).toEqual(ranking.slice(0, 3))
    for (const {any} of lexicon.anchors) expect(any.every(name => name.startsWith('title:'))).toBe(true)
    expect(lexicon.filter).toEqual({minTags: 2, tags: ranking.slice(0, 4)})
    const kept = questions.filter(row => row.tags.filter(tag => ranking.slice(0, 4).includes(tag)).length >= 2)
    expect(documentCount).toBe(kept.length)
  })

  test('reads tags for labels only when --label-share asks for them', async () => {
    const labelled = async (...more: string[]) => [...(await countsOf(docs, ...anchors, ...more)).labelled.slice(0, 4)]
    expect(await labelled()).toEqual([0, 0, 0, 0])
    const python = questions.map(({tags, title}) => 2 * Number(tags.includes('python')) + Number(/python/.test(title)))
    const cells = [0, 1, 2, 3].map(cell => python.filter(found => found === cell).length)
    expect(await labelled('--label-share', '1')).toEqual(cells)
    const some = (await labelled('--label-share', '0.4')).reduce((sum, cell) => sum + cell, 0)
    // 5 standard deviations of a binomial count.
    expect(Math.abs(some - 0.4 * 150)).toBeLessThan(5 * Math.sqrt(150 * 0.4 * 0.6))
  })

  test('--skip-bad-anchors says what it left out on standard error and in the JSON', async () => {
    const bad = folder.write('ghost.json', '{"python": "title:python", "ghost": "nowhere", "all": "text:/^/"}')
    const {code, stdout, stderr} = await adfa`count ${docs} --anchors ${bad} --skip-bad-anchors -o ${out} --json`
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^left out: concept "ghost": .*does not occur/m)])
    const skipped = [{concept: 'ghost'}, {concept: 'all'}]
    expect(JSON.parse(stdout)).toMatchObject({concepts: 1, skippedAnchors: skipped})
    expect(folder.counts('x.counts').lexicon.skipped).toMatchObject(skipped)
  })
})

describe('adfa count --like', () => {
  test('takes anchors, words, filter, share of labels and seed of counts, also compressed', async () => {
    const learning = [...anchors, '--min-tags', '2', '--label-share', '0.5', '--seed', '9']
    const whole = await countsOf(docs, ...learning)
    await adfaDone`count ${docs} ${learning} -o ${folder.at('whole.counts.gz')}`
    const like = await countsOf(
      folder.write('few.jsonl', questions.slice(0, 9)),
      '--like',
      folder.at('whole.counts.gz')
    )
    expect(like).toMatchObject({lexicon: whole.lexicon, labelShare: 0.5, seed: 9})
    expect(like.documentCount).toBe(questions.slice(0, 9).filter(({tags}) => tags.length >= 2).length)
  })

  test('takes words and anchors of a model, and refuses to be told how to read', async () => {
    const like = await countsOf(small.docs, '--like', small.truth)
    const {wordCounts, patternDocuments} = await countsOf(small.docs, '--anchors', small.anchors)
    expect(like).toMatchObject({wordCounts, patternDocuments})
    for (const option of ['--category sex', '--number age:5', '--list drugs', '--negation', '--separator ;'])
      expect(await adfa`count ${small.docs} --like ${small.truth} ${option.split(' ')} -o ${out}`).toEqual(
        refused(2, new RegExp(`${option.split(' ')[0]} cannot change anything here`))
      )
  })
})
