/** Anchors, labels and rules of links: in their order, and when a concept is gone or has another name. */
import {AdfaError} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import {type Anchors, exclusiveToJson, withExclusive} from '../../read/data/index.ts'
import type {LabelRow} from '../../use/labelling/index.ts'
import type {EdgeRule, EdgeRules, Project} from './project.ts'

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
 * The rows without the labels of a concept. A row that is about this concept alone goes; one about a whole document stays as
 * long as it has another label.
 */
export function withoutConcept(rows: readonly LabelRow[], concept: string): readonly LabelRow[] {
  return rows.flatMap(row => {
    if (row.skipped?.concept === concept) return []
    if (!row.labels.has(concept)) return [row]
    const labels = new Map([...row.labels].filter(([name]) => name !== concept))
    return labels.size === 0 ? [] : [{...row, labels}]
  })
}

/** The rows with another name for a concept. */
export function withRenamed(rows: readonly LabelRow[], concept: string, to: string): readonly LabelRow[] {
  return rows.map(row => {
    const isSkipped = row.skipped?.concept === concept
    if (!isSkipped && !row.labels.has(concept)) return row
    const labels = new Map([...row.labels].map(([name, isPresent]) => [name === concept ? to : name, isPresent]))
    return {...row, labels, ...(isSkipped && {skipped: {concept: to}})}
  })
}

/** Whether a row is about the concept. */
export function namesConcept({labels, skipped}: LabelRow, concept: string): boolean {
  return labels.has(concept) || skipped?.concept === concept
}

const NONE: EdgeRules = {require: [], forbid: []}

/** Whether a rule is about these two concepts, in either order. */
function isAbout(rule: EdgeRule, a: string, b: string): boolean {
  return rule.includes(a) && rule.includes(b)
}

/** The project with this rule of a pair, in place of the one it had; with none, the pair is free again. */
export function withRule(project: Project, [a, b]: EdgeRule, list: keyof EdgeRules | undefined): Project {
  const {edges = NONE} = project
  const others = keptRules(edges, rule => !isAbout(rule, a, b))
  if (list !== undefined) return withEdges(project, {...others, [list]: [...others[list], [a, b]]})
  if (size(others) === size(edges))
    throw new AdfaError('bad-option', `there is no rule for ${quoted(a)} and ${quoted(b)}; it is free already`)
  return withEdges(project, others)
}

/** The project with the rules of the concepts that `names` keeps. */
export function withRulesOf(project: Project, names: ReadonlySet<string>): Project {
  const {edges} = project
  return edges === undefined
    ? project
    : withEdges(
        project,
        keptRules(edges, rule => rule.every(name => names.has(name)))
      )
}

export function withRenamedRules(project: Project, concept: string, to: string): Project {
  const {edges} = project
  if (edges === undefined) return project
  const named = ([a, b]: EdgeRule): EdgeRule => [a === concept ? to : a, b === concept ? to : b]
  return withEdges(project, {require: edges.require.map(named), forbid: edges.forbid.map(named)})
}

/** A project without rules has none at all, so that equal projects are equal files. */
function withEdges({edges: _, ...project}: Project, edges: EdgeRules): Project {
  return size(edges) === 0 ? project : {...project, edges}
}

function keptRules(rules: EdgeRules, isKept: (rule: EdgeRule) => boolean): EdgeRules {
  return {require: rules.require.filter(isKept), forbid: rules.forbid.filter(isKept)}
}

function size(rules: EdgeRules): number {
  return rules.require.length + rules.forbid.length
}

export function quoted(name: string): string {
  return `"${printableLine(name)}"`
}
