import fc from 'fast-check'
import {afterAll, expect, test} from 'vitest'
import {hashShare, rng} from '../../base/numeric/index.ts'
import {type Counts, countsToBytes, isLabelled} from '../counts/index.ts'
import {Encoder, type Labels, type Row, rowKey} from '../data/index.ts'
import {anchorsOf} from '../data/test-rows.ts'
import {failureOf} from '../files/test-folder.ts'
import {countWith} from './count-with.ts'
import type {CountingEngine, EngineControl, RowSource} from './counting-engine.ts'
import {groupsEngine} from './sql-engine.ts'
import {drawQuestions, kept, sourceOf} from './test-source.ts'
import {documentsEngine, openCountWorkers, workerEngine} from './worker-engine.ts'

const workers = openCountWorkers(2)
afterAll(() => workers.close())

const anchors = {kind: 'given', anchors: anchorsOf({python: 'title:python', git: ['git', 'text:branch']})} as const
const questions = drawQuestions(300, rng(4))

/** The slow twin: all documents are read once more, when their number is known. */
async function secondPass(source: RowSource, counts: Counts, size: number, labels?: Labels): Promise<Row[]> {
  const {accepts} = new Encoder(counts.lexicon)
  const isWanted = (key: string) =>
    labels === undefined
      ? counts.labelShare * counts.documentCount <= size && isLabelled(counts, key)
      : labels.get(key) !== undefined
  const rows: Row[] = []
  for await (const batch of source.batches())
    for (const row of batch) {
      const key = rowKey(row)
      const isDrawn = hashShare(`sample ${key}`, 7) < size / counts.documentCount
      if (accepts(row) && (isDrawn || isWanted(key))) rows.push(row)
    }
  return rows
}

async function sampleOf(engine: CountingEngine, size: number, options: object, control: EngineControl = {}) {
  const calls: (readonly Row[])[] = []
  const sample = {size, seed: 7, onRows: (rows: readonly Row[]) => calls.push(rows)}
  const counts = await countWith(engine, anchors, options, {...control, sample})
  expect(calls).toHaveLength(1)
  return {counts, rows: calls[0]}
}

test('countWith(..., {sample}) draws what a further pass would, in the same order, on any number of threads', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({min: 1, max: 400}),
      fc.constantFrom(0, 0.1, 1),
      fc.constantFrom(0, 1),
      fc.constantFrom(undefined, ['3', '77', 'nobody']),
      async (size, labelShare, minTags, labelled) => {
        const labels = labelled && new Map(labelled.map(key => [key, new Map([['git', true]])]))
        const options = {labelShare, minTags, ofTop: 2, seed: 5}
        const plain = await countWith(documentsEngine(sourceOf(questions, 20)), anchors, options, labels && {labels})
        const expected = await secondPass(sourceOf(questions), plain, size, labels)
        for (const engine of [
          documentsEngine(sourceOf(questions, 20)),
          workerEngine(sourceOf(questions, 20), kept(workers))
        ]) {
          const {counts, rows} = await sampleOf(engine, size, options, labels && {labels})
          expect(rows).toEqual(expected)
          expect(countsToBytes(counts)).toEqual(countsToBytes(plain))
        }
      }
    ),
    {numRuns: 12}
  )
})

test('countWith(..., {sample}) keeps documents with the same id in their order', async () => {
  const rows = questions.map((question, at) => ({...question, id: at % 5}))
  const {counts, rows: sampled} = await sampleOf(workerEngine(sourceOf(rows, 7), kept(workers)), 200, {})
  expect(sampled).toEqual(await secondPass(sourceOf(rows), counts, 200))
})

test('countWith(..., {sample}) refuses an engine without documents, and a size that is none', async () => {
  const groups = groupsEngine([{mask: ['git'], documents: 3, words: new Map()}])
  expect((await failureOf(() => sampleOf(groups, 5, {}))).message).toMatch(
    /a sample is drawn from documents; leave `sample` out, or give the documents/
  )
  const refused = await failureOf(() => sampleOf(documentsEngine(sourceOf(questions)), 0, {}))
  expect(refused.message).toBe('counting: `sample.size` must be a whole number, at least 1; got 0')
})
