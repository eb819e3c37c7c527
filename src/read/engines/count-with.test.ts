import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {countCorpus, countsToBytes} from '../counts/index.ts'
import {type Anchors, anchorsFromTags, buildCorpus} from '../data/index.ts'
import {anchorsOf, anyDocument} from '../data/test-rows.ts'
import {openDocuments} from '../files/index.ts'
import {failureOf, refusalOf, testFolder} from '../files/test-folder.ts'
import {type AnchorSource, type CountingOptions, countDocuments} from './count-with.ts'
import type {CountingStage} from './counting-engine.ts'
import {drawQuestions, sourceOf} from './test-source.ts'

const folder = testFolder()
const questions = drawQuestions(120, rng(1))
const anchors = anchorsOf({python: 'title:python', git: ['git', 'text:branch'], regex: {any: ['regex'], not: ['how']}})

const given = (list: Anchors) => ({kind: 'given', anchors: list}) as const
const bytesOf = async (...args: Parameters<typeof countDocuments>) => countsToBytes(await countDocuments(...args))

test('countDocuments(...) equals buildCorpus and countCorpus, byte for byte, whatever the batches', async () => {
  const document = fc
    .record({id: fc.nat(9), tags: fc.subarray(['a', 'q', 'other'])})
    .chain(extra => anyDocument.map(row => ({...row, ...extra})))
  const list = anchorsOf({a: 'a', q: ['q', 'title:b-c'], veto: {any: ['c++'], not: ['text:d']}})
  const options = {vocabulary: 4, maxShare: 0.8, skipBadAnchors: true}
  const rows = fc.array(document, {minLength: 1, maxLength: 30})
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({min: 1, max: 9}), async (rows, batchSize) => {
      let expected: Uint8Array
      try {
        expected = countsToBytes(countCorpus(buildCorpus(rows, list, options), {labelShare: 0.5, seed: 3}))
      } catch (error) {
        // No anchor works in these rows: both ways must say the same.
        const failure = await failureOf(() => countDocuments(sourceOf(rows, batchSize), given(list), options))
        expect(failure.message).toBe(error instanceof Error ? error.message : error)
        return
      }
      const streaming = {...options, labelShare: 0.5, seed: 3}
      expect(await bytesOf(sourceOf(rows, batchSize), given(list), streaming)).toEqual(expected)
    }),
    {numRuns: 50}
  )
})

test('countDocuments(...) counts every word of a document in whose middle the tables grow', async () => {
  // 4,000 words, each in one or two documents; the first tables have room for 1,024.
  const documents = Array.from({length: 300}, (_, at) => [
    ...Array.from({length: 20}, (_, k) => `w${(20 * at + k) % 4000}`),
    ...(at < 100 ? ['a'] : [])
  ])
  const source = sourceOf(documents.map(features => ({features})))
  const {lexicon} = await countDocuments(source, given(anchorsOf({a: 'a'})), {vocabulary: 5000})
  expect(lexicon.words).toEqual([...new Set(documents.flat())].filter(word => word !== 'a').sort())
})

