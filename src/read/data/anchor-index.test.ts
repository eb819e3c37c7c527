import {expect, test} from 'vitest'
import {indexAnchors, sharedMembers} from './anchor-index.ts'
import {textDefaults} from './lexicon.ts'
import {anchorsOf} from './test-rows.ts'

test.each<[Readonly<Record<string, unknown>>, number[][]]>([
  [{a: 'python', b: 'python'}, [[0, 1]]],
  [{a: 'python', b: 'title:python'}, [[0, 1]]],
  [{a: 'chest pain', b: ['x', 'chest-pain']}, [[0, 2]]],
  [{a: 'Python', b: 'python'}, [[0, 1]]],
  [{a: '/etoh/', b: ['x', '/etoh/']}, [[0, 2]]],
  [{a: 'text:/etoh/', b: 'title:/etoh/'}, []],
  [{a: '!!', b: '??'}, []],
  [{a: 'title:python', b: 'text:python'}, []],
  [{a: ['python', 'Python']}, []],
  [{a: 'chest', b: 'chest pain'}, []],
  [{a: {any: ['x'], not: ['y']}, b: 'y'}, []]
])('sharedMembers(indexAnchors(%j, ...)) is %j', (entries, groups) => {
  const found = sharedMembers(indexAnchors(anchorsOf(entries), [], textDefaults))
  expect(new Set(found.map(group => JSON.stringify(group)))).toEqual(
    new Set(groups.map(group => JSON.stringify(group)))
  )
})

test.each<[Readonly<Record<string, unknown>>, number]>([
  [{a: 'fever', b: 'neg:fever'}, 0],
  [{a: '/fever/', b: 'neg:/fever/'}, 0],
  [{a: 'neg:!!', b: 'neg:??'}, 0],
  [{a: 'text:neg:fever', b: 'neg:fever'}, 1],
  [{a: 'neg:/fever/', b: 'neg:/fever/'}, 1]
])('sharedMembers(indexAnchors(%j, ...)) has %i groups where negation is read', (entries, count) => {
  const found = sharedMembers(indexAnchors(anchorsOf(entries), [], {...textDefaults, negation: true}))
  expect(new Set(found.map(group => JSON.stringify(group))).size).toBe(count)
})
