import {expect, test} from 'vitest'
import {buildCorpus, textDefaults} from '../data/index.ts'
import {anchorsOf, messageOf} from '../data/test-rows.ts'
import {countsFromTables, cutWords, labelledByTags, PatternReader} from './clickhouse-patterns.ts'

import {RoleTable} from './clickhouse-tokens.ts'

const anchors = anchorsOf({a: ['x', 'y'], b: {any: ['z'], not: ['v']}})

function reader(): PatternReader {
  const roles = new RoleTable({anchors, phrases: [], text: textDefaults})
  return new PatternReader(roles, 2, 'table')
}

test('PatternReader refuses answers that tell of other documents than the first', () => {
  const first = ['[]\t0\t5', '[]\t1\t3', '[1,2]\t0\t2']
  const second = (lines: readonly string[]) =>
    messageOf(() => {
      const patterns = reader()
      patterns.add(first)
      patterns.endAnswer()
      patterns.add(lines)
      patterns.endAnswer()
    })
  expect(second(['[]\t0\t5', '[1,2]\t2\t1', '[1,2]\t0\t2'])).toBeUndefined()
  for (const changed of [['[]\t0\t6', '[1,2]\t0\t2'], ['[]\t0\t5'], ['[]\t0\t5', '[1,2]\t0\t2', '[2]\t0\t1'], []])
    expect(second(changed)).toMatch(
      /table: documents were added or removed while the table was counted.*nothing was counted/
    )
})

test('PatternReader refuses rows that were not asked for', () => {
  for (const line of ['', '[1]\t2', '[1]\t2\t3\t4', '[a]\t0\t1', '1\t0\t1', '[1]\t0\t1.5'])
    expect(messageOf(() => reader().add([line]))).toMatch(/table: .*an unexpected answer/)
})

test('countsFromTables(...) adds patterns in which the same anchors fire, and reads tags beside them', () => {
  const patterns = reader()
  // Roles 1 x, 2 y, 3 z, 4 the veto of z. Words 1 and 2; tags 3 a, 4 b; 5 tags are known.
  patterns.add(['[1]\t0\t4', '[1]\t2\t1', '[1]\t1\t2', '[1]\t3\t3', '[1]\t5\t4'])
  patterns.add(['[1,3,4]\t0\t2', '[1,3,4]\t1\t2', '[1,3,4]\t4\t1', '[1,3,4]\t5\t1', '[3]\t0\t1'])
  patterns.endAnswer()
  expect(patterns.documents).toBe(7)
  const {lexicon} = buildCorpus([{features: ['x', 'z', 'p']}, {features: ['q']}], anchorsOf({a: 'x', b: 'z'}), {
    maxShare: 1
  })
  const header = {lexicon: {...lexicon, anchors, words: ['p', 'q']}, labelShare: 1, seed: 0}
  const counts = countsFromTables(header, [patterns], labelledByTags([patterns], 2, [0, 0, 1]))
  expect(counts.documentCount).toBe(7)
  expect([...counts.members]).toEqual([0, 2])
  expect([...counts.patternDocuments]).toEqual([6, 1])
  expect([...counts.wordIds]).toEqual([0, 1])
  expect([...counts.wordCounts]).toEqual([4, 1])
  // Cell 2 y + a of each concept: a fires in all 5 documents with known tags, b in none of them.
  expect([...counts.labelled]).toEqual([0, 2, 0, 3, 4, 0, 1, 0])
})

test('cutWords(...) puts every word into one list, each list within its room unless a word alone is longer', () => {
  const names = ['a', 'no', 'bb', 'c'.repeat(100), 'd']
  const lists = cutWords(names, name => name !== 'no', 40)
  expect(lists).toEqual([
    {names: ['a', 'bb'], ids: [1, 3]},
    {names: ['c'.repeat(100)], ids: [4]},
    {names: ['d'], ids: [5]}
  ])
  expect(cutWords([], () => true, 40)).toEqual([{names: [], ids: []}])
})
