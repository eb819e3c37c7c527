/** Anchors, labels and rules of links: in their order, and when a concept is gone or has another name. */
import {AdfaError} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import {type Anchors, exclusiveToJson, withExclusive} from '../../read/data/index.ts'
import type {LabelRow} from '../../use/labelling/index.ts'
import type {EdgeRule, EdgeRules, Project} from './project.ts'
import {nowNames} from './snapshots.ts'

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

/**
 * The project without the labels and rules of concepts that are gone. A row of labels that is about these alone goes; one about a whole
 * document stays as long as it has another label.
 */
export function withoutConcepts(project: Project, gone: ReadonlySet<string>): Project {
  const labels = project.labels.flatMap(row => {
    if (row.skipped?.concept !== undefined && gone.has(row.skipped.concept)) return []
    const left = new Map([...row.labels].filter(([name]) => !gone.has(name)))
    if (left.size === row.labels.size) return [row]
    return left.size === 0 ? [] : [{...row, labels: left}]
  })
  const isKept = (rule: EdgeRule) => rule.every(name => !gone.has(name))
  return withEdges({...project, labels}, rules => rules.filter(isKept))
}

/** The project with another name for a concept in labels, rules and snapshots, where it is no deletion. */
export function withNewName(project: Project, concept: string, to: string): Project {
  const now = (name: string) => (name === concept ? to : name)
  const labels = project.labels.map(row => ({
    ...row,
    labels: new Map([...row.labels].map(([name, isPresent]) => [now(name), isPresent])),
    ...(row.skipped?.concept !== undefined && {skipped: {concept: now(row.skipped.concept)}})
  }))
  const snapshots = project.snapshots?.map(snapshot => {
    const names = [...nowNames(snapshot)].map(([then, name]) => [then, now(name)] as const)
    return {...snapshot, renamed: names.filter(([then, name]) => then !== name)}
  })
  const renamed = {...project, labels, ...(snapshots && {snapshots})}
  return withEdges(renamed, rules => rules.map(([a, b]) => [now(a), now(b)]))
}

/** Whether a row is about the concept. */
export function namesConcept({labels, skipped}: LabelRow, concept: string): boolean {
  return labels.has(concept) || skipped?.concept === concept
}

/** The project with this rule of a pair, in place of the one it had; with none, the pair is free again. */
export function withRule(project: Project, [a, b]: EdgeRule, list: keyof EdgeRules | undefined): Project {
  const isOther = (rule: EdgeRule) => !rule.includes(a) || !rule.includes(b)
  const changed = withEdges(project, (rules, name) => [
    ...rules.filter(isOther),
    ...(name === list ? [[a, b] as const] : [])
  ])
  const {edges} = project
  if (list === undefined && (edges === undefined || [...edges.require, ...edges.forbid].every(isOther)))
    throw new AdfaError('bad-option', `there is no rule for ${quoted(a)} and ${quoted(b)}; it is free already`)
  return changed
}

/** A project without rules has no lists of them either, so that equal projects are equal files. */
function withEdges(
  {edges = {require: [], forbid: []}, ...project}: Project,
  change: (rules: readonly EdgeRule[], list: keyof EdgeRules) => readonly EdgeRule[]
): Project {
  const changed = {require: change(edges.require, 'require'), forbid: change(edges.forbid, 'forbid')}
  return changed.require.length + changed.forbid.length === 0 ? project : {...project, edges: changed}
}

export function quoted(name: string): string {
  return `"${printableLine(name)}"`
}
