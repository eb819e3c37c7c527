import {AdfaError, nearestName} from '../checks/index.ts'
import {counted} from '../text/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {findCycle} from './graph.ts'
import {type BifRefusal, type BifRow, type BifTable, type BifVariable, parseBif} from './parse-bif.ts'

/** A network as a BIF file describes it. */
export interface BifNetwork {
  readonly names: readonly string[]
  /** The numbers of the file: unlike in a learned network, some may be exactly 0 or 1. */
  readonly network: BayesNetwork
  /** The file's names for Y_i = 0 and Y_i = 1. */
  readonly states: readonly {readonly absent: string; readonly present: string}[]
  /** How many probabilities are exactly 0 or 1; methods that take their logarithms need this to be 0. */
  readonly certainCount: number
}

/** States that begin with one of these words mean that the variable is present. */
const presentWords = new Set(['yes', 'y', 'true', 't', 'present', 'positive', 'high', 'on', '1'])

/** Limits memory: a table of 2^20 rows. */
const mostParents = 20

/**
 * Reads a Bayesian network of binary variables in the BIF format; variables keep the order of the `variable` blocks.
 *
 * Y = 1 is the state whose first word is yes, true, present, positive, high, on or 1 (so is "Yes__Always") if exactly one
 * of the two is, otherwise the second. P(Y = 1) is the number written for that state; the other is only checked.
 * In a `table` with parents the child's state varies slowest and the last parent's fastest, as the format defines.
 * `where` names the file in errors.
 */
