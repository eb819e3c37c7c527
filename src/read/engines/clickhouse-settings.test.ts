import {expect, test} from 'vitest'
import {checkOptions} from '../../base/checks/index.ts'
import {messageOf} from '../data/test-rows.ts'
import {chooseSettings, limitRules, readSettings} from './clickhouse-settings.ts'

const rows = (values: Readonly<Record<string, string>>, more: Readonly<Record<string, unknown>> = {}) =>
  Object.entries(values).map(([name, value]) => ({name, value, ...more}))
const none = {timeLimit: 0, memory: 0}
const usual = {
  readonly: '0',
  max_query_size: '262144',
  max_execution_time: '0',
  max_memory_usage: '0',
  max_bytes_before_external_group_by: '0'
}

test('chooseSettings(...) sets limits that the server knows, and only those', () => {
  const {settings, querySize, notes} = chooseSettings(readSettings(rows(usual)), {timeLimit: 60, memory: 1001}, 't')
  expect(settings).toEqual({
    max_query_size: '4194304',
    max_execution_time: '60',
    max_memory_usage: '1001',
    max_bytes_before_external_group_by: '500'
  })
  expect([querySize, notes]).toEqual([4194304, []])
  const newer = rows({...usual, cancel_http_readonly_queries_on_client_close: '0'})
  expect(chooseSettings(readSettings(newer), none, 't').settings).toEqual({
    max_query_size: '4194304',
    cancel_http_readonly_queries_on_client_close: '1'
  })
})

test('chooseSettings(...) changes nothing for a user who may not, whichever way the server tells, and says so', () => {
  for (const known of [rows({...usual, readonly: '1'}), rows(usual, {readonly: 1})]) {
    const {settings, querySize, notes} = chooseSettings(readSettings(known), {timeLimit: 60, memory: 1000}, 'table')
    expect([settings, querySize]).toEqual([{}, 262144])
    expect(notes).toHaveLength(2)
    expect(notes.join()).toMatch(/table: this user may not.*`timeLimit` is not in force.*`memory` is not in force/)
    expect(chooseSettings(readSettings(known), none, 'table').notes).toEqual([])
  }
})

test('chooseSettings(...) stays below the highest value that a user may choose', () => {
  const known = readSettings(rows(usual, {max: '300000', readonly: 0}))
  const {settings, querySize} = chooseSettings(known, {timeLimit: 60, memory: 0}, 't')
  expect(settings).toEqual({max_query_size: '300000', max_execution_time: '60'})
  expect(querySize).toBe(300000)
})

test('chooseSettings(...) does not let the server leave out rows, groups or shards silently', () => {
  const sloppy = {
    read_overflow_mode: 'break',
    group_by_overflow_mode: 'any',
    skip_unavailable_shards: '1',
    limit: '10',
    additional_table_filters: "{'notes':'id % 2'}",
    additional_result_filter: 'id != 7'
  }
  expect(chooseSettings(readSettings(rows(sloppy)), none, 't').settings).toEqual({
    read_overflow_mode: 'throw',
    group_by_overflow_mode: 'throw',
    skip_unavailable_shards: '0',
    limit: '0',
    additional_table_filters: '{}',
    additional_result_filter: ''
  })
  for (const value of ['', '[]', '{}'])
    expect(chooseSettings(readSettings(rows({additional_table_filters: value})), none, 't').settings).toEqual({})
  for (const [name, value] of Object.entries(sloppy)) {
    const known = readSettings(rows({readonly: '1', [name]: value}))
    expect(messageOf(() => chooseSettings(known, none, 'table'))).toMatch(
      `${name} = ${value}), and counts must be complete`
    )
  }
})

test('limitRules refuse anything but whole numbers', () => {
  const check = (given: Partial<typeof none>) => messageOf(() => checkOptions('ClickHouse', none, limitRules, given))
  expect(check({timeLimit: 1.5})).toMatch(/`timeLimit` must be a whole number of seconds.*got 1.5/)
  expect(check({timeLimit: 1, memory: -1})).toMatch(/`memory` must be a whole number of bytes.*got -1/)
})
