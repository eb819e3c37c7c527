import {AdfaError, nearestName} from '../../base/checks/index.ts'
import type {Edge} from '../../base/network/index.ts'
import type {EdgeConstraints} from './edge-constraints.ts'
import type {GivenGraph} from './structure-kind.ts'

/** What is known of the graph, by the names of the concepts: the form of an edges file. */
export interface NamedEdges {
  readonly require?: readonly (readonly [parent: string, child: string])[]
  readonly forbid?: readonly (readonly [parent: string, child: string])[]
  /** No edge leads from a later list to an earlier one; a concept in none of them may have edges with all. */
  readonly tiers?: readonly (readonly string[])[]
}

/** The text of an edges file; `where` names it in errors. */
export function parseEdges(text: string, where: string): NamedEdges {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AdfaError('bad-file', `${where}: it is no JSON (${(error as Error).message})`)
  }
  return checkNamedEdges(value, where)
}

export function checkNamedEdges(value: unknown, where: string): NamedEdges {
  const refuse = (fault: string) =>
    new AdfaError(
      'bad-file',
      `${where}: ${fault}; an edges file looks like {"require": [["parent", "child"]], "forbid": [], "tiers": [["names"]]}`
    )
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('it holds no object')
  for (const [key, list] of Object.entries(value)) {
    if (key !== 'require' && key !== 'forbid' && key !== 'tiers') throw refuse(`unknown entry "${key}"`)
    if (!Array.isArray(list)) throw refuse(`"${key}" is no list`)
    for (const names of list) {
      if (!Array.isArray(names) || !names.every(name => typeof name === 'string'))
        throw refuse(`"${key}" holds ${JSON.stringify(names)}, which is no list of names`)
      if (key !== 'tiers' && names.length !== 2)
        throw refuse(`"${key}" holds ${JSON.stringify(names)}; an edge has a parent and a child`)
    }
  }
  return value
}

/**
 * The constraints by number. Names of `skipped` concepts, which are left out of the model, drop out with their edges; other
 * names that no concept has are refused.
 */
export function numberEdges(
  edges: NamedEdges,
  names: readonly string[],
  skipped: readonly string[]
): {constraints: EdgeConstraints; ignored: number} {
  const number = (name: string) => (skipped.includes(name) ? -1 : conceptNumber(name, names, 'edges'))
  const numbered = (list: readonly (readonly [string, string])[]) =>
    list.map(([parent, child]): Edge => [number(parent), number(child)])
  const whole = ([parent, child]: Edge) => parent >= 0 && child >= 0
  const required = numbered(edges.require ?? [])
  const forbidden = numbered(edges.forbid ?? [])
  const constraints = {required: required.filter(whole), forbidden: forbidden.filter(whole)}
  const ignored = required.length + forbidden.length - constraints.required.length - constraints.forbidden.length
  return {
    constraints:
      edges.tiers === undefined ? constraints : {...constraints, tiers: tierNumbers(edges.tiers, names, number)},
    ignored
  }
}

/** The tier of every concept, NaN for none. */
function tierNumbers(
  tiers: readonly (readonly string[])[],
  names: readonly string[],
  number: (name: string) => number
): number[] {
  const numbers = names.map(() => Number.NaN)
  tiers.forEach((list, tier) => {
    for (const name of list) {
      const i = number(name)
      if (i < 0) continue
      if (!Number.isNaN(numbers[i]))
        throw new AdfaError('bad-option', `edges: "${name}" stands in two tiers; keep it in one`)
      numbers[i] = tier
    }
  })
  return numbers
}

/** The parents of a known graph by the numbers of the model's concepts, which must be those of the graph but `skipped` ones. */
export function numberGraph(
  graph: GivenGraph,
  names: readonly string[],
  skipped: readonly string[]
): {parents: number[][]; ignored: number} {
  const concepts = graph.names.map(name =>
    skipped.includes(name) ? -1 : conceptNumber(name, names, 'the known graph')
  )
  const parents: number[][] = names.map(() => [])
  let ignored = 0
  concepts.forEach((child, at) => {
    const list = graph.parents[at].map(parent => concepts[parent])
    const kept = child < 0 ? [] : list.filter(parent => parent >= 0)
    if (child >= 0) parents[child] = kept
    ignored += list.length - kept.length
  })
  const missing = names.filter((_, i) => !concepts.includes(i))
  if (missing.length > 0)
    throw new AdfaError(
      'bad-option',
      `the known graph lacks ${missing.map(name => `"${name}"`).join(', ')}; it must have every concept of the model`
    )
  return {parents, ignored}
}

function conceptNumber(name: string, names: readonly string[], where: string): number {
  const i = names.indexOf(name)
  if (i >= 0) return i
  const near = nearestName(name, names)
  throw new AdfaError(
    'bad-option',
    `${where}: "${name}" is no concept of the model${near === undefined ? '' : `; did you mean "${near}"?`}`
  )
}
