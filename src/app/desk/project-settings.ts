/** `read` and `fit` of a project file, for the studio: what only the command line can honour is refused, never ignored. */
import {
  arrayAt,
  booleanAt,
  type JsonObject,
  nearestName,
  numberAt,
  objectAt,
  type ReadAt,
  shownValue,
  textAt
} from '../../base/checks/index.ts'
import {checkNamedEdges} from '../../learn/structure/index.ts'
import {textDefaults} from '../../read/data/index.ts'
import {fitOptionsOf} from './learn-options.ts'
import type {EdgeRules, FitSettings, Reading} from './project.ts'
import {readOptionsOf} from './read-options.ts'

/** Formats that a browser reads. */
const FORMATS: readonly string[] = ['jsonl', 'csv', 'tsv']

const READ: {readonly [Name in keyof Required<Reading>]: ReadAt<Required<Reading>[Name]>} = {
  format: formatAt,
  encoding: textAt,
  id: textAt,
  tags: textAt,
  separator: textAt,
  tagSeparator: textAt,
  text: namesAt,
  category: namesAt,
  number: (value, place) => arrayAt([value].flat(), place, textAt),
  list: namesAt,
  votes: namesAt,
  vocabulary: figureAt,
  maxShare: figureAt,
  keepCase: booleanAt,
  negation: booleanAt,
  negationScope: figureAt,
  holdOut: booleanAt
}

/** `read` as a project file has it: in one order, so that equal settings give equal files. */
export function readingToJson(reading: Reading): JsonObject {
  const names = Object.keys(READ) as (keyof Reading)[]
  // The studio skips anchors that cannot work, so the command line does too.
  return {...Object.fromEntries(names.map(name => [name, reading[name]])), skipBadAnchors: true}
}

/** Settings of `read` that the command line alone has. */
const ELSEWHERE = 'worksheet anchorsFromTags topTags minTags ofTop labelShare workers distinctWords'.split(' ')

/** `read` of a project. `skipBadAnchors` may be there: the studio always skips anchors that cannot work. */
export function readingAt(value: unknown): Reading {
  const object = objectAt(value, 'read')
  const stranger = ELSEWHERE.find(name => Object.hasOwn(object, name))
  if (stranger !== undefined)
    throw new Error(
      `"read" has "${stranger}", which only the command line supports; remove it to work in the studio, or use adfa run`
    )
  const {skipBadAnchors = true, ...settings} = object
  booleanAt(skipBadAnchors, 'read.skipBadAnchors')
  checkKeys(settings, Object.keys(READ), '"read"')
  const read = Object.entries(READ).flatMap(([name, at]) =>
    settings[name] === undefined ? [] : [[name, at(settings[name], `read.${name}`)]]
  )
  const reading: Reading = {text: textDefaults.text, ...Object.fromEntries(read)}
  readOptionsOf(reading)
  return reading
}

/** Settings of `fit` that are numbers; the command line also takes them as text. */
const NUMBERS = ['gap', 'timeLimit', 'intervals', 'seed']

export function fitAt(value: unknown): FitSettings {
  const entries = Object.entries(objectAt(value, 'fit')).filter(([name]) => !name.startsWith('$'))
  const fit = Object.fromEntries(
    entries.map(([name, setting]) => {
      const isText = typeof setting === 'string'
      if (!isText && typeof setting !== 'number' && typeof setting !== 'boolean')
        throw new Error(`fit.${name} must be text, a number, true or false, not ${shownValue(setting, 40)}`)
      return [name, isText && NUMBERS.includes(name) ? figureAt(setting, `fit.${name}`) : setting]
    })
  )
  fitOptionsOf(fit)
  return fit
}

/** The rules that a project holds in `fit.edges`; undefined without any. `concepts`: those of the project, if it holds them. */
export function edgesAt(value: unknown, concepts: readonly string[] | undefined): EdgeRules | undefined {
  if (value === undefined) return undefined
  const {forbid = [], ...others} = checkNamedEdges(value, 'fit.edges')
  const required = others.require ?? []
  const stranger = [...required, ...forbid].flat().find(name => concepts?.includes(name) === false)
  if (stranger !== undefined)
    throw new Error(`"fit.edges" names ${shownValue(stranger)}, which is no concept of the project; remove the rule`)
  return required.length + forbid.length === 0 ? undefined : {require: required, forbid}
}

/** Refuses keys that mean nothing; those that begin with `$` are for people and editors. */
export function checkKeys(object: JsonObject, known: readonly string[], owner: string): void {
  const stranger = Object.keys(object).find(key => !key.startsWith('$') && !known.includes(key))
  if (stranger === undefined) return
  const near = nearestName(stranger, known)
  throw new Error(
    `${owner} has no "${stranger}"; ${near === undefined ? `it has ${known.join(', ')}` : `did you mean "${near}"?`}`
  )
}

function formatAt(value: unknown, place: string): string {
  const format = textAt(value, place)
  if (FORMATS.includes(format)) return format
  throw new Error(
    `${place} is ${shownValue(format)}; the studio reads ${FORMATS.join(', ')}, and adfa run reads the others`
  )
}

/** Names in a list, or in a text between commas; an empty text names none. */
function namesAt(value: unknown, place: string): readonly string[] {
  if (typeof value !== 'string') return arrayAt(value, place, textAt)
  return value.trim() === '' ? [] : value.split(',').map(name => name.trim())
}

/** A number, or one in text, as the command line takes it. */
function figureAt(value: unknown, place: string): number {
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  return isNumber ? Number(value) : numberAt(value, place)
}
