import fc from 'fast-check'
import {topologicalOrder} from '../../base/network/index.ts'
import type {Moments} from '../moments/index.ts'

/** Returns the exact moments of a joint table over all concepts; concept 0 is the most significant bit. */
export function jointMoments(joint: readonly number[], sampleCount: number): Moments {
  const conceptCount = Math.round(Math.log2(joint.length))
  const table = (concepts: readonly number[]) => {
    const cells = new Float64Array(2 ** concepts.length)
    joint.forEach((p, state) => {
      cells[concepts.reduce((cell, i) => 2 * cell + ((state >> (conceptCount - 1 - i)) & 1), 0)] += p
    })
    return cells
  }
  return {
    conceptCount,
    sampleCount,
    single: i => table([i])[1],
    pair: (i, k) => table([i, k]),
    table,
    certificate: {objective: 0, lowerBound: 0, gap: 0, steps: 0, atoms: 0, cuts: 0, status: 'optimal'}
  }
}

/** Generates joint distributions of m concepts without empty cells. */
export function anyJoint(m: number): fc.Arbitrary<number[]> {
  return fc.array(fc.integer({min: 1, max: 1000}), {minLength: 2 ** m, maxLength: 2 ** m}).map(cells => {
    const sum = cells.reduce((total, cell) => total + cell, 0)
    return cells.map(cell => cell / sum)
  })
}

/** Returns all acyclic graphs over m concepts with at most `maxParents` parents each. */
export function allGraphs(m: number, maxParents: number): number[][][] {
  const lists = Array.from({length: 2 ** m}, (_, mask) =>
    Array.from({length: m}, (_, i) => i).filter(i => (mask >> i) & 1)
  )
  const choices = Array.from({length: m}, (_, child) =>
    lists.filter(list => list.length <= maxParents && !list.includes(child))
  )
  let graphs: number[][][] = [[]]
  for (const families of choices) graphs = graphs.flatMap(graph => families.map(list => [...graph, list]))
  return graphs.filter(graph => topologicalOrder(graph) !== undefined)
}
