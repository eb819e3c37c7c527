import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  constrainFamilies,
  type EdgeConstraints,
  familyFilter,
  numberEdges,
  numberGraph,
  parseEdges
} from './edge-constraints.ts'
import {searchExact} from './search-graph.ts'
import {anyScores, bestByBruteForce} from './test-scores.ts'

const names = ['flu', 'cough', 'fever', 'rash']
const refused = (message: string) =>
  expect.objectContaining({code: 'bad-option', message: expect.stringContaining(message)})

describe('familyFilter(...)', () => {
  test('familyFilter(...) demands required parents, bars forbidden ones and those of a higher tier', () => {
    const admits = familyFilter(names, {required: [[0, 1]], forbidden: [[3, 1]], tiers: [0, 1, 2, 0]})
    expect(admits(1, [0])).toBe(true)
    expect(admits(1, [])).toBe(false)
    expect(admits(1, [0, 3])).toBe(false)
    expect(admits(1, [0, 2])).toBe(false)
    expect(admits(3, [0])).toBe(true)
    expect(admits(3, [1])).toBe(false)
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
    ['an edge both required and forbidden', {required: [[0, 1]], forbidden: [[0, 1]]}, '"flu" -> "cough" is both'],
    ['an edge against the tiers', {required: [[1, 0]], tiers: [0, 1, 1, 1]}, '"cough" -> "flu" is required, but'],
    ['an unknown concept', {forbidden: [[0, 4]]}, 'concept 4'],
    ['an edge to itself', {required: [[2, 2]]}, '"fever" to itself'],
    ['too few tiers', {tiers: [0, 1]}, 'tiers: 2 for 4 concepts'],
    ['an endless tier', {tiers: [0, 1, Number.POSITIVE_INFINITY, 2]}, 'give a finite number for each, or NaN']
  ])('familyFilter(...) refuses %s by name', (_, constraints, message) => {
    expect(() => familyFilter(names, constraints)).toThrow(refused(message))
  })

  test('familyFilter(...) takes an edge that is required twice and one whose reverse is forbidden', () => {
    expect(() =>
      familyFilter(names, {
        required: [
          [0, 1],
          [0, 1]
        ],
        forbidden: [[1, 0]]
      })
    ).not.toThrow()
  })
})

describe('constrainFamilies(...)', () => {
  test('constrainFamilies(...) and the search give the best graph among those that satisfy the constraints', () => {
    const cases = anyScores(4).chain(scores =>
      fc.tuple(
        fc.constant(scores),
        fc.array(fc.tuple(fc.nat(scores.length - 1), fc.nat(scores.length - 1)), {maxLength: 3}),
        fc.array(fc.nat(2), {minLength: scores.length, maxLength: scores.length})
      )
    )
    fc.assert(
      fc.property(cases, ([scores, edges, tiers]) => {
        const forbidden = edges.filter(([parent, child]) => parent !== child)
        const allowed = scores.map((families, child) =>
          families.filter(({parents}) =>
            parents.every(k => tiers[k] <= tiers[child] && !forbidden.some(([p, c]) => p === k && c === child))
          )
        )
        const {score} = searchExact(constrainFamilies(scores, scores.map(String), {forbidden, tiers}))
        expect(score).toBeCloseTo(bestByBruteForce(allowed), 9)
      }),
      {numRuns: 60}
    )
  })

  test('constrainFamilies(...) keeps a family that only the required edge makes worth having', () => {
    const scores = [
      [{parents: [], score: -1}],
      [
        {parents: [], score: -1},
        {parents: [0], score: -5}
      ]
    ]
    const found = searchExact(constrainFamilies(scores, ['a', 'b'], {required: [[0, 1]]}))
    expect(found).toMatchObject({parents: [[], [0]], score: -6, gap: 0, status: 'optimal'})
  })

  test('constrainFamilies(...) refuses a concept that is left without a family', () => {
    const scores = [[{parents: [], score: -1}], [{parents: [], score: -1}]]
    expect(() => constrainFamilies(scores, ['a', 'b'], {required: [[0, 1]]})).toThrow(refused('concept "b"'))
  })
})

