/** The project file of the studio: adfa.json with anchors and labels inside (docs/project.md), one file to keep and to send. */
import {
  AdfaError,
  arrayAt,
  booleanAt,
  type JsonObject,
  jsonEntries,
  jsonFault,
  jsonValues,
  nearestName,
  numberAt,
  objectAt,
  parseJson,
  type ReadAt,
  shownValue,
  textAt,
  wholeAt
} from '../../base/checks/index.ts'
import {checkNamedEdges} from '../../learn/structure/index.ts'
import {type Anchors, anchorsToJson, parseAnchors, textDefaults} from '../../read/data/index.ts'
import {type LabelRow, labelLines, labelRowsToText, parseLabelRows} from '../../use/labelling/index.ts'
import {fitOptionsOf, readOptionsOf} from './learn-options.ts'
import type {DocumentsMark, EdgeRules, FitSettings, Project, Reading, Snapshot} from './project.ts'
import {settledAnchors} from './project-parts.ts'
import {checkedSnapshots} from './snapshots.ts'

const FORMAT = 'adfa-project'
const VERSION = 1
const KEYS = [
  'format',
  'version',
  'name',
  'documents',
  'mark',
  'read',
  'anchors',
  'labels',
  'fit',
  'model',
  'snapshots'
] as const
const SCHEMA = 'https://unpkg.com/adfa/schema/project.schema.json'

/** A project, and the files that it names and does not hold: paths, seen from the project file. */
export interface OpenedProject {
  readonly project: Project
  readonly documents: readonly string[]
  readonly anchors: string | undefined
  readonly labels: string | undefined
  /** The text of the model that it holds, as in a model file. */
  readonly model: string | undefined
}

/** Whether a text is a project file, judged by its content. */
export function isProjectText(text: string): boolean {
  return /^\s*\{/.test(text) && /"format"\s*:\s*"adfa-project"/.test(text)
}

/** Reads a project file, of the studio or of `adfa init`. What the studio could not honour is refused. */
export function parseProjectFile(text: string, name: string): OpenedProject {
  try {
    return parsedProject(text, name)
  } catch (cause) {
    // Faults of anchors and labels name the file already.
    const message = (cause as Error).message
    if (cause instanceof AdfaError && message.startsWith(name)) throw cause
    const code = cause instanceof AdfaError ? cause.code : 'bad-file'
    throw new AdfaError(code, `${name}: ${message}`, {cause})
  }
}

function parsedProject(text: string, file: string): OpenedProject {
  const content = objectAt(parsedJson(text), 'the project')
  if (content.format !== FORMAT) throw new Error(`it is not a project file: "format" must be "${FORMAT}"`)
  if (content.version !== VERSION)
    throw new Error(`it has version ${shownValue(content.version)}; this program reads version ${VERSION}`)
  checkKeys(content, KEYS, 'a project')
  const {anchors, labels, model} = content
  const documents = content.documents === undefined ? [] : arrayAt([content.documents].flat(), 'documents', textAt)
  const mark = content.mark === undefined ? undefined : markAt(content.mark, documents)
  const parts = new Map(jsonEntries(text, text.indexOf('{')).map(({key, start, end}) => [key, text.slice(start, end)]))
  const isHeld = typeof model === 'object' && model !== null
  const isPath = (value: unknown): value is string => typeof value === 'string'
  const {edges, ...fit} = objectAt(content.fit ?? {}, 'fit')
  const rules = isPath(edges) ? undefined : edgesAt(edges, isPath(anchors) ? undefined : Object.keys(anchors ?? {}))
  const project: Project = {
    name: content.name === undefined ? file.replace(/(\.adfa)?\.json$/i, '') : textAt(content.name, 'name'),
    reading: readingAt(content.read ?? {}),
    anchors: anchors === undefined || isPath(anchors) ? [] : anchorsAt(anchors, `${parts.get('anchors')}`, file),
    fit: fitAt(isPath(edges) ? {...fit, edges} : fit),
    labels: labels === undefined || isPath(labels) ? [] : labelsAt(labels, `${parts.get('labels')}`, file),
    documents: mark,
    ...(model !== undefined && !isHeld && {model: textAt(model, 'model')}),
    ...(rules && {edges: rules}),
    ...(content.snapshots !== undefined && {snapshots: snapshotsAt(content.snapshots, `${parts.get('snapshots')}`)})
  }
  return {
    project,
    documents,
    anchors: isPath(anchors) ? anchors : undefined,
    labels: isPath(labels) ? labels : undefined,
    model: isHeld ? `${parts.get('model')}\n` : undefined
  }
}

const SNAPSHOT_KEYS = ['name', 'renamed', 'project', 'model'] as const

/** Each is read by its own text, which keeps ids and concepts that are named twice. */
function snapshotsAt(value: unknown, text: string): readonly Snapshot[] {
  const texts = jsonValues(text, 0).map(({start, end}) => text.slice(start, end))
  const snapshots = arrayAt(value, 'snapshots', (item, place): Snapshot => {
    const object = objectAt(item, place)
    checkKeys(object, SNAPSHOT_KEYS, place)
    const {renamed = [], model} = object
    const own = texts[(value as unknown[]).indexOf(item)]
    const part = jsonEntries(own, 0).find(({key}) => key === 'project')
    if (part === undefined) throw new Error(`${place} has no "project"; remove this snapshot`)
    const {snapshots, ...project} = parsedProject(own.slice(part.start, part.end), `${place}.project`).project
    if (snapshots !== undefined) throw new Error(`${place}.project has snapshots of its own; remove them`)
    return {
      name: textAt(object.name, `${place}.name`),
      project,
      renamed: arrayAt(renamed, `${place}.renamed`, (pair, at) => {
        const [then, now, ...more] = arrayAt(pair, at, textAt)
        if (now === undefined || more.length > 0) throw new Error(`${at} must be two names: then and now`)
        return [then, now] as const
      }),
      ...(model !== undefined && {model: textAt(model, `${place}.model`)})
    }
  })
  return checkedSnapshots(snapshots)
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new Error(`not valid JSON: ${jsonFault(text) ?? (cause as Error).message}`, {cause})
  }
}

