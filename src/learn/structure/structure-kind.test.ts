import {expect, test} from 'vitest'
import {largestTable, planStructure, type StructureKind} from './structure-kind.ts'

const graph = {names: ['a', 'b', 'c'], parents: [[], [0], [0, 1]]}

test.each([
  ['independent', {kind: 'independent'}, 1],
  ['tree', {kind: 'tree'}, 2],
  ['indegree:2', {kind: 'indegree', limit: 2}, 3],
  ['degree:3', {kind: 'degree', limit: 3}, 5],
  [graph, {kind: 'given', graph}, 3]
] as const)(
  'planStructure(%j) says what is searched for, and largestTable(...) what that needs',
  (kind, plan, size) => {
    expect(planStructure(kind)).toEqual(plan)
    expect(largestTable(planStructure(kind))).toBe(size)
  }
)

test.each(['', 'forest', 'indegree', 'indegree:', 'indegree:0', 'indegree:2.5', 'degree:7', 'degree:-1', null, 3])(
  'planStructure(%j) is refused',
  kind => {
    expect(() => planStructure(kind as StructureKind)).toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringContaining(`got ${JSON.stringify(kind)}`)})
    )
  }
)
