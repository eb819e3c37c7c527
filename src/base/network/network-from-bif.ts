import {AdfaError, nearestName} from '../checks/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {type BifTable, type BifVariable, parseBif} from './bif-blocks.ts'
import {type BifFile, fillTable} from './bif-table.ts'
import {findCycle} from './find-cycle.ts'

/** A network as a BIF file has it. */
export interface BifNetwork {
  readonly names: readonly string[]
  /** The numbers as they stand in the file: unlike in a learned network, some may be exactly 0 or 1. */
  readonly network: BayesNetwork
  /** What the file calls Y_i = 0 and Y_i = 1. */
  readonly states: readonly {readonly absent: string; readonly present: string}[]
  /** How many probabilities are exactly 0 or 1; methods that take logarithms of all of them need none. */
  readonly certainCount: number
}

/** States that begin with one of these words mean that the concept is present. */
const presentWords = new Set(['yes', 'y', 'true', 't', 'present', 'positive', 'high', 'on', '1'])

/** Guards the memory: a table of 2^20 rows. */
const mostParents = 20

/**
 * Reads a Bayesian network of binary variables in the BIF format; concepts keep the order of the `variable` blocks.
 *
 * Y = 1 is the state whose first word is yes, true, present, positive, high, on or 1 (so is "Yes__Always"), if exactly
 * one of the two is; else the second. P(Y = 1) is the number written for that state; the other is only checked.
 * A `table` with parents has the child's state slowest and the last parent's fastest, as the format defines it.
 * `where` names the file in errors.
 */
export function networkFromBif(text: string, where: string): BifNetwork {
  const {variables, tables} = parseBif(text, where)
  const refuse = (line: number, fault: string, remedy: string) =>
    new AdfaError('bad-file', `${where}:${line}: ${fault}; ${remedy}`)
  if (variables.length === 0) throw refuse(1, 'there is no variable', 'give a network in the BIF format')
  const file: BifFile = {variables, index: indexOf(variables, refuse), present: variables.map(presentState), refuse}
  const parents: number[][] = []
  const cpt: Float64Array[] = []
  for (const table of tables) {
    const child = lookUp(file, table.child, table.line)
    if (child in parents)
      throw refuse(table.line, `a second table of probabilities for "${table.child}"`, 'keep one of them')
    parents[child] = parentsOf(file, table)
    cpt[child] = fillTable(file, {table, child, parents: parents[child]})
  }
  variables.forEach(({id, line}, i) => {
    if (!(i in parents))
      throw refuse(line, `variable "${id}" has no probability block`, 'add it, or get the whole file if it was cut off')
  })
  const cycle = findCycle(parents)
  if (cycle !== undefined) {
    const path = [...cycle, cycle[0]].map(i => variables[i].id).join(' -> ')
    throw refuse(variables[cycle[0]].line, `the parents form a cycle: ${path}`, 'remove one of these edges')
  }
  const states = variables.map(({states: [first, second]}, i) =>
    file.present[i] === 0 ? {absent: second, present: first} : {absent: first, present: second}
  )
  const certainCount = cpt.reduce((count, table) => count + table.filter(p => p === 0 || p === 1).length, 0)
  return {names: variables.map(({name}) => name), network: {parents, cpt}, states, certainCount}
}

function indexOf(variables: readonly BifVariable[], refuse: BifFile['refuse']): Map<string, number> {
  const index = new Map<string, number>()
  const names = new Set<string>()
  variables.forEach(({id, name, states, line}, i) => {
    if (states.length !== 2)
      throw refuse(
        line,
        `variable "${id}" has ${states.length} states; only binary variables are read`,
        'merge its states'
      )
    if (states[0] === states[1])
      throw refuse(line, `both states of variable "${id}" are called "${states[0]}"`, 'rename one')
    if (index.has(id) || names.has(name)) throw refuse(line, `a second variable "${name}"`, 'rename or remove one')
    index.set(id, i)
    names.add(name)
  })
  return index
}

function presentState({states}: BifVariable): number {
  const [first, second] = states.map(state => presentWords.has(state.toLowerCase().split(/[^\p{L}\p{N}]/u)[0]))
  return first && !second ? 0 : 1
}

function lookUp({variables, index, refuse}: BifFile, id: string, line: number): number {
  const i = index.get(id)
  if (i !== undefined) return i
  const near = nearestName(
    id,
    variables.map(variable => variable.id)
  )
  const hint = near === undefined ? 'add a variable block for it' : `did you mean "${near}"?`
  throw refuse(line, `there is no variable "${id}"`, hint)
}

function parentsOf(file: BifFile, {child, parents, line}: BifTable): number[] {
  const list = parents.map(parent => lookUp(file, parent, line))
  const twice = parents.find((parent, at) => parents.indexOf(parent) < at)
  if (twice !== undefined) throw file.refuse(line, `"${twice}" is twice a parent of "${child}"`, 'name it once')
  if (list.length > mostParents)
    throw file.refuse(
      line,
      `"${child}" has ${list.length} parents; at most ${mostParents} are read`,
      'split the variable'
    )
  return list
}
