import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {countCorpus, countsToBytes} from '../counts/index.ts'
import {type Anchors, anchorsFromTags, buildCorpus} from '../data/index.ts'
import {anchorsOf, anyDocument} from '../data/test-rows.ts'
import {openDocuments} from '../files/index.ts'
import {failureOf, testFolder} from '../files/test-folder.ts'
import {type AnchorSource, type CountingOptions, countDocuments} from './count-with.ts'
import type {CountingStage} from './counting-engine.ts'
import {drawQuestions, sourceOf} from './test-source.ts'

const folder = testFolder()
const questions = drawQuestions(120, rng(1))
const anchors = anchorsOf({python: 'title:python', git: ['git', 'text:branch'], regex: {any: ['regex'], not: ['how']}})

const given = (list: Anchors) => ({kind: 'given', anchors: list}) as const
const bytesOf = async (...args: Parameters<typeof countDocuments>) => countsToBytes(await countDocuments(...args))

test('countDocuments(...) with labels counts those instead of the tags in the rows, and filters by tags all the same', async () => {
  const labels = new Map([
    [String(questions[0].id), new Map([['python', true]])],
    [String(questions[1].id), new Map([['python', false]])]
  ])
  const source = sourceOf(questions, 50)
  const {labelled} = await countDocuments(source, given(anchors), {labelShare: 1}, {labels})
  expect(labelled.reduce((sum, count) => sum + count)).toBe(2)
  const filtered = await countDocuments(source, given(anchors), {labelShare: 1, minTags: 2}, {labels})
  expect(filtered.documentCount).toBe(
    (await countDocuments(source, given(anchors), {labelShare: 1, minTags: 2})).documentCount
  )
})

