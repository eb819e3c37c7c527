/** Rules of links between concepts: which must be there, and which must not. */
import {AdfaError} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import type {EdgeRule, EdgeRules, Project} from './project.ts'

const NONE: EdgeRules = {require: [], forbid: []}

/** Whether a rule is about these two concepts, in either order. */
export function isAbout(rule: EdgeRule, a: string, b: string): boolean {
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

function quoted(name: string): string {
  return `"${printableLine(name)}"`
}
