import {AdfaError} from '../../base/checks/index.ts'
import type {Edge} from '../../base/network/index.ts'
import {findCycle} from '../../base/network/index.ts'
import {type FamilyScores, pruneFamilies} from './family-scores.ts'

/** What is known of the graph beforehand. */
export interface EdgeConstraints {
  /** Edges that must be there, in this direction. */
  readonly required?: readonly Edge[]
  /** Edges that must not be there in this direction. */
  readonly forbidden?: readonly Edge[]
  /** A number for each concept, NaN for none: no edge leads from a higher tier to a lower one. */
  readonly tiers?: readonly number[]
}

/**
 * The families that the constraints allow, as a predicate of child and parents. Constraints that no graph can satisfy are
 * refused by name; `names` are those of the concepts.
 */
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
 * Only the families that the constraints allow, without dominated ones. Use it on scores that were not pruned yet where
 * edges are required: pruning before has dropped families that only a required edge makes worth having. A concept that
 * is left without a family is refused.
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
      throw new AdfaError(
        'bad-option',
        `concept "${names[child]}": the constraints allow none of its ${scores[child].length} scored families; ` +
          'score more families, or relax the constraints'
      )
  })
  return pruneFamilies(allowed)
}

function checkConstraints(names: readonly string[], {required = [], forbidden = [], tiers}: EdgeConstraints): void {
  for (const edge of [...required, ...forbidden]) checkEdge(edge, names)
  if (
    tiers !== undefined &&
    (tiers.length !== names.length || tiers.some(tier => Math.abs(tier) === Number.POSITIVE_INFINITY))
  )
    throw new AdfaError(
      'bad-option',
      `tiers: ${tiers.length} for ${names.length} concepts; give a finite number for each, or NaN`
    )
  const show = ([parent, child]: Edge) => `"${names[parent]}" -> "${names[child]}"`
  for (const edge of required) {
    const [parent, child] = edge
    if (forbidden.some(([from, to]) => from === parent && to === child))
      throw new AdfaError('bad-option', `edge ${show(edge)} is both required and forbidden; drop one of the two`)
    if (tiers !== undefined && tiers[parent] > tiers[child])
      throw new AdfaError(
        'bad-option',
        `edge ${show(edge)} is required, but leads from tier ${tiers[parent]} down to tier ${tiers[child]}; ` +
          'drop it, or change the tiers'
      )
  }
  const cycle = findCycle(parentLists(names.length, required))
  if (cycle !== undefined)
    throw new AdfaError(
      'bad-option',
      `the required edges form a cycle: ${[...cycle, cycle[0]].map(i => `"${names[i]}"`).join(' -> ')}; drop one of them`
    )
}

function checkEdge([parent, child]: Edge, names: readonly string[]): void {
  for (const concept of [parent, child])
    if (!(Number.isInteger(concept) && concept >= 0 && concept < names.length))
      throw new AdfaError('bad-option', `an edge names concept ${concept}; there are concepts 0 to ${names.length - 1}`)
  if (parent === child)
    throw new AdfaError('bad-option', `an edge leads from "${names[parent]}" to itself; an edge joins two concepts`)
}

function parentLists(count: number, edges: readonly Edge[]): number[][] {
  const lists: number[][] = Array.from({length: count}, () => [])
  for (const [parent, child] of edges) if (!lists[child].includes(parent)) lists[child].push(parent)
  return lists
}