describe('countDocuments(...) and the corpus in memory', () => {
  test('countDocuments(...) equals buildCorpus and countCorpus, byte for byte, whatever the batches', async () => {
    const document = fc
      .record({id: fc.nat(9), tags: fc.subarray(['a', 'q', 'other'])})
      .chain(extra => anyDocument.map(row => ({...row, ...extra})))
    const list = anchorsOf({a: 'a', q: ['q', 'title:b-c'], veto: {any: ['c++'], not: ['text:d']}})
    const options = {vocabulary: 4, maxShare: 0.8, skipBadAnchors: true}
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, {minLength: 1, maxLength: 30}),
        fc.integer({min: 1, max: 9}),
        async (rows, batchSize) => {
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
        }
      ),
      {numRuns: 50}
    )
  })

  test('countDocuments(...) gives the same bytes for the rows in any order', async () => {
    const mixed = shuffled(questions, rng(2))
    expect(mixed).not.toEqual(questions)
    const options = {labelShare: 0.3, minTags: 2}
    expect(await bytesOf(sourceOf(mixed), given(anchors), options)).toEqual(
      await bytesOf(sourceOf(questions), given(anchors), options)
    )
  })

  test('countDocuments(...) by tags takes the commonest tags, each its own anchor, and all of them as phrases', async () => {
    const source = {kind: 'tags', fields: ['title'], topTags: 3} as const
    const counts = await countDocuments(sourceOf(questions), source)
    const ranking = rankTags()
    expect(counts.lexicon.anchors.map(({concept}) => concept)).toEqual(ranking.slice(0, 3))
    expect(counts.lexicon.phrases).toEqual(ranking)
    const corpus = buildCorpus(questions, anchorsFromTags(ranking.slice(0, 3), ['title']), {phrases: ranking})
    expect(countsToBytes(counts)).toEqual(countsToBytes(countCorpus(corpus)))
  })

  test('countDocuments(...) with minTags counts only documents with as many of the commonest tags', async () => {
    const options = {minTags: 2, ofTop: 3, skipBadAnchors: true}
    const counts = await countDocuments(sourceOf(questions), given(anchors), options)
    const top = rankTags().slice(0, 3)
    const kept = questions.filter(({tags}) => tags.filter(tag => top.includes(tag)).length >= 2)
    expect(kept.length).toBeGreaterThan(5)
    expect(kept.length).toBeLessThan(questions.length / 2)
    expect(counts.documentCount).toBe(kept.length)
    expect(counts.lexicon.filter).toEqual({minTags: 2, tags: top})
    const more = await countDocuments(sourceOf(questions), {kind: 'tags', fields: ['title'], topTags: 5}, options)
    expect(more.lexicon.filter).toEqual({minTags: 2, tags: top})
  })

  test('countDocuments(...) with a lexicon counts by its words, anchors and filter, and learns nothing anew', async () => {
    const whole = await countDocuments(sourceOf(questions), given(anchors), {minTags: 2, vocabulary: 5})
    const part = questions.slice(0, 50)
    const source = sourceOf(part)
    const counts = await countDocuments(source, {kind: 'lexicon', lexicon: whole.lexicon})
    expect([counts.lexicon, source.passes]).toEqual([whole.lexicon, 1])
    expect(counts.documentCount).toBe(part.filter(({tags}) => tags.length >= 2).length)
  })

  test('countDocuments(...) draws the labelled share by id, so that other rows do not change it', async () => {
    const options = {labelShare: 0.4, seed: 5}
    const {lexicon} = await countDocuments(sourceOf(questions), given(anchors), options)
    const labelled = async (rows: readonly unknown[], seed = 5) =>
      (await countDocuments(sourceOf(rows), {kind: 'lexicon', lexicon}, {...options, seed})).labelled
    const [a, b, whole] = await Promise.all(
      [questions.slice(0, 60), questions.slice(60), questions].map(r => labelled(r))
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

  test('countDocuments(...) names the fields that no document has', async () => {
    const unseen: (readonly string[])[] = []
    const onUnseenFields = (names: readonly string[]) => unseen.push(names)
    const source = sourceOf(questions)
    const {lexicon} = await countDocuments(source, given(anchors), {}, {onUnseenFields})
    expect(unseen).toEqual([])
    await countDocuments(source, given(anchors), {text: ['title', 'text', 'body'], list: ['drugs']}, {onUnseenFields})
    const like = {...lexicon, reading: {...lexicon.reading, category: ['sex']}}
    await countDocuments(source, {kind: 'lexicon', lexicon: like}, {}, {onUnseenFields})
    expect(unseen).toEqual([['body', 'drugs'], ['sex']])
  })

  test('countDocuments(..., signal) stops when it is told to, in any pass', async () => {
    const path = folder.file('questions.jsonl', questions.map(row => `${JSON.stringify(row)}\n`).join(''))
    for (const last of ['tags', 'vocabulary', 'counting']) {
      const controller = new AbortController()
      const seen: CountingStage[] = []
      const failure = await failureOf(() =>
        countDocuments(
          openDocuments([path, path, path], {text: ['title', 'text']}),
          given(anchors),
          {minTags: 1},
          {
            signal: controller.signal,
            onProgress: at => {
              seen.push(at)
              if (at === last) controller.abort()
            }
          }
        )
      )
      expect(failure.code).toBe('cancelled')
      expect(seen.filter(at => at === last)).toHaveLength(1)
      expect(seen.at(-1)).toBe(last)
    }
    const signal = AbortSignal.abort()
    const source = openDocuments([path], {text: ['text']})
    expect((await failureOf(() => countDocuments(source, given(anchors), {}, {signal}))).code).toBe('cancelled')
  })
})

describe('countDocuments(...) refuses', () => {
  const refused: readonly [Record<string, unknown>, RegExp][] = [
    [{vocabulary: 1.5}, /`vocabulary` must be a whole number, at least 1; got 1.5/],
    [{ofTop: 0}, /`ofTop` must be a whole number, at least 1; got 0/],
    [{labelShare: 2}, /`labelShare` must be a number from 0 to 1; got 2/],
    [{vocabluary: 10}, /no option "vocabluary"; did you mean "vocabulary"/]
  ]

  test.each(refused)('countDocuments(...) refuses the option %o before it reads anything', async (options, message) => {
    const source = sourceOf(questions)
    const failure = await failureOf(() => countDocuments(source, given(anchors), options))
    expect(failure.code).toBe('bad-option')
    expect(failure.message).toMatch(message)
    expect(source.passes).toBe(0)
  })

  test('countDocuments(...) refuses anchors that cannot work, all in one error, and may go on without them', async () => {
    const list = anchorsOf({python: 'title:python', ghost: 'nowhere', spectre: 'nothing'})
    const failure = await failureOf(() => countDocuments(sourceOf(questions), given(list)))
    expect(failure.code).toBe('bad-anchors')
    expect(failure.message).toMatch(
      /2 concepts have an anchor that cannot work:\n {2}concept "ghost".*\n {2}concept "spectre"/
    )
    const {lexicon} = await countDocuments(sourceOf(questions), given(list), {skipBadAnchors: true})
    expect(lexicon.anchors.map(({concept}) => concept)).toEqual(['python'])
    expect(lexicon.skipped.map(({concept}) => concept)).toEqual(['ghost', 'spectre'])
  })

  test('countDocuments(...) refuses tags as anchors when no document has tags, and a filter that leaves nothing', async () => {
    const untagged = sourceOf([{text: 'git'}, {text: ''}])
    const none = await failureOf(() => countDocuments(untagged, {kind: 'tags', fields: ['title'], topTags: 2}))
    expect(none.message).toMatch(/none of the 2 documents has "tags".*`anchors`/)
    const strict = await failureOf(() => countDocuments(sourceOf(questions), given(anchors), {minTags: 4}))
    expect(strict.message).toMatch(/no document has at least 4 of the 6 most frequent tags; lower `minTags`/)
  })
})

/** The tags of the questions, commonest first, equal ones by name. */
function rankTags(): string[] {
  const tags = questions.flatMap(question => question.tags)
  const count = (name: string) => tags.filter(tag => tag === name).length
  return [...new Set(tags)].sort((a, b) => count(b) - count(a) || (a < b ? -1 : 1))
}
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
