import type {AdfaError} from '../checks/index.ts'
import type {BifRow, BifTable, BifVariable} from './bif-blocks.ts'

/** What the tables of a BIF file refer to. */
export interface BifFile {
  readonly variables: readonly BifVariable[]
  readonly index: ReadonlyMap<string, number>
  /** Which of the two states, 0 or 1, means that the concept is present. */
  readonly present: readonly number[]
  readonly refuse: (line: number, fault: string, remedy: string) => AdfaError
}

interface Family {
  readonly table: BifTable
  readonly child: number
  readonly parents: readonly number[]
}

/** How far the two numbers of a row may be from a sum of 1. The classic networks stay within 3e-7. */
const sumTolerance = 1e-6

/** The rows of one `probability` block as P(child = 1 | parents = s), the first parent the highest bit of s. */
export function fillTable(file: BifFile, family: Family): Float64Array {
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

/** A row `table`: for each state of the child all settings of the parents, states in the order of the file. */
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
      'give one for each state of the variable and its parents'
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

/** Of the two numbers, checked, the one of the state "present". */
function presentShare(file: BifFile, {table, child}: Family, row: BifRow, values: readonly number[]): number {
  if (values.length !== 2)
    throw file.refuse(
      row.line,
      `row ${rowName(row)} of "${table.child}" has ${values.length} numbers; it needs 2`,
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
      `row (${given.join(', ')}) names ${given.length} states, but "${table.child}" has ${parents.length} parents`,
      'name one state for each'
    )
  return given.reduce((s, state, at) => {
    const {id, states} = file.variables[parents[at]]
    const value = states.indexOf(state)
    if (value < 0) throw file.refuse(line, `"${state}" is no state of "${id}"`, `write ${states.join(' or ')}`)
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
