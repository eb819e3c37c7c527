import {expect, test} from 'vitest'
import {describeTables, requireOrder, requirePatterns, type SiteStatement} from './table-statement.ts'

function statement(...sites: readonly Partial<SiteStatement>[]) {
  return {
    maxOrder: 2,
    numbers: 25_000,
    withheld: 312,
    sites: sites.map((site, at) => ({name: `${at}`, documents: 100, minCell: 10, ...site}))
  }
}

test('describeTables(...) says in one sentence what tables a model rests on', () => {
  expect(describeTables(statement({}, {}, {}))).toBe(
    'tables of at most 2 anchors or words from 3 sites; cells below 10 withheld: 312 of 25,000 numbers'
  )
  expect(describeTables({...statement({minCell: 0}), maxOrder: 1})).toBe(
    'tables of at most 1 anchor or word from 1 site; nothing withheld'
  )
  expect(describeTables(statement({minCell: 20}, {minCell: 0}, {}))).toMatch(/cells below 10 or 20 withheld/)
})

test('requirePatterns(...) and requireOrder(...) let counts of documents pass, and tables as far as they go', () => {
  const tables = statement({})
  expect(() => requirePatterns({}, 'a test')).not.toThrow()
  expect(() => requireOrder({}, 9, 'a test')).not.toThrow()
  expect(() => requireOrder({tables}, 2, 'a test')).not.toThrow()
  expect(() => requirePatterns({tables}, 'a test')).toThrow(/^a test needs to know which anchors fired together/)
  expect(() => requireOrder({tables}, 3, 'a test')).toThrow(
    /^a test needs tables of 3 .*release with adfa count --max-order 3$/
  )
  expect(() => requireOrder({tables}, 4, 'a test')).toThrow(/without --max-order and --min-cell$/)
})
