import {expect, test} from 'vitest'
import {indexAnchors, sharedMembers} from './anchor-index.ts'
import {textDefaults} from './lexicon.ts'
import {anchorsOf} from './test-rows.ts'

test.each<[Readonly<Record<string, unknown>>, number[][], boolean?]>([
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
  [{a: {any: ['x'], not: ['y']}, b: 'y'}, []],
  [{a: 'fever', b: 'neg:fever'}, [], true],
  [{a: '/fever/', b: 'neg:/fever/'}, [], true],
  [{a: 'neg:!!', b: 'neg:??'}, [], true],
  [{a: 'text:neg:fever', b: 'neg:fever'}, [[0, 1]], true],
  [{a: 'neg:/fever/', b: 'neg:/fever/'}, [[0, 1]], true]
])('sharedMembers(indexAnchors(%j, ...)) is %j', (entries, groups, negation = false) => {
  const found = sharedMembers(indexAnchors(anchorsOf(entries), [], {...textDefaults, negation}))
  const different = new Set(found.map(group => JSON.stringify(group)))
  expect(different).toEqual(new Set(groups.map(group => JSON.stringify(group))))
})
