import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {countsToBytes} from '../counts/index.ts'
import type {Evidence} from '../data/index.ts'
import {anchorsOf} from '../data/test-rows.ts'
import {countWith} from './count-with.ts'
import {drawQuestions, sourceOf} from './test-source.ts'
import {limitEngine, memoryEngine} from './worker-engine.ts'

const rows = sourceOf(drawQuestions(60, rng(1)))
const anchors = {
  kind: 'given',
  anchors: anchorsOf({python: 'title:python', git: ['title:git', 'text:branch']})
} as const

test('limitEngine(...) counts every document as the limit leaves it, by its key, and learns words as before', async () => {
  const keys: string[] = []
  const noWords = (evidence: Evidence, key: string) => {
    keys.push(key)
    return {...evidence, words: []}
  }
  const all = await countWith(memoryEngine(rows), anchors)
  const limited = await countWith(limitEngine(memoryEngine(rows), noWords), anchors)
  expect(limited.lexicon).toEqual(all.lexicon)
  expect(limited.patternDocuments).toEqual(all.patternDocuments)
  expect(limited.wordCounts).toHaveLength(0)
  expect(keys.toSorted()).toEqual(Array.from({length: 60}, (_, at) => String(at)).toSorted())
  const unlimited = await countWith(
    limitEngine(memoryEngine(rows), evidence => evidence),
    anchors
  )
  expect(countsToBytes(unlimited)).toEqual(countsToBytes(all))
})

test('limitEngine(...) refuses an engine that cannot show single documents', () => {
  const blind = {...memoryEngine(rows), name: 'clickhouse', rows: undefined} as const
  expect(() => limitEngine(blind, evidence => evidence)).toThrow(/engine clickhouse cannot count documents one by one/)
})
