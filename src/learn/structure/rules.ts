import {AdfaError, nearestName, parseJson, shownValue} from '../../base/checks/index.ts'
import {type Edge, findCycle} from '../../base/network/index.ts'

/** Edges that a graph must or must not have, given by the numbers of the concepts. */
export interface EdgeConstraints {
  /** Edges that the graph must have, in this direction. */
  readonly required?: readonly Edge[]
  /** Edges that the graph must not have in this direction. */
  readonly forbidden?: readonly Edge[]
}

/** Returns a function that tells which families are allowed. Refuses constraints that no graph satisfies. */
export function familyFilter(
  names: readonly string[],
  {required = [], forbidden = []}: EdgeConstraints
): (child: number, parents: readonly number[]) => boolean {
  const needed = parentLists(names.length, required)
  const barred = parentLists(names.length, forbidden)
  const contradiction = required.find(([parent, child]) => barred[child].includes(parent))
  if (contradiction !== undefined)
    throw refuse(`edge ${namedPath(contradiction, names)} is both required and forbidden; drop one of the two`)
  const cycle = findCycle(needed)
  if (cycle !== undefined)
    throw refuse(`the required edges form a cycle: ${namedPath([...cycle, cycle[0]], names)}; drop one of them`)
  return (child, parents) =>
    needed[child].every(parent => parents.includes(parent)) && parents.every(parent => !barred[child].includes(parent))
}

/** Returns a path as text with the names of its concepts. */
export function namedPath(concepts: readonly number[], names: readonly string[]): string {
  return concepts.map(i => `"${names[i]}"`).join(' -> ')
}

/** Makes the error for options that contradict each other or the data. */
export function refuse(fault: string): AdfaError {
  return new AdfaError('bad-option', fault)
}

function parentLists(count: number, edges: readonly Edge[]): number[][] {
  const lists: number[][] = Array.from({length: count}, () => [])
  for (const [parent, child] of edges) if (!lists[child].includes(parent)) lists[child].push(parent)
  return lists
}

/** Edges that a graph must or must not have, given by the names of the concepts: the content of an edges file. */
export interface NamedEdges {
  readonly require?: readonly (readonly [parent: string, child: string])[]
  readonly forbid?: readonly (readonly [parent: string, child: string])[]
}

/** Parses the text of an edges file, which errors call `where`. */
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

/**
 * Replaces the names of concepts by their numbers. Edges of `skipped` concepts, which are left out of the model, are ignored
 * and counted; unknown names and edges from a concept to itself are refused.
 */
export function numberEdges(
  edges: NamedEdges,
  names: readonly string[],
  skipped: readonly string[]
): {constraints: EdgeConstraints; ignored: number} {
  let ignored = 0
  const numbered = (list: NamedEdges['require'] = []) =>
    list.flatMap(([parent, child]): Edge[] => {
      if (parent === child) throw refuse(`an edge leads from "${parent}" to itself; an edge joins two concepts`)
      const edge: Edge = [conceptNumber(parent, names, skipped), conceptNumber(child, names, skipped)]
      if (!edge.includes(-1)) return [edge]
      ignored++
      return []
    })
  const constraints = {required: numbered(edges.require), forbidden: numbered(edges.forbid)}
  return {constraints, ignored}
}

/** Returns the number of a concept, or -1 if it was skipped. */
function conceptNumber(name: string, names: readonly string[], skipped: readonly string[]): number {
  if (names.includes(name) || skipped.includes(name)) return names.indexOf(name)
  const near = nearestName(name, names)
  throw refuse(`edges: "${name}" is not a concept of the model${near === undefined ? '' : `; did you mean "${near}"?`}`)
}