const concepts = ['flu', 'cough', 'fever', '__proto__']

describe('parseEdges(...)', () => {
  test('parseEdges(...) reads what to require and forbid, and tiers; all may be left out', () => {
    const edges = {require: [['flu', 'cough']], forbid: [], tiers: [['flu'], ['cough', 'fever']]}
    expect(parseEdges(JSON.stringify(edges), 'edges.json')).toEqual(edges)
    expect(parseEdges('{}', 'edges.json')).toEqual({})
  })

  test.each([
    ['{"require": [["a", "b"]', /^edges\.json: it is not JSON/],
    ['[]', /^edges\.json: it is not an object; an edges file looks like/],
    ['null', /it is not an object/],
    ['{"required": []}', /unknown entry "required"/],
    ['{"forbid": {}}', /"forbid" is not a list/],
    ['{"require": ["flu"]}', /"require" holds "flu", which is not a list of names/],
    ['{"tiers": [["flu", 3]]}', /"tiers" holds \["flu",3\], which is not a list of names/],
    ['{"require": [["flu", "cough", "fever"]]}', /an edge has a parent and a child/]
  ])('parseEdges(%j) is refused', (text, message) => {
    expect(() => parseEdges(text, 'edges.json')).toThrow(
      expect.objectContaining({code: 'bad-file', message: expect.stringMatching(message)})
    )
  })
})

describe('numberEdges(...)', () => {
  test('numberEdges(...) puts numbers for concepts; a concept in no tier has NaN', () => {
    const edges = {require: [['flu', '__proto__']], forbid: [['fever', 'flu']], tiers: [['flu'], ['cough', 'fever']]}
    expect(numberEdges(parseEdges(JSON.stringify(edges), ''), concepts, [])).toEqual({
      constraints: {required: [[0, 3]], forbidden: [[2, 0]], tiers: [0, 1, 1, Number.NaN]},
      ignored: 0
    })
  })

  test('numberEdges(...) drops the edges of concepts that were left out, and counts them', () => {
    const edges = {
      require: [['flu', 'rash']],
      forbid: [
        ['rash', 'flu'],
        ['flu', 'fever']
      ],
      tiers: [['rash', 'flu']]
    } as const
    expect(numberEdges(edges, concepts, ['rash'])).toEqual({
      constraints: {required: [], forbidden: [[0, 2]], tiers: [0, Number.NaN, Number.NaN, Number.NaN]},
      ignored: 2
    })
  })

  test('numberEdges(...) refuses a name that no concept has, and a concept in two tiers', () => {
    expect(() => numberEdges({require: [['flu', 'coughs']]}, concepts, [])).toThrow(
      'edges: "coughs" is not a concept of the model; did you mean "cough"?'
    )
    expect(() => numberEdges({tiers: [['flu'], ['flu']]}, concepts, [])).toThrow('edges: "flu" is in two tiers')
  })
})

describe('numberGraph(...)', () => {
  test('numberGraph(...) finds the concepts whatever their order in the graph; parents keep theirs', () => {
    const graph = {names: ['__proto__', 'fever', 'cough', 'flu'], parents: [[], [3, 0], [1], []]}
    expect(numberGraph(graph, concepts, [])).toEqual({parents: [[], [2], [0, 3], []], ignored: 0})
  })

  test('numberGraph(...) drops concepts that were left out, with their edges, and counts those', () => {
    const graph = {names: [...concepts, 'rash'], parents: [[], [4, 0], [], [], [0, 1]]}
    expect(numberGraph(graph, concepts, ['rash'])).toEqual({parents: [[], [0], [], []], ignored: 3})
  })

  test('numberGraph(...) refuses a graph that lacks a concept or has another', () => {
    expect(() => numberGraph({names: ['flu', 'cough'], parents: [[], []]}, concepts, [])).toThrow(
      'the known graph lacks "fever", "__proto__"; it must have every concept of the model'
    )
    expect(() => numberGraph({names: [...concepts, 'rash'], parents: concepts.map(() => [])}, concepts, [])).toThrow(
      'the known graph: "rash" is not a concept of the model'
    )
  })
})