describe('countDocuments(...) and tags', () => {
  const tags = questions.flatMap(question => question.tags)
  const count = (name: string) => tags.filter(tag => tag === name).length
  const ranking = [...new Set(tags)].sort((a, b) => count(b) - count(a) || (a < b ? -1 : 1))

  test('countDocuments(...) takes the commonest tags, each its own anchor, and all of them as phrases', async () => {
    const counts = await countDocuments(sourceOf(questions), {kind: 'tags', fields: ['title'], topTags: 3})
    const corpus = buildCorpus(questions, anchorsFromTags(ranking.slice(0, 3), ['title']), {phrases: ranking})
    expect(countsToBytes(counts)).toEqual(countsToBytes(countCorpus(corpus)))
  })

  test('countDocuments(...) with minTags counts only documents with as many of the commonest tags', async () => {
    const top = ranking.slice(0, 3)
    const kept = questions.filter(({tags}) => tags.filter(tag => top.includes(tag)).length >= 2)
    for (const source of [given(anchors), {kind: 'tags', fields: ['title'], topTags: 5} as const]) {
      const counts = await countDocuments(sourceOf(questions), source, {minTags: 2, ofTop: 3, skipBadAnchors: true})
      expect([counts.documentCount, counts.lexicon.filter]).toEqual([kept.length, {minTags: 2, tags: top}])
    }
  })

  test('countDocuments(...) with labels counts those instead of the tags, and filters by tags all the same', async () => {
    const labels = new Map([0, 1].map(at => [String(questions[at].id), new Map([['python', at === 0]])]))
    const countsOf = (options: object, control?: object) =>
      countDocuments(sourceOf(questions), given(anchors), {labelShare: 1, ...options}, control)
    const {labelled} = await countsOf({}, {labels})
    expect(labelled.reduce((sum, count) => sum + count)).toBe(2)
    const [filtered, plain] = await Promise.all([countsOf({minTags: 2}, {labels}), countsOf({minTags: 2})])
    expect(filtered.documentCount).toBe(plain.documentCount)
  })

  test('countDocuments(...) draws the labelled share by id, so that other rows do not change it', async () => {
    const options = {labelShare: 0.4, seed: 5}
    const {lexicon} = await countDocuments(sourceOf(questions), given(anchors), options)
    const labelled = async (rows: readonly unknown[], seed = 5) =>
      (await countDocuments(sourceOf(rows), {kind: 'lexicon', lexicon}, {...options, seed})).labelled
    const [a, b, whole] = await Promise.all(
      [questions.slice(0, 60), questions.slice(60), questions].map(rows => labelled(rows))
    )
    expect(a.map((cell, at) => cell + b[at])).toEqual(whole)
    const drawn = whole.slice(0, 4).reduce((sum, cell) => sum + cell, 0)
    // 5 standard deviations of a binomial count.
    expect(Math.abs(drawn - 0.4 * 120)).toBeLessThan(5 * Math.sqrt(120 * 0.4 * 0.6))
    expect(await labelled(questions, 6)).not.toEqual(whole)
  })
})

describe('countDocuments(...) passes', () => {
  const stage = (name: CountingStage) => [50, 100, 120].map(documents => [name, documents])
  /** From what the pass for the vocabulary kept. */
  const counting = [['counting', 120]]
  const [tags, vocabulary] = [stage('tags'), stage('vocabulary')]
  const ghost = anchorsOf({python: 'title:python', ghost: 'nowhere'})

  test.each<[string, AnchorSource, Partial<CountingOptions>, number, unknown[]]>([
    ['given anchors once', given(anchors), {}, 1, [vocabulary, counting]],
    ['tags first, for anchors', {kind: 'tags', fields: ['title'], topTags: 2}, {}, 2, [tags, vocabulary, counting]],
    ['tags first, for the filter', given(anchors), {minTags: 1}, 2, [tags, vocabulary, counting]],
    ['again without bad anchors', given(ghost), {skipBadAnchors: true}, 2, [vocabulary, vocabulary, counting]]
  ])('countDocuments(...) reads %s, and tells how far it is', async (_, anchorSource, options, passes, steps) => {
    const source = sourceOf(questions, 50)
    const seen: unknown[] = []
    await countDocuments(source, anchorSource, options, {onProgress: (...step) => seen.push(step)})
    expect([source.passes, seen]).toEqual([passes, steps.flat()])
  })

  test('countDocuments(..., signal) stops when it is told to, in any pass', async () => {
    const path = folder.file('questions.jsonl', questions.map(row => `${JSON.stringify(row)}\n`).join(''))
    const open = () => openDocuments([path, path, path], {text: ['title', 'text']})
    for (const last of ['tags', 'vocabulary', 'counting']) {
      const controller = new AbortController()
      const seen: CountingStage[] = []
      const onProgress = (at: CountingStage) => {
        seen.push(at)
        if (at === last) controller.abort()
      }
      const control = {signal: controller.signal, onProgress}
      await refusalOf(() => countDocuments(open(), given(anchors), {minTags: 1}, control), 'cancelled')
      expect([seen.filter(at => at === last), seen.at(-1)]).toEqual([[last], last])
    }
    await refusalOf(() => countDocuments(open(), given(anchors), {}, {signal: AbortSignal.abort()}), 'cancelled')
  })

  test.each([
    [{vocabulary: 1.5}, /`vocabulary` must be a whole number, at least 1; got 1.5/],
    [{labelShare: 2}, /`labelShare` must be a number from 0 to 1; got 2/],
    [{vocabluary: 10}, /no option "vocabluary"; did you mean "vocabulary"/]
  ])('countDocuments(...) refuses the option %o before it reads anything', async (options: object, message) => {
    const source = sourceOf(questions)
    expect(await refusalOf(() => countDocuments(source, given(anchors), options), 'bad-option')).toMatch(message)
    expect(source.passes).toBe(0)
  })
})
