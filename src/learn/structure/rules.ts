import {AdfaError, nearestName, parseJson, shownValue} from '../../base/checks/index.ts'
import {type Edge, findCycle} from '../../base/network/index.ts'

/** What is known about the graph beforehand, by the numbers of the concepts. */
export interface EdgeConstraints {
  /** Edges that the graph must have, in this direction. */
  readonly required?: readonly Edge[]
  /** Edges that the graph must not have in this direction. */
  readonly forbidden?: readonly Edge[]
}

/** Tells which families the constraints allow; refuses constraints that no graph satisfies. `names` are for errors. */
export function familyFilter(
  names: readonly string[],
  constraints: EdgeConstraints
): (child: number, parents: readonly number[]) => boolean {
  checkConstraints(names, constraints)
  const {required = [], forbidden = []} = constraints
  const needed = parentLists(names.length, required)
  const barred = parentLists(names.length, forbidden)
  return (child, parents) =>
    needed[child].every(parent => parents.includes(parent)) && parents.every(parent => !barred[child].includes(parent))
}

function checkConstraints(names: readonly string[], {required = [], forbidden = []}: EdgeConstraints): void {
  for (const edge of [...required, ...forbidden]) checkEdge(edge, names)
  const path = (concepts: readonly number[]) => concepts.map(i => `"${names[i]}"`).join(' -> ')
  for (const [parent, child] of required) {
    if (forbidden.some(([from, to]) => from === parent && to === child))
      throw refuse(`edge ${path([parent, child])} is both required and forbidden; drop one of the two`)
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
}

/** The text of an edges file; `where` names it in errors. */
export function parseEdges(text: string, where: string): NamedEdges {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new AdfaError('bad-file', `${where}: it is not JSON (${(error as Error).message})`)
  }
  return checkNamedEdges(value, where)
}

export function checkNamedEdges(value: unknown, where: string): NamedEdges {
  const badFile = (fault: string) =>
    new AdfaError(
      'bad-file',
      `${where}: ${fault}; an edges file looks like {"require": [["parent", "child"]], "forbid": []}`
    )
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badFile('it is not an object')
  for (const [key, list] of Object.entries(value)) {
    if (key !== 'require' && key !== 'forbid') throw badFile(`unknown entry "${key}"`)
    if (!Array.isArray(list)) throw badFile(`"${key}" is not a list`)
    for (const edge of list)
      if (!(Array.isArray(edge) && edge.length === 2 && edge.every(name => typeof name === 'string')))
        throw badFile(`"${key}" holds ${shownValue(edge)}; an edge is a parent and a child, two names`)
  }
  return value
}

/** Numbers the constraints. Ignores edges of `skipped` concepts, which are left out of the model; refuses unknown names. */
export function numberEdges(
  edges: NamedEdges,
  names: readonly string[],
  skipped: readonly string[]
): {constraints: EdgeConstraints; ignored: number} {
  const number = (name: string) => (skipped.includes(name) ? -1 : conceptNumber(name, names))
  const numbered = (list: readonly (readonly [string, string])[]) =>
    list.map(([parent, child]): Edge => [number(parent), number(child)])
  const whole = ([parent, child]: Edge) => parent >= 0 && child >= 0
  const required = numbered(edges.require ?? [])
  const forbidden = numbered(edges.forbid ?? [])
  const constraints = {required: required.filter(whole), forbidden: forbidden.filter(whole)}
  const ignored = required.length + forbidden.length - constraints.required.length - constraints.forbidden.length
  return {constraints, ignored}
}

function conceptNumber(name: string, names: readonly string[]): number {
  const i = names.indexOf(name)
  if (i >= 0) return i
  const near = nearestName(name, names)
  throw refuse(`edges: "${name}" is not a concept of the model${near === undefined ? '' : `; did you mean "${near}"?`}`)
}