function markAt(value: unknown, files: readonly string[]): DocumentsMark {
  const {count, hash} = objectAt(value, 'mark')
  return {files, count: wholeAt(count, 'mark.count'), hash: textAt(hash, 'mark.hash')}
}

function anchorsAt(value: unknown, text: string, file: string): Anchors {
  const isEmpty = Object.keys(objectAt(value, 'anchors')).every(key => key === '$schema' || key === '$comment')
  return isEmpty ? [] : settledAnchors(parseAnchors(text, `${file}, anchors`))
}

function labelsAt(value: unknown, text: string, file: string): readonly LabelRow[] {
  arrayAt(value, 'labels', objectAt)
  return parseLabelRows(labelLines(text), `${file}, labels`)
}

/**
 * The content of a project file: as the command line reads it, and with one concept and one label row per line. `held` is the
 * text of a model file, to be inside.
 */
export function projectToText(project: Project, held?: string): string {
  const {name, reading, anchors, fit, labels, documents, model, edges, snapshots = []} = project
  const rows = labelRowsToText(labels).split('\n').slice(0, -1)
  const concepts = Object.entries(anchorsToJson(anchors)).map(([key, value]) => `${json(key)}: ${json(value)}`)
  const lines: readonly (readonly [key: string, value: string | false])[] = [
    ['$schema', json(SCHEMA)],
    ['format', json(FORMAT)],
    ['version', json(VERSION)],
    ['name', json(name)],
    ['documents', documents !== undefined && documents.files.length > 0 && json(documents.files)],
    ['mark', documents !== undefined && json({count: documents.count, hash: documents.hash})],
    ['read', json(readingToJson(reading))],
    ['anchors', block('{', concepts, '}')],
    ['labels', block('[', rows, ']')],
    ['fit', json({...fit, ...(edges && {edges})})],
    ['model', held?.trimEnd() ?? json(model ?? 'model.json')],
    ['snapshots', snapshots.length > 0 && block('[', snapshots.map(snapshotText), ']')]
  ]
  const there = lines.flatMap(([key, value]) => (value === false ? [] : [`  ${json(key)}: ${value}`]))
  return `{\n${there.join(',\n')}\n}\n`
}

/** The content of an edges file. */
export function edgesToText(edges: EdgeRules): string {
  return `${json(edges)}\n`
}

/** What results follow from: all of the project but its name, its mark and its snapshots. */
export function resultsKey({documents: _, snapshots: __, ...project}: Project): string {
  return projectToText({...project, name: ''})
}

function snapshotText({name, project, renamed, model}: Snapshot): string {
  // Line feeds of JSON lie between its values, where none is needed.
  const own = projectToText(project).replace(/\n */g, '')
  const end = model === undefined ? '' : `, "model": ${json(model)}`
  return `{"name": ${json(name)}, "renamed": ${json(renamed)}, "project": ${own}${end}}`
}

function json(value: unknown): string {
  return JSON.stringify(value)
}

function block(open: string, items: readonly string[], close: string): string {
  return items.length === 0 ? `${open}${close}` : `${open}\n    ${items.join(',\n    ')}\n  ${close}`
}

/** The name of the file of a project, without what file names may not contain. */
export function projectFileName({name}: Project): string {
  return `${name.replace(/[\p{Cc}\\/:*?"<>|]+/gu, '-').trim()}.adfa.json`
}

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
function readingToJson(reading: Reading): JsonObject {
  const names = Object.keys(READ) as (keyof Reading)[]
  // The studio skips anchors that cannot work, so the command line does too.
  return {...Object.fromEntries(names.map(name => [name, reading[name]])), skipBadAnchors: true}
}

/** Settings of `read` that the command line alone has. */
const ELSEWHERE = 'worksheet anchorsFromTags topTags minTags ofTop labelShare workers'.split(' ')

/** `read` of a project. `skipBadAnchors` may be there: the studio always skips anchors that cannot work. */
function readingAt(value: unknown): Reading {
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

function fitAt(value: unknown): FitSettings {
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
function edgesAt(value: unknown, concepts: readonly string[] | undefined): EdgeRules | undefined {
  if (value === undefined) return undefined
  const {forbid = [], ...others} = checkNamedEdges(value, 'fit.edges')
  const required = others.require ?? []
  const stranger = [...required, ...forbid].flat().find(name => concepts?.includes(name) === false)
  if (stranger !== undefined)
    throw new Error(`"fit.edges" names ${shownValue(stranger)}, which is not a concept of the project; remove the rule`)
  return required.length + forbid.length === 0 ? undefined : {require: required, forbid}
}

/** Refuses keys that mean nothing; those that begin with `$` are for people and editors. */
function checkKeys(object: JsonObject, known: readonly string[], owner: string): void {
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
