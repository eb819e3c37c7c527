import {expect, test} from 'vitest'
import {textDefaults} from '../data/index.ts'
import {anchorsOf, messageOf} from '../data/test-rows.ts'
import {RoleTable} from './clickhouse-tokens.ts'

test('RoleTable numbers features by what they do, and decides which anchors fire where several meet', () => {
  const anchors = anchorsOf({a: {any: ['x', 'y'], not: ['u']}, b: {any: ['z'], not: ['v']}})
  const roles = new RoleTable({anchors, phrases: [], text: textDefaults})
  const {names, ids} = roles.codes
  const of = (...list: string[]) => list.map(name => ids[names.indexOf(name)])
  expect(new Set(ids)).toEqual(new Set([1, 2, 3, 4, 5]))
  expect(of('x')).toEqual(of('text:x'))
  expect(names).not.toContain('word')
  expect(roles.membersOf([])).toEqual([])
  expect(roles.membersOf(of('x', 'y', 'z'))).toEqual([0, 1, 2])
  expect(roles.membersOf(of('y', 'z', 'v'))).toEqual([1])
  expect(roles.membersOf(of('y', 'z', 'u'))).toEqual([2])
})

test('see(...) passes over bytes that are no text, unless an expression would take them', () => {
  const look = (feature: string) => {
    const roles = new RoleTable({anchors: anchorsOf({a: feature}), phrases: [], text: textDefaults})
    return messageOf(() => expect(roles.see('FF41', 'table')).toBeUndefined())
  }
  expect(look('/b/')).toBeUndefined()
  expect(look('/a/')).toMatch(/table: the word "\uFFFDA" \(bytes FF41\) is not text in UTF-8/)
})
