import {AdfaError, nearestName} from '../../base/checks/index.ts'
import {type Edge, findCycle, type Parents} from '../../base/network/index.ts'
import {type FamilyScores, pruneFamilies} from './family-scores.ts'

/** A known graph, of which only the probabilities are learned. */
export interface GivenGraph {
  readonly names: readonly string[]
  readonly parents: Parents
}

/** What is known about the graph beforehand, by the numbers of the concepts. */
export interface EdgeConstraints {
  /** Edges that the graph must have, in this direction. */
  readonly required?: readonly Edge[]
  /** Edges that the graph must not have in this direction. */
  readonly forbidden?: readonly Edge[]
  /** A number per concept, NaN for none: no edge leads from a higher tier to a lower one. */
  readonly tiers?: readonly number[]
}

/** The families that the constraints allow; refuses constraints that no graph satisfies. `names` are for errors. */
export function familyFilter(
  names: readonly string[],
  constraints: EdgeConstraints
): (child: number, parents: readonly number[]) => boolean {
  checkConstraints(names, constraints)
  const {required = [], forbidden = [], tiers} = constraints
  const needed = parentLists(names.length, required)
  const barred = parentLists(names.length, forbidden)
  return (child, parents) =>
    needed[child].every(parent => parents.includes(parent)) &&
    parents.every(parent => !barred[child].includes(parent) && !(tiers && tiers[parent] > tiers[child]))
}

/**
 * The allowed families without dominated ones. Where edges are required, give scores that have not been pruned: pruning
 * drops families that are useful only with a required edge. Refuses constraints that leave a concept without a family.
 */
export function constrainFamilies(
  scores: FamilyScores,
  names: readonly string[],
  constraints: EdgeConstraints
): FamilyScores {
  const admits = familyFilter(names, constraints)
  const allowed = scores.map((families, child) => families.filter(({parents}) => admits(child, parents)))
  allowed.forEach((families, child) => {
    if (families.length === 0)
      throw refuse(
        `concept "${names[child]}": the constraints allow none of its ${scores[child].length} scored families; ` +
          'score more families, or relax the constraints'
      )
  })
  return pruneFamilies(allowed)
}

function checkConstraints(names: readonly string[], {required = [], forbidden = [], tiers}: EdgeConstraints): void {
  for (const edge of [...required, ...forbidden]) checkEdge(edge, names)
  const isInfinite = (tier: number) => Math.abs(tier) === Number.POSITIVE_INFINITY
  if (tiers !== undefined && (tiers.length !== names.length || tiers.some(isInfinite)))
    throw refuse(`tiers: ${tiers.length} for ${names.length} concepts; give a finite number for each, or NaN`)
  const path = (concepts: readonly number[]) => concepts.map(i => `"${names[i]}"`).join(' -> ')
  for (const [parent, child] of required) {
    const edge = path([parent, child])
    if (forbidden.some(([from, to]) => from === parent && to === child))
      throw refuse(`edge ${edge} is both required and forbidden; drop one of the two`)
    if (tiers !== undefined && tiers[parent] > tiers[child])
      throw refuse(
        `edge ${edge} is required, but leads from tier ${tiers[parent]} down to tier ${tiers[child]}; ` +
          'drop it, or change the tiers'
      )
  }
  const cycle = findCycle(parentLists(names.length, required))
  if (cycle !== undefined)
    throw refuse(`the required edges form a cycle: ${path([...cycle, cycle[0]])}; drop one of them`)
}

function refuse(fault: string): AdfaError {
  return new AdfaError('bad-option', fault)
}

function checkEdge([parent, child]: Edge, names: readonly string[]): void {
  for (const concept of [parent, child])
    if (!(Number.isInteger(concept) && concept >= 0 && concept < names.length))
      throw refuse(`an edge names concept ${concept}; there are concepts 0 to ${names.length - 1}`)
  if (parent === child) throw refuse(`an edge leads from "${names[parent]}" to itself; an edge joins two concepts`)
}

function parentLists(count: number, edges: readonly Edge[]): number[][] {
  const lists: number[][] = Array.from({length: count}, () => [])
  for (const [parent, child] of edges) if (!lists[child].includes(parent)) lists[child].push(parent)
  return lists
}

/** What is known about the graph, by the names of the concepts: the form of an edges file. */
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
    throw new AdfaError('bad-file', `${where}: it is not JSON (${(error as Error).message})`)
  }
  return checkNamedEdges(value, where)
}

export function checkNamedEdges(value: unknown, where: string): NamedEdges {
  const badFile = (fault: string) =>
    new AdfaError(
      'bad-file',
      `${where}: ${fault}; an edges file looks like {"require": [["parent", "child"]], "forbid": [], "tiers": [["names"]]}`
    )
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badFile('it is not an object')
  for (const [key, list] of Object.entries(value)) {
    if (key !== 'require' && key !== 'forbid' && key !== 'tiers') throw badFile(`unknown entry "${key}"`)
    if (!Array.isArray(list)) throw badFile(`"${key}" is not a list`)
    for (const names of list) {
      if (!Array.isArray(names) || !names.every(name => typeof name === 'string'))
        throw badFile(`"${key}" holds ${JSON.stringify(names)}, which is not a list of names`)
      if (key !== 'tiers' && names.length !== 2)
        throw badFile(`"${key}" holds ${JSON.stringify(names)}; an edge has a parent and a child`)
    }
  }
  return value
}

/** The constraints by number. Ignores edges of `skipped` concepts, which are left out of the model; refuses unknown names. */
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

/** The tier of every concept, or NaN. */
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
      if (!Number.isNaN(numbers[i])) throw refuse(`edges: "${name}" is in two tiers; keep it in one`)
      numbers[i] = tier
    }
  })
  return numbers
}

/** The parents of a known graph by the numbers of the model's concepts: those of the graph except `skipped` ones. */
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
    throw refuse(
      `the known graph lacks ${missing.map(name => `"${name}"`).join(', ')}; it must have every concept of the model`
    )
  return {parents, ignored}
}

function conceptNumber(name: string, names: readonly string[], where: string): number {
  const i = names.indexOf(name)
  if (i >= 0) return i
  const near = nearestName(name, names)
  throw refuse(
    `${where}: "${name}" is not a concept of the model${near === undefined ? '' : `; did you mean "${near}"?`}`
  )
}
