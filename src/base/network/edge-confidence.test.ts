import {expect, test} from 'vitest'
import type {BayesNetwork} from './bayes-network.ts'
import {edgeConfidence} from './edge-confidence.ts'

function networkWith(...parents: readonly (readonly number[])[]): BayesNetwork {
  return {parents, cpt: parents.map(list => new Float64Array(2 ** list.length).fill(0.5))}
}

test('edgeConfidence(...) is the share of the replicates that join two concepts, the surest first', () => {
  const fitted = networkWith([], [0], [])
  const replicates = [
    networkWith([], [0], [1]),
    networkWith([1], [], [1]),
    networkWith([], [0], []),
    networkWith([], [0, 2], [])
  ]
  expect(edgeConfidence(['a', 'b', 'c'], fitted, replicates)).toEqual([
    {parent: 'a', child: 'b', confidence: 1, directed: 0.75, fitted: true},
    // Not fitted: the commoner direction.
    {parent: 'b', child: 'c', confidence: 0.75, directed: 0.5, fitted: false}
  ])
})

test('edgeConfidence(...) keeps the direction of the fitted edge, and the edge if no replicate has it', () => {
  const fitted = networkWith([1], [], [0])
  expect(edgeConfidence(['a', 'b', 'c'], fitted, [networkWith([], [0], []), networkWith([], [0], [])])).toEqual([
    {parent: 'b', child: 'a', confidence: 1, directed: 0, fitted: true},
    {parent: 'a', child: 'c', confidence: 0, directed: 0, fitted: true}
  ])
})
