import fc from 'fast-check'
import {expect, test} from 'vitest'
import {BY_NAME} from '../../../../read/reading/index.ts'
import type {Reading} from '../../../session/index.ts'
import {survey} from '../../test-session.ts'
import {ROLES, type Role, readsNothing, roleOf, withRole} from './roles.ts'

const reading: Reading = {
  id: 'id',
  tags: 'tags',
  text: ['note'],
  number: ['age:18,40', 'a:b:10'],
  list: ['drugs'],
  negation: true
}

test('withRole(reading, column, role) moves the column and leaves the rest', () => {
  expect(withRole(reading, 'note', 'category')).toEqual({...reading, text: [], category: ['note']})
  expect(withRole(reading, 'age', 'skip')).toEqual({...reading, number: ['a:b:10']})
  expect(withRole(reading, 'site', 'number')).toEqual({...reading, number: ['age:18,40', 'a:b:10', 'site:5']})
  expect(withRole(reading, 'site', 'id')).toEqual({...reading, id: 'site'})
  const {id: _, ...nameless} = reading
  expect(withRole(reading, 'id', 'skip')).toEqual(nameless)
})

test('documents are held out only while there are tags', () => {
  const heldOut = {...reading, holdOut: true}
  expect(withRole(heldOut, 'note', 'skip').holdOut).toBe(true)
  expect(withRole(heldOut, 'age', 'tags').holdOut).toBe(true)
  expect(withRole(heldOut, 'tags', 'skip').holdOut).toBe(undefined)
})

test('after any changes a column has the last role it was given, unless another took its place', () => {
  const change = fc.tuple(
    fc.constantFrom('id', 'tags', 'note', 'age', 'site'),
    fc.constantFrom(...ROLES.map(([role]) => role))
  )
  fc.assert(
    fc.property(fc.array(change, {maxLength: 12}), changes => {
      const plain = new Map<string, Role>(
        ['id', 'tags', 'note', 'age', 'site'].map(name => [name, roleOf(reading, name)])
      )
      let now = reading
      for (const [column, role] of changes) {
        now = withRole(now, column, role)
        if (role === 'id' || role === 'tags')
          for (const [other, has] of plain) if (has === role) plain.set(other, 'skip')
        plain.set(column, role)
      }
      for (const [column, role] of plain) expect(roleOf(now, column)).toBe(role)
    })
  )
})

test('readsNothing(...) where all columns are skipped, ids or tags, and none is read by its name', () => {
  const column = (name: string, role: Role, detail = '') => ({name, role, detail, example: ''})
  const of = (columns: readonly ReturnType<typeof column>[], now: Reading) =>
    readsNothing({...survey, columns, reading: now}, now)
  expect(of([column('note', 'skip', 'one value only')], {text: []})).toBe(true)
  expect(of([column('id', 'id'), column('tags', 'tags')], {text: [], id: 'id', tags: 'tags'})).toBe(true)
  expect(of([column('note', 'skip')], {text: ['note']})).toBe(false)
  expect(of([column('features', 'skip', BY_NAME)], {text: []})).toBe(false)
  expect(of([column('text', 'text')], {text: []})).toBe(false)
})

test('withRole(...) keeps the separator of a list that becomes tags', () => {
  const reading = {text: ['note'], list: ['meds', 'codes:|'], separator: ','}
  expect(withRole(reading, 'codes', 'tags')).toEqual({
    text: ['note'],
    list: ['meds'],
    separator: ',',
    tags: 'codes',
    tagSeparator: '|'
  })
})
