import {describe, expect, test} from 'vitest'
import {numberEdges, numberGraph, parseEdges} from './named-edges.ts'

const names = ['flu', 'cough', 'fever', '__proto__']

describe('parseEdges(...)', () => {
  test('parseEdges(...) reads what to require and forbid, and tiers; all may be left out', () => {
    const edges = {require: [['flu', 'cough']], forbid: [], tiers: [['flu'], ['cough', 'fever']]}
    expect(parseEdges(JSON.stringify(edges), 'edges.json')).toEqual(edges)
    expect(parseEdges('{}', 'edges.json')).toEqual({})
  })

  test.each([
    ['{"require": [["a", "b"]', /^edges\.json: it is no JSON/],
    ['[]', /^edges\.json: it holds no object; an edges file looks like/],
    ['null', /it holds no object/],
    ['{"required": []}', /unknown entry "required"/],
    ['{"forbid": {}}', /"forbid" is no list/],
    ['{"require": ["flu"]}', /"require" holds "flu", which is no list of names/],
    ['{"tiers": [["flu", 3]]}', /"tiers" holds \["flu",3\], which is no list of names/],
    ['{"require": [["flu", "cough", "fever"]]}', /an edge has a parent and a child/]
  ])('parseEdges(%j) is refused', (text, message) => {
    expect(() => parseEdges(text, 'edges.json')).toThrow(
      expect.objectContaining({code: 'bad-file', message: expect.stringMatching(message)})
    )
  })
})

describe('numberEdges(...)', () => {
  test('numberEdges(...) puts numbers for names; a concept in no tier has NaN', () => {
    const edges = {require: [['flu', '__proto__']], forbid: [['fever', 'flu']], tiers: [['flu'], ['cough', 'fever']]}
    expect(numberEdges(parseEdges(JSON.stringify(edges), ''), names, [])).toEqual({
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
    expect(numberEdges(edges, names, ['rash'])).toEqual({
      constraints: {required: [], forbidden: [[0, 2]], tiers: [0, Number.NaN, Number.NaN, Number.NaN]},
      ignored: 2
    })
  })

  test('numberEdges(...) refuses a name that no concept has, and a concept in two tiers', () => {
    expect(() => numberEdges({require: [['flu', 'coughs']]}, names, [])).toThrow(
      'edges: "coughs" is no concept of the model; did you mean "cough"?'
    )
    expect(() => numberEdges({tiers: [['flu'], ['flu']]}, names, [])).toThrow('edges: "flu" stands in two tiers')
  })
})

describe('numberGraph(...)', () => {
  test('numberGraph(...) finds the concepts whatever their order in the graph; parents keep theirs', () => {
    const graph = {names: ['__proto__', 'fever', 'cough', 'flu'], parents: [[], [3, 0], [1], []]}
    expect(numberGraph(graph, names, [])).toEqual({parents: [[], [2], [0, 3], []], ignored: 0})
  })

  test('numberGraph(...) drops concepts that were left out, with their edges, and counts those', () => {
    const graph = {names: [...names, 'rash'], parents: [[], [4, 0], [], [], [0, 1]]}
    expect(numberGraph(graph, names, ['rash'])).toEqual({parents: [[], [0], [], []], ignored: 3})
  })

  test('numberGraph(...) refuses a graph that lacks a concept or has another', () => {
    expect(() => numberGraph({names: ['flu', 'cough'], parents: [[], []]}, names, [])).toThrow(
      'the known graph lacks "fever", "__proto__"; it must have every concept of the model'
    )
    expect(() => numberGraph({names: [...names, 'rash'], parents: names.map(() => [])}, names, [])).toThrow(
      'the known graph: "rash" is no concept of the model'
    )
  })
})
