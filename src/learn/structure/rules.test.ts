import {expect, test} from 'vitest'
import {type EdgeConstraints, familyFilter, numberEdges, parseEdges} from './rules.ts'

const names = ['flu', 'cough', 'fever', 'rash']
const refused = (message: string) =>
  expect.objectContaining({code: 'bad-option', message: expect.stringContaining(message)})

test('familyFilter(...) demands required parents and bars forbidden ones', () => {
  const admits = familyFilter(names, {
    required: [
      [0, 1],
      [0, 1]
    ],
    forbidden: [
      [3, 1],
      [1, 0]
    ]
  })
  expect(admits(1, [0])).toBe(true)
  expect(admits(1, [])).toBe(false)
  expect(admits(1, [0, 3])).toBe(false)
  expect(admits(3, [1])).toBe(true)
})

test.each<[string, EdgeConstraints, string]>([
  [
    'a cycle',
    {
      required: [
        [0, 1],
        [1, 2],
        [2, 0],
        [0, 3]
      ]
    },
    '"cough" -> "fever" -> "flu" -> "cough"'
  ],
  ['an edge both required and forbidden', {required: [[0, 1]], forbidden: [[0, 1]]}, '"flu" -> "cough" is both']
])('familyFilter(...) refuses %s by name', (_, constraints, message) => {
  expect(() => familyFilter(names, constraints)).toThrow(refused(message))
})

const concepts = ['flu', 'cough', 'fever', '__proto__']

test('parseEdges(...) reads what to require and forbid; both may be left out', () => {
  const edges = {require: [['flu', 'cough']], forbid: []}
  expect(parseEdges(JSON.stringify(edges), 'edges.json')).toEqual(edges)
  expect(parseEdges('{}', 'edges.json')).toEqual({})
})

test.each([
  ['{"require": [["a", "b"]', /^edges\.json: it is not JSON/],
  ['null', /it is not an object/],
  ['{"required": []}', /unknown entry "required"/],
  ['{"forbid": {}}', /"forbid" is not a list/],
  ['{"require": ["flu"]}', /"require" holds "flu"; an edge is a parent and a child/],
  ['{"require": [["flu", "cough", "fever"]]}', /an edge is a parent and a child/]
])('parseEdges(%j) is refused', (text, message) => {
  expect(() => parseEdges(text, 'edges.json')).toThrow(
    expect.objectContaining({code: 'bad-file', message: expect.stringMatching(message)})
  )
})

test('numberEdges(...) puts numbers for concepts, and counts the edges of concepts that were left out', () => {
  const edges = {
    require: [
      ['flu', '__proto__'],
      ['flu', 'rash']
    ],
    forbid: [['fever', 'flu']]
  } as const
  const constraints = {required: [[0, 3]], forbidden: [[2, 0]]}
  expect(numberEdges(edges, concepts, ['rash'])).toEqual({constraints, ignored: 1})
  expect(() => numberEdges({forbid: [['flu', 'flu']]}, concepts, [])).toThrow('an edge leads from "flu" to itself')
  expect(() => numberEdges({require: [['flu', 'coughs']]}, concepts, [])).toThrow(
    'edges: "coughs" is not a concept of the model; did you mean "cough"?'
  )
})