export function networkFromBif(text: string, where: string): BifNetwork {
  const refuse: BifRefusal = (line, fault, remedy) => new AdfaError('bad-file', `${where}:${line}: ${fault}; ${remedy}`)
  const {variables, tables} = parseBif(text, refuse)
  if (variables.length === 0) throw refuse(1, 'the file has no variable', 'give a network in the BIF format')
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
      throw refuse(line, `variable "${id}" has no probability block`, 'add it, or get the whole file if it is cut off')
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

function indexOf(variables: readonly BifVariable[], refuse: BifRefusal): Map<string, number> {
  const index = new Map<string, number>()
  const names = new Set<string>()
  variables.forEach(({id, name, states, line}, i) => {
    if (states.length !== 2)
      throw refuse(line, `variable "${id}" has ${states.length} states; only binary ones can be read`, 'merge states')
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

function lookUp({index, refuse}: BifFile, id: string, line: number): number {
  const i = index.get(id)
  if (i !== undefined) return i
  const near = nearestName(id, [...index.keys()])
  const hint = near === undefined ? 'add a variable block for it' : `did you mean "${near}"?`
  throw refuse(line, `there is no variable "${id}"`, hint)
}

function parentsOf(file: BifFile, {child, parents, line}: BifTable): number[] {
  const list = parents.map(parent => lookUp(file, parent, line))
  const twice = parents.find((parent, at) => parents.indexOf(parent) < at)
  if (twice !== undefined)
    throw file.refuse(line, `"${twice}" is listed twice as a parent of "${child}"`, 'list it once')
  if (list.length > mostParents)
    throw file.refuse(line, `"${child}" has ${list.length} parents; at most ${mostParents} can be read`, 'split it')
  return list
}

/** What the tables of a BIF file need to be understood. */
interface BifFile {
  readonly variables: readonly BifVariable[]
  readonly index: ReadonlyMap<string, number>
  /** Which of the two states, 0 or 1, means that the variable is present. */
  readonly present: readonly number[]
  readonly refuse: BifRefusal
}

interface Family {
  readonly table: BifTable
  readonly child: number
  readonly parents: readonly number[]
}

/** How far the sum of the two numbers of a row may be from 1. The classic networks stay within 3e-7. */
const sumTolerance = 1e-6

/** The rows of one `probability` block as P(child = 1 | parents = s), the first parent the highest bit of s. */
function fillTable(file: BifFile, family: Family): Float64Array {
  const {table, parents} = family
  const cpt = new Float64Array(2 ** parents.length).fill(Number.NaN)
  let fallback: number | undefined
  for (const row of table.rows) {
    if (row.given === 'table') {
      fillWhole(file, family, row, cpt)
      continue
    }
    const p = presentShare(file, family, row, row.values)
    const s = row.given === 'default' ? undefined : parentSetting(file, family, row.given, row.line)
    if (s === undefined ? fallback !== undefined : !Number.isNaN(cpt[s]))
      throw file.refuse(row.line, `a second row ${rowName(row)} for "${table.child}"`, 'keep one of them')
    if (s === undefined) fallback = p
    else cpt[s] = p
  }
  const missing = cpt.findIndex(Number.isNaN)
  if (missing < 0) return cpt
  if (fallback === undefined) throw missingRow(file, family, missing)
  for (let s = missing; s < cpt.length; s++) if (Number.isNaN(cpt[s])) cpt[s] = fallback
  return cpt
}

/** A row `table`: for each state of the child all settings of the parents, states in file order. */
function fillWhole(file: BifFile, family: Family, row: BifRow, cpt: Float64Array): void {
  const {table, parents} = family
  const {values, line} = row
  const count = cpt.length
  if (!cpt.every(Number.isNaN))
    throw file.refuse(line, `"table" is not the only row of "${table.child}"`, 'keep one of them')
  if (values.length !== 2 * count)
    throw file.refuse(
      line,
      `the table of "${table.child}" has ${values.length} numbers; it needs ${2 * count}`,
      'give one for each combination of states of the variable and its parents'
    )
  for (let setting = 0; setting < count; setting++) {
    let s = 0
    for (const [at, k] of parents.entries()) {
      const state = (setting >> (parents.length - 1 - at)) & 1
      s = 2 * s + (state === file.present[k] ? 1 : 0)
    }
    cpt[s] = presentShare(file, family, row, [values[setting], values[count + setting]])
  }
}

/** Checks the two numbers of a row and returns that of the state "present". */
function presentShare(file: BifFile, {table, child}: Family, row: BifRow, values: readonly number[]): number {
  if (values.length !== 2)
    throw file.refuse(
      row.line,
      `row ${rowName(row)} of "${table.child}" has ${counted(values.length, 'number')}; it needs 2`,
      'give one for each state'
    )
  const sum = values[0] + values[1]
  if (Math.abs(sum - 1) > sumTolerance)
    throw file.refuse(
      row.line,
      `${values.join(' and ')} in row ${rowName(row)} of "${table.child}" sum to ${Number(sum.toPrecision(12))}, not to 1 within ${sumTolerance}`,
      row.given === 'table' && table.parents.length > 0
        ? 'correct them, or write one row for each setting of the parents'
        : 'correct them'
    )
  return values[file.present[child]]
}

function parentSetting(file: BifFile, {table, parents}: Family, given: readonly string[], line: number): number {
  if (given.length !== parents.length)
    throw file.refuse(
      line,
      `row (${given.join(', ')}) names ${counted(given.length, 'state')}, but "${table.child}" has ${counted(parents.length, 'parent')}`,
      'name one state for each'
    )
  return given.reduce((s, state, at) => {
    const {id, states} = file.variables[parents[at]]
    const value = states.indexOf(state)
    if (value < 0) throw file.refuse(line, `"${state}" is not a state of "${id}"`, `write ${states.join(' or ')}`)
    return 2 * s + (value === file.present[parents[at]] ? 1 : 0)
  }, 0)
}

function missingRow(file: BifFile, {table, parents}: Family, s: number): AdfaError {
  const given = parents.map((k, at) => {
    const on = (s >> (parents.length - 1 - at)) & 1
    return file.variables[k].states[on ? file.present[k] : 1 - file.present[k]]
  })
  const row = given.length === 0 ? '"table"' : `(${given.join(', ')})`
  return file.refuse(table.line, `the probabilities of "${table.child}" have no row ${row}`, 'add it')
}

function rowName({given}: BifRow): string {
  return typeof given === 'string' ? `"${given}"` : `(${given.join(', ')})`
}
