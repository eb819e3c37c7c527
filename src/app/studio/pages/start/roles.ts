import {BY_NAME} from '../../../../read/reading/index.ts'
import type {ColumnView, Reading, Survey} from '../../../session/index.ts'

export type Role = ColumnView['role']

/** Roles in the order of a list that opens, with their words. */
export const ROLES: readonly (readonly [role: Role, words: string])[] = [
  ['id', 'name of the document'],
  ['text', 'text'],
  ['list', 'list of words'],
  ['category', 'category'],
  ['number', 'number, in bins'],
  ['tags', 'tags, for evaluation only'],
  ['votes', 'votes of a weak source'],
  ['skip', 'not read']
]

/** Bins of a number whose file does not say how many. */
const BINS = 5

const LISTS = ['text', 'category', 'number', 'list', 'votes'] as const

/** `age` of `age:10`, `meds` of `meds:;`; other entries are names. */
function columnOf(entry: string, list: (typeof LISTS)[number]): string {
  return list === 'number' || list === 'list' ? entry.replace(/:[^:]*$/, '') : entry
}

export function roleOf(reading: Reading, column: string): Role {
  if (reading.id === column) return 'id'
  if (reading.tags === column) return 'tags'
  return LISTS.find(list => (reading[list] ?? []).some(entry => columnOf(entry, list) === column)) ?? 'skip'
}

/** How documents are read when a column has another role; ids and tags come from one column each. */
export function withRole(reading: Reading, column: string, role: Role): Reading {
  if (roleOf(reading, column) === role) return reading
  const {id, tags, text, category, number, list, votes, holdOut, ...others} = reading
  const [, own] = /^[^:]*:(.+)$/s.exec(list?.find(entry => columnOf(entry, 'list') === column) ?? '') ?? []
  const lists = {text, category, number, list, votes}
  const kept = LISTS.flatMap(name => {
    const left = (lists[name] ?? []).filter(entry => columnOf(entry, name) !== column)
    const all = name === role ? [...left, name === 'number' ? `${column}:${BINS}` : column] : left
    return all.length > 0 ? [[name, all] as const] : []
  })
  const keep = (name: 'id' | 'tags', before: string | undefined) => {
    const now = role === name ? column : before === column ? undefined : before
    return now === undefined ? {} : {[name]: now}
  }
  // Only tagged documents can be held out.
  const loses = tags === column && role !== 'tags'
  const separator = role === 'tags' && own !== undefined ? {tagSeparator: own} : {}
  const keys = {...keep('id', id), ...keep('tags', tags), ...separator, ...(holdOut && !loses && {holdOut})}
  return {text: [], ...others, ...keys, ...Object.fromEntries(kept)}
}

/** Whether the format of the file itself says what the column is: nothing can be chosen then. */
export function isFixed(survey: Survey, column: string, role: Role): boolean {
  return role !== 'skip' && roleOf(survey.reading, column) === 'skip'
}

/** What a column is read as, by choice or by the format of the file. */
export function roleIn(survey: Survey, reading: Reading, {name, role}: ColumnView): Role {
  return isFixed(survey, name, role) ? role : roleOf(reading, name)
}

const UNREAD: readonly Role[] = ['id', 'tags', 'skip']

/** Whether no column gives a document its words. */
export function readsNothing(survey: Survey, reading: Reading): boolean {
  return survey.columns.every(column => column.detail !== BY_NAME && UNREAD.includes(roleIn(survey, reading, column)))
}
