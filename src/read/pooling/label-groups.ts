import type {Counts} from '../counts/index.ts'
import {type DocumentTable, firedIn} from './document-groups.ts'

/** A document that goes, with -1, or comes, with 1: the concepts whose anchors fire in it. */
export type DocumentChange = readonly [concepts: readonly number[], sign: number]

/** Exclusive concepts, or a concept alone, of which every document has a label. */
export interface LabelGroup {
  readonly concepts: readonly number[]
  /** Whether the labels agree with the documents after these changes. */
  fits(changes: readonly DocumentChange[]): boolean
}

/**
 * Concepts of which every document has a label and no cell of labels is small: groups of exclusive concepts, each as a
 * whole, and every other concept alone. Counts hold labels beside the own anchor of a concept. So labels of a single
 * concept agree with any documents in which that fires as often, and those of exclusive ones if documents can have one
 * class each.
 */
export function labelGroups(counts: Counts, {groups, exclusive}: DocumentTable, minCell: number): LabelGroup[] {
  const {lexicon, labelled, documentCount} = counts
  const isSafe = (i: number) => {
    const cells = labelled.subarray(4 * i, 4 * i + 4)
    const size = cells.reduce((sum, cell) => sum + cell, 0)
    return size === documentCount && cells.every(cell => cell === 0 || cell >= minCell)
  }
  const grouped = new Set(exclusive.flat())
  const alone = [...lexicon.anchors.keys()].filter(i => !grouped.has(i) && isSafe(i))
  return [
    ...alone.map(i => ({concepts: [i], fits: () => true})),
    ...exclusive
      .filter(concepts => concepts.every(isSafe))
      .map(concepts => ({concepts, fits: classesFit(concepts, labelled, groups)}))
  ]
}

/** Documents by which anchors of the classes fired, by the key of {@link firedIn}. */
function countKinds(concepts: readonly number[], documents: readonly DocumentChange[]): Map<string, number> {
  const kinds = new Map<string, number>()
  for (const [fired, count] of documents) {
    const key = firedIn(concepts, fired)
    kinds.set(key, (kinds.get(key) ?? 0) + count)
  }
  return kinds
}

function classesFit(concepts: readonly number[], labelled: Float64Array, groups: DocumentTable['groups']) {
  const kinds = countKinds(
    concepts,
    groups.map(group => [group.concepts, group.documents])
  )
  const demands = concepts.flatMap(i => [
    {concept: i, isFired: false, size: labelled[4 * i + 2]},
    {concept: i, isFired: true, size: labelled[4 * i + 3]}
  ])
  return (changes: readonly DocumentChange[]): boolean => {
    const changed = [...countKinds(concepts, changes)].filter(([, by]) => by !== 0)
    if (changed.length === 0) return true
    const after = new Map(kinds)
    for (const [key, by] of changed) after.set(key, (after.get(key) ?? 0) + by)
    const fired = (key: string) => (key === '' ? [] : key.split(',').map(Number))
    return areMet(
      demands,
      Array.from(after, ([key, documents]) => ({fired: fired(key), documents}))
    )
  }
}

interface Demand {
  readonly concept: number
  readonly isFired: boolean
  readonly size: number
}

/**
 * Whether each demand can be met by documents in which the anchor of its class fired, or did not: a maximum flow by
 * augmenting paths.
 */
function areMet(
  demands: readonly Demand[],
  kinds: readonly {readonly fired: readonly number[]; readonly documents: number}[]
): boolean {
  const left = kinds.map(({documents}) => documents)
  const flow = demands.map(() => kinds.map(() => 0))
  const send = (d: number, need: number, tried: Set<number>): number => {
    const {concept, isFired} = demands[d]
    for (const [k, {fired}] of kinds.entries()) {
      if (tried.has(k) || fired.includes(concept) !== isFired) continue
      tried.add(k)
      let sent = Math.min(need, left[k])
      left[k] -= sent
      for (let other = 0; sent === 0 && other < demands.length; other++) {
        if (flow[other][k] === 0) continue
        sent = send(other, Math.min(need, flow[other][k]), tried)
        flow[other][k] -= sent
      }
      flow[d][k] += sent
      if (sent > 0) return sent
    }
    return 0
  }
  return demands.every(({size}, d) => {
    for (let need = size; need > 0; ) {
      const sent = send(d, need, new Set())
      if (sent === 0) return false
      need -= sent
    }
    return true
  })
}
