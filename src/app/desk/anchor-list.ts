import {type Anchors, exclusiveToJson, withExclusive} from '../../read/data/index.ts'

/**
 * The anchors as they come back from an anchors file: in the order of its keys, where whole numbers come first, and with the
 * groups of exclusive concepts that are left. A group that has lost a concept is one of which at most one holds. Models depend on
 * the order, so a project always has this one.
 */
export function settledAnchors(anchors: Anchors): Anchors {
  const byName = new Map(anchors.map(anchor => [anchor.concept, anchor]))
  const names = Object.keys(Object.fromEntries(anchors.map(({concept}) => [concept, true])))
  const ordered = names.flatMap(name => byName.get(name) ?? [])
  const groups = exclusiveToJson(ordered)
  const free = ordered.map(({exclusive: _, ...anchor}) => anchor)
  return withExclusive(free, groups)
}
