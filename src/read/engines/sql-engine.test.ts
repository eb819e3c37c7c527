import {expect, test} from 'vitest'
import {anchorsOf} from '../data/test-rows.ts'
import {failureOf} from '../files/test-folder.ts'
import {countWith} from './count-with.ts'
import {type SqlTable, sqlEngine} from './sql-engine.ts'

const anchors = {kind: 'given', anchors: anchorsOf({a: 'a'})} as const

/** A table that answers each kind of statement with these rows. */
function tableOf(answers: {
  readonly groups: unknown[][]
  readonly words: unknown[][]
  readonly total: number
}): SqlTable {
  return {
    ...{name: 'duckdb', where: 'notes', from: 'notes', ready: 'features', required: [], room: 100},
    columns: new Map([['features', 'VARCHAR[]']]),
    types: {text: /^VARCHAR$/, category: /^VARCHAR$/, number: /^DOUBLE$/, list: /^VARCHAR\[\]$/},
    async *rows(sql) {
      if (sql.startsWith('SELECT COUNT(*) FROM')) yield [[answers.total]]
      else if (sql.includes('ORDER BY'))
        yield [
          ['x', 'a'],
          [3n, 2n]
        ]
      else yield sql.includes('adfa_word IN') ? answers.words : answers.groups
    },
    close: async () => {}
  }
}

const groups = [
  ['["a"]', '[]'],
  [2n, 4]
]

test.each([
  ['another number of documents', {groups, words: [['[]'], ['x'], [1n]], total: 7}],
  ['a word in more documents than its group has', {groups, words: [['["a"]'], ['x'], [3n]], total: 6}],
  ['a word of a group that was not there', {groups, words: [['["b"]'], ['x'], [1n]], total: 6}]
])('sqlEngine(...) takes %s for a table that changes, and counts nothing', async (_, answers) => {
  const failure = await failureOf(() => countWith(sqlEngine(tableOf(answers)), anchors, {maxShare: 1}))
  expect([failure.code, failure.message]).toEqual(['mismatch', expect.stringMatching(/^notes: .*added or removed/)])
})
