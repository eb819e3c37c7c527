import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {exactId} from './row.ts'

const idOf = (json: string, name = 'id') => exactId((JSON.parse(json) as Record<string, unknown>)[name], json, name)

describe('exactId(...)', () => {
  test.each([
    ['{"id":12345678901234567890}', '12345678901234567890'],
    ['{"text":"\\"id\\":1","a":{"id":1},"b":[{"id":2}], "id" : -9007199254740993 }', '-9007199254740993'],
    ['{"id":1,"\\u0069d":9007199254740993}', '9007199254740993'],
    ['{"t\\\\":"x\\\\","id":0.10000000000000000001}', '0.10000000000000000001'],
    ['{"id":9007199254740991}', 9007199254740991],
    ['{"id":1.5}', 1.5],
    ['{"id":"12345678901234567890"}', '12345678901234567890'],
    ['{"text":"a"}', undefined]
  ])('of %s is %s', (json, id) => {
    expect(idOf(json)).toBe(id)
  })

  test('finds the key of another spelling, but prefers its own', () => {
    expect(exactId(2 ** 60, `{"ID ": 1152921504606846977}`, 'id')).toBe('1152921504606846977')
    expect(exactId(2 ** 60, `{"id": 1152921504606846977, "ID": 5}`, 'id')).toBe('1152921504606846977')
  })

  test('keeps every whole number apart, whatever is around it', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.jsonValue(), fc.string(), (id, value, key) => {
        const around = JSON.stringify({[`${key}_`]: value})
        const json = `${around.slice(0, -1)},"id":${id},"z":${around}}`
        expect(String(idOf(json))).toBe(String(id))
      })
    )
  })
})
