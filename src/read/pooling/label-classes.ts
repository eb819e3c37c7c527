import type {Counts} from '../counts/index.ts'
import {exclusiveGroups} from '../data/index.ts'
import type {Block} from './blocks.ts'

/** Patterns of members with the same concepts. */
export interface PatternGroup {
  readonly concepts: readonly number[]
  readonly documents: number
  readonly patterns: readonly number[]
}

/** Labels as columns: one block for each group of exclusive concepts, and one for every other concept. */
interface LabelColumns {
  readonly columns: number
  readonly ofConcepts: readonly (number | undefined)[]
  readonly blocks: readonly Block[]
  /** By group of documents: how many have each column. */
  readonly words: readonly ReadonlyMap<number, number>[]
}

/**
 * The labels of concepts of which every document has one, as columns from `first` on.
 *
 * Counts hold labels beside the own anchor of a concept, not by group of documents. Any documents that agree with these tables
 * serve the proof, so labels are distributed over the groups in one of the possible ways ({@link distribute}).
 */
export function assignLabels(
  counts: Counts,
  groups: readonly PatternGroup[],
  maxOrder: number,
  first: number
): LabelColumns {
  const {lexicon, labelled, documentCount} = counts
  const words = groups.map(() => new Map<number, number>())
  const ofConcepts: (number | undefined)[] = lexicon.anchors.map(() => undefined)
  const blocks: Block[] = []
  let next = first
  const isKnown = (i: number) =>
    labelled.subarray(4 * i, 4 * i + 4).reduce((sum, cell) => sum + cell, 0) === documentCount
  const exclusive = exclusiveGroups(lexicon.anchors).map(({concepts}) => concepts)
  const alone = [...lexicon.anchors.keys()].filter(i => !exclusive.flat().includes(i)).map(i => [i])
  for (const members of [...exclusive, ...alone]) {
    const known = maxOrder > 1 ? members.filter(isKnown) : []
    if (known.length === 0) continue
    const demands = known.flatMap(i => [labelled[4 * i + 2], labelled[4 * i + 3]])
    const classes = distribute(groups, known, demands)
    if (classes === undefined) continue
    const columns = known.map((_, c) => next + c)
    const none = next + known.length
    for (const [at, {documents}] of groups.entries()) {
      const found = classes[at].reduce((sum, size) => sum + size, 0)
      for (const [c, size] of classes[at].entries()) if (size > 0) words[at].set(columns[c], size)
      if (found < documents) words[at].set(none, documents - found)
    }
    for (const [c, i] of known.entries()) ofConcepts[i] = columns[c]
    const seen = new Set([none, ...columns].filter(column => words.some(group => group.has(column))))
    blocks.push({words: columns, none, anchors: [], columns: new Map([['', seen]])})
    next = none + 1
  }
  return {columns: next - first, ofConcepts, blocks, words}
}

/** Groups that differ in no anchor of the classes. */
interface Kind {
  readonly fired: readonly boolean[]
  readonly groups: number[]
  /** Documents that have no class yet. */
  left: number
}

/**
 * How many documents of each group have each class, where `demands[2c]` documents have class c without its anchor and
 * `demands[2c + 1]` with it: a maximum flow by augmenting paths from demands to kinds of groups. Undefined where there is none,
 * because the labels of some document break the rule of the group.
 */
function distribute(
  groups: readonly PatternGroup[],
  members: readonly number[],
  demands: readonly number[]
): number[][] | undefined {
  const kinds = new Map<string, Kind>()
  for (const [at, {concepts, documents}] of groups.entries()) {
    const fired = members.map(i => concepts.includes(i))
    const kind = kinds.get(fired.join()) ?? {fired, groups: [], left: 0}
    kind.groups.push(at)
    kind.left += documents
    kinds.set(fired.join(), kind)
  }
  const list = [...kinds.values()]
  const flow = demands.map(() => list.map(() => 0))
  for (const [d, size] of demands.entries())
    for (let need = size; need > 0; ) {
      const moved = augment(list, flow, d, need)
      if (moved === 0) return undefined
      need -= moved
    }
  const classes = groups.map(() => members.map(() => 0))
  for (const [k, kind] of list.entries())
    for (const [d, row] of flow.entries()) spread(row[k], kind.groups, groups, classes, Math.floor(d / 2))
  return classes
}

/** Sends up to `need` documents of a demand along one path; how many were sent. */
function augment(kinds: readonly Kind[], flow: number[][], demand: number, need: number): number {
  const takes = (d: number, k: number) => kinds[k].fired[Math.floor(d / 2)] === (d % 2 === 1)
  /** By kind: the demand that sends more to it, and the kind from which that demand is moved. */
  const from = new Map<number, {readonly demand: number; readonly before: number | undefined}>()
  const queue: number[] = []
  const reach = (d: number, before: number | undefined) => {
    for (const k of kinds.keys())
      if (takes(d, k) && !from.has(k)) {
        from.set(k, {demand: d, before})
        queue.push(k)
      }
  }
  reach(demand, undefined)
  for (const end of queue) {
    if (kinds[end].left === 0) {
      for (const d of flow.keys()) if (flow[d][end] > 0) reach(d, end)
      continue
    }
    const path: {readonly demand: number; readonly kind: number; readonly before: number | undefined}[] = []
    for (let kind: number | undefined = end; kind !== undefined; kind = path[path.length - 1].before) {
      const step = from.get(kind)
      if (step === undefined) break
      path.push({...step, kind})
    }
    const movable = path.map(({demand, before}) => (before === undefined ? need : flow[demand][before]))
    const size = Math.min(need, kinds[end].left, ...movable)
    kinds[end].left -= size
    for (const {demand, kind, before} of path) {
      flow[demand][kind] += size
      if (before !== undefined) flow[demand][before] -= size
    }
    return size
  }
  return 0
}

/** Deals documents of a class out to groups, in proportion to the documents that have no class yet. */
function spread(
  size: number,
  among: readonly number[],
  groups: readonly PatternGroup[],
  classes: number[][],
  c: number
): void {
  const room = (at: number) => groups[at].documents - classes[at].reduce((sum, taken) => sum + taken, 0)
  const total = among.reduce((sum, at) => sum + room(at), 0)
  let left = size
  for (const at of among) {
    const share = Math.floor((size * room(at)) / Math.max(1, total))
    classes[at][c] += share
    left -= share
  }
  for (const at of among) {
    const more = Math.min(left, room(at))
    classes[at][c] += more
    left -= more
  }
}
