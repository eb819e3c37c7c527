import {AdfaError} from '../checks/index.ts'
import {findCycle} from './find-cycle.ts'
import {directByRules, MixedGraph, type PartialGraph} from './mixed-graph.ts'

/**
 * Whether two graphs without a cycle say the same independences, so that no data can tell them apart: they join the
 * same concepts and have the same v-structures (Verma and Pearl, 1990).
 */
export function markovEquivalent(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): boolean {
  checkGraph(a)
  checkGraph(b)
  return a.length === b.length && sameItems(skeletonOf(a), skeletonOf(b)) && sameItems(colliders(a), colliders(b))
}

/**
 * The completed graph (CPDAG) of a graph without a cycle: the edges that have the same direction in every equivalent
 * graph are directed, the others are not. Two graphs are equivalent exactly if their completed graphs are equal.
 */
export function completedGraph(parents: readonly (readonly number[])[]): PartialGraph {
  checkGraph(parents)
  const graph = new MixedGraph(parents.length)
  for (const [child, list] of parents.entries()) for (const parent of list) graph.join(parent, child)
  for (const [child, list] of parents.entries())
    for (const i of list) if (list.some(k => k !== i && !graph.isJoined(i, k))) graph.direct(i, child)
  directByRules(graph)
  return graph.toPartialGraph()
}

function skeletonOf(parents: readonly (readonly number[])[]): string[] {
  return parents.flatMap((list, i) => list.map(k => `${Math.min(i, k)} ${Math.max(i, k)}`))
}

/** The v-structures: two parents of a child that no edge joins. */
function colliders(parents: readonly (readonly number[])[]): string[] {
  return parents.flatMap((list, child) =>
    list.flatMap(i =>
      list.filter(k => i < k && !parents[i].includes(k) && !parents[k].includes(i)).map(k => `${i} ${child} ${k}`)
    )
  )
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  const all = new Set(a)
  return a.length === b.length && b.every(item => all.has(item))
}

function checkGraph(parents: readonly (readonly number[])[]): void {
  for (const [child, list] of parents.entries())
    if (new Set(list).size < list.length || list.some(k => !(Number.isInteger(k) && k >= 0 && k < parents.length)))
      throw new AdfaError(
        'bad-model',
        `concept ${child} has parents ${list.join(', ')}; give different numbers from 0 to ${parents.length - 1}`
      )
  const cycle = findCycle(parents)
  if (cycle !== undefined)
    throw new AdfaError(
      'bad-model',
      `the graph has a cycle: ${[...cycle, cycle[0]].join(' -> ')}; drop one of its edges`
    )
}
