/** adfa.json (docs/project.md): read by the command line and the studio, written by `adfa init` and the studio. */
import {
  AdfaError,
  arrayAt,
  type JsonObject,
  type JsonSpan,
  jsonEntries,
  jsonFault,
  jsonValues,
  nearestName,
  objectAt,
  parseJson,
  shownValue,
  textAt,
  wholeAt
} from '../../base/checks/index.ts'
import {checkNamedEdges} from '../../learn/structure/index.ts'
import {type Anchors, anchorsToJson, parseAnchors, vocabularyDefaults} from '../../read/data/index.ts'
import {labelLines, labelRowsToText, parseLabelRows} from '../../use/labelling/index.ts'
import {fitOptionsOf, readOptionsOf} from './learn-options.ts'
import type {DocumentsMark, EdgeRules, FitSettings, Project, Reading, Snapshot} from './project.ts'
import {settledAnchors} from './project-parts.ts'
import {camelCase, projectSettings, type SettingValue, settingAt} from './settings.ts'
import {checkedSnapshots} from './snapshots.ts'

export const FORMAT = 'adfa-project'
export const VERSION = 1
export const SCHEMA = 'https://unpkg.com/adfa/schema/project.schema.json'

/** Every key of a project file, with its meaning. */
export const PROJECT_KEYS: Readonly<Record<string, string>> = {
  format: `"${FORMAT}"`,
  version: `the version of the format: ${VERSION}`,
  name: 'the name of the project',
  documents: 'the files with the documents; paths are relative to the project file',
  mark: 'the number of the documents and a hash of their ids, by which the studio recognises them',
  read: 'how the documents are read: the reading options of the command line, by camelCase name',
  anchors: 'the file with the anchor of each concept, or its content',
  labels: 'the labels file that adfa label writes, which is used once it exists; or a list of its rows',
  fit: 'how the model is learned: the options of adfa fit, by camelCase name',
  model:
    'the model file that adfa fit and adfa run write and other commands read; or its content, which is read and never written',
  snapshots: 'earlier states of the project with their models, which the studio compares'
}

export type Settings = Readonly<Record<string, SettingValue>>

/** The parts that a project file may hold instead of naming their file. */
export type Part = 'anchors' | 'labels' | 'edges' | 'model'

/** What a project file says; its paths are seen from the file. */
export interface ProjectFile {
  readonly name: string | undefined
  readonly documents: readonly string[] | undefined
  readonly mark: Omit<DocumentsMark, 'files'> | undefined
  readonly read: Settings
  readonly fit: Settings
  /** The parts by the path of their file. */
  readonly named: {readonly [Name in Part]: string | undefined}
  /** The text of the parts that it holds. */
  readonly held: {readonly [Name in Part | 'snapshots']?: string}
}

/** Whether a text is a project file, judged by its content. */
export function isProjectText(text: string): boolean {
  return /^\s*\{/.test(text) && /"format"\s*:\s*"adfa-project"/.test(text)
}

/** Where a project file holds its parts: one that it names is not among them, and other files have none. */
export function heldSpans(text: string): {readonly [Name in Part | 'snapshots']?: JsonSpan} {
  if (!isProjectText(text)) return {}
  const spans = new Map(jsonEntries(text, text.indexOf('{')).map(({key, ...span}) => [key, span]))
  const spanOf = (part: string, start: string) => {
    const span = spans.get(part)
    return span !== undefined && text[span.start] === start ? {[part]: span} : {}
  }
  const format = spans.get('format')
  if (text.slice(format?.start, format?.end) !== `"${FORMAT}"`) return {}
  const {fit} = spanOf('fit', '{')
  for (const {key, ...span} of fit === undefined ? [] : jsonEntries(text, fit.start))
    if (key === 'edges') spans.set('edges', span)
  const objects = ['anchors', 'edges', 'model'].map(part => spanOf(part, '{'))
  return Object.assign({}, ...objects, spanOf('labels', '['), spanOf('snapshots', '['))
}

/** The content of an anchors, edges or model file, from the file itself or a project that holds it. */
export function heldText(text: string, part: Exclude<Part, 'labels'>): string {
  const span = heldSpans(text)[part]
  return span === undefined ? text : text.slice(span.start, span.end)
}

/** The same for a labels file, with the place of its rows for errors. */
export function labelsText(text: string, path: string): {readonly text: string; readonly where: string} {
  const span = heldSpans(text).labels
  if (span === undefined) return {text, where: path}
  return {text: labelLines(text.slice(span.start, span.end)), where: `${path}, labels`}
}

/** Reads a project file; the content of the parts that it holds is not looked at. */
export function parseProjectFile(text: string, file: string): ProjectFile {
  return withPlace(file, () => projectFile(text))
}

function projectFile(text: string): ProjectFile {
  const content = objectAt(parsedJson(text), 'the project')
  if (content.format !== FORMAT)
    throw new Error(
      `it is not a project file: "format" must be "${FORMAT}"; write one with adfa init, or ignore it with --no-project`
    )
  if (content.version !== VERSION)
    throw new Error(`it has version ${shownValue(content.version)}; this program reads version ${VERSION}`)
  checkKeys(content, Object.keys(PROJECT_KEYS), 'a project')
  const {name, documents, mark, anchors, labels, model, snapshots = []} = content
  const {edges, ...fit} = objectAt(content.fit ?? {}, 'fit')
  const spans = heldSpans(text)
  const pathAt = (part: Part, value: unknown, place: string = part) =>
    value === undefined || spans[part] !== undefined ? undefined : textAt(value, place)
  if (spans.labels !== undefined) arrayAt(labels, 'labels', objectAt)
  arrayAt(snapshots, 'snapshots', objectAt)
  return {
    name: name === undefined ? undefined : textAt(name, 'name'),
    documents: documents === undefined ? undefined : arrayAt([documents].flat(), 'documents', textAt),
    mark: mark === undefined ? undefined : markAt(mark),
    read: settingsAt(content.read ?? {}, 'read'),
    fit: settingsAt(fit, 'fit'),
    named: {
      anchors: pathAt('anchors', anchors),
      labels: pathAt('labels', labels),
      model: pathAt('model', model),
      edges: pathAt('edges', edges, 'fit.edges')
    },
    held: Object.fromEntries(Object.entries(spans).map(([part, {start, end}]) => [part, text.slice(start, end)]))
  }
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new Error(
      `not valid JSON: ${jsonFault(text) ?? (cause as Error).message}; comments are written as "$comment": "..."`,
      {cause}
    )
  }
}

/** Refuses keys that mean nothing; those that begin with `$` are for people and editors. */
function checkKeys(object: JsonObject, known: readonly string[], owner: string): void {
  const stranger = Object.keys(object).find(key => !key.startsWith('$') && !known.includes(key))
  if (stranger === undefined) return
  const near = nearestName(stranger, known) ?? nearestName(camelCase(stranger), known)
  throw new Error(
    `${owner} has no "${stranger}"; ${near === undefined ? `it has ${known.join(', ')}` : `did you mean "${near}"?`}`
  )
}

/** `read` or `fit` with checked values. */
function settingsAt(value: unknown, place: 'read' | 'fit'): Settings {
  const settings = new Map(projectSettings[place].map(setting => [setting.name, setting]))
  const object = objectAt(value, place)
  checkKeys(object, [...settings.keys()], `"${place}"`)
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, given]) => {
      const setting = settings.get(name)
      return setting === undefined ? [] : [[name, settingAt(setting, given, `${place}.${name}`)]]
    })
  )
}

function markAt(value: unknown): Omit<DocumentsMark, 'files'> {
  const {count, hash} = objectAt(value, 'mark')
  return {count: wholeAt(count, 'mark.count'), hash: textAt(hash, 'mark.hash')}
}

/** Adds the file to errors, but for those that name it already, such as faults of anchors and labels. */
function withPlace<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const message = (cause as Error).message
    if (cause instanceof AdfaError && message.startsWith(file)) throw cause
    const code = cause instanceof AdfaError ? cause.code : 'bad-file'
    throw new AdfaError(code, `${file}: ${message}`, {cause})
  }
}

/** A project as the studio holds it, and the files that it names and does not hold: paths, seen from the project file. */
export interface OpenedProject {
  readonly project: Project
  readonly documents: readonly string[]
  readonly anchors: string | undefined
  readonly labels: string | undefined
  /** The text of the model that it holds, as in a model file. */
  readonly model: string | undefined
}

/** Opens a project file with all that it holds. What the studio could not honour is refused. */
export function openProject(text: string, file: string): OpenedProject {
  return withPlace(file, () => opened(text, file))
}

function opened(text: string, file: string): OpenedProject {
  const {name, documents = [], mark, read, fit, named, held} = projectFile(text)
  if (named.edges !== undefined)
    throw new Error(
      '"fit" has "edges", which names a file that only the command line reads; remove it to work in the studio'
    )
  const anchors = held.anchors === undefined ? [] : anchorsOf(held.anchors, file)
  const edges = edgesOf(held, anchors)
  fitOptionsOf(fit as FitSettings)
  const project: Project = {
    name: name ?? file.replace(/(\.adfa)?\.json$/i, ''),
    reading: readingOf(read),
    anchors,
    fit: fit as FitSettings,
    labels: held.labels === undefined ? [] : parseLabelRows(labelLines(held.labels), `${file}, labels`),
    documents: mark && {files: documents, ...mark},
    ...(named.model !== undefined && {model: named.model}),
    ...(edges && {edges}),
    ...(held.snapshots !== undefined && {snapshots: snapshotsOf(held.snapshots)})
  }
  const model = held.model === undefined ? undefined : `${held.model}\n`
  return {project, documents, anchors: named.anchors, labels: named.labels, model}
}

function anchorsOf(text: string, file: string): Anchors {
  const isEmpty = jsonEntries(text, 0).every(({key}) => key === '$schema' || key === '$comment')
  return isEmpty ? [] : settledAnchors(parseAnchors(text, `${file}, anchors`))
}

/** The rules that a project holds; undefined without any. */
function edgesOf(held: ProjectFile['held'], anchors: Anchors): EdgeRules | undefined {
  if (held.edges === undefined) return undefined
  const edges = {require: [], forbid: [], ...checkNamedEdges(JSON.parse(held.edges), 'fit.edges')}
  const rules = [...edges.require, ...edges.forbid]
  const stranger = rules.flat().find(name => anchors.every(({concept}) => concept !== name))
  if (stranger !== undefined && held.anchors !== undefined)
    throw new Error(`"fit.edges" names ${shownValue(stranger)}, which is not a concept of the project; remove the rule`)
  return rules.length === 0 ? undefined : edges
}

/** `skipBadAnchors` may be there: the studio always skips anchors that cannot work. */
function readingOf({skipBadAnchors: _, ...read}: Settings): Reading {
  const stranger = projectSettings.read.find(({name, isTerminalOnly}) => isTerminalOnly && read[name] !== undefined)
  if (stranger !== undefined)
    throw new Error(
      `"read" has "${stranger.name}", which only the command line supports; remove it to work in the studio, or use adfa run`
    )
  const reading: Reading = {text: vocabularyDefaults.text, ...read}
  readOptionsOf(reading)
  return reading
}

const SNAPSHOT_KEYS = ['name', 'renamed', 'project', 'model'] as const

/** Each is read by its own text, which keeps ids and concepts that are named twice. */
function snapshotsOf(text: string): readonly Snapshot[] {
  const texts = jsonValues(text, 0).map(({start, end}) => text.slice(start, end))
  const snapshots = (JSON.parse(text) as JsonObject[]).map((object, at): Snapshot => {
    const place = `snapshots[${at}]`
    checkKeys(object, SNAPSHOT_KEYS, place)
    const {renamed = [], model} = object
    const part = jsonEntries(texts[at], 0).find(({key}) => key === 'project')
    if (part === undefined) throw new Error(`${place} has no "project"; remove this snapshot`)
    const {snapshots: _, ...project} = opened(texts[at].slice(part.start, part.end), `${place}.project`).project
    return {
      name: textAt(object.name, `${place}.name`),
      project,
      renamed: arrayAt(renamed, `${place}.renamed`, (pair, pairPlace) => {
        const [then, now, ...more] = arrayAt(pair, pairPlace, textAt)
        if (now === undefined || more.length > 0) throw new Error(`${pairPlace} must be two names: then and now`)
        return [then, now] as const
      }),
      ...(model !== undefined && {model: textAt(model, `${place}.model`)})
    }
  })
  return checkedSnapshots(snapshots)
}

/** What `adfa init` decides. */
export interface NewProject {
  readonly documents: readonly string[]
  readonly read: JsonObject
  readonly anchors?: string
  readonly labels: string
  readonly model: string
}

/** The project file of `adfa init`, which people go on editing. `schema` is where editors find its schema. */
export function newProjectText({documents, read, anchors, labels, model}: NewProject, schema = SCHEMA): string {
  const $comment =
    'adfa commands in this folder take their settings from here. Flags override them; docs: adfa help run'
  return jsonLines({...HEAD, $schema: schema, $comment, documents, read, anchors, labels, model}, 2)
}

/** The project file of the studio, with one concept and one label row per line, and the model file whose text is `held`. */
export function projectToText(project: Project, held?: string): string {
  const text = jsonLines(contentOf(project), 2)
  return held === undefined ? text : text.replace(/(?<=^ {2}"model": )".*"/m, () => held.trimEnd())
}

const HEAD = {$schema: SCHEMA, format: FORMAT, version: VERSION}

function contentOf({reading, fit, edges, snapshots, ...project}: Project): JsonObject {
  const {name, documents: {files = [], count, hash} = {}, anchors, labels, model = 'model.json'} = project
  // In one order, so that equal settings give equal files. The studio skips anchors that cannot work, so the command line does too.
  const settings = new Map(Object.entries(reading))
  const ordered = projectSettings.read.map(setting => [setting.name, settings.get(setting.name)])
  return {
    ...HEAD,
    name,
    documents: files.length > 0 ? files : undefined,
    mark: project.documents && {count, hash},
    read: {...Object.fromEntries(ordered), skipBadAnchors: true},
    anchors: anchorsToJson(anchors),
    labels: labelRowsToText(labels)
      .split('\n')
      .slice(0, -1)
      .map(row => JSON.parse(row)),
    fit: {...fit, ...(edges && {edges})},
    model,
    snapshots: snapshots?.map(({project: then, ...own}) => ({...own, project: contentOf(then)}))
  }
}

/** JSON with what is deeper than `depth` on one line. Line feeds of JSON are never inside its strings. */
export function jsonLines(content: object, depth: number): string {
  const edges = new RegExp(`(?<=[[{])\\n {${2 * depth + 1},}|\\n {${2 * depth},}(?=[\\]}])`, 'g')
  const lines = JSON.stringify(content, undefined, 2).replace(edges, '')
  return `${lines.replace(new RegExp(`\\n {${2 * depth + 1},}`, 'g'), ' ')}\n`
}

/** What results follow from: all of the project but its name, its mark and its snapshots. */
export function resultsKey({documents: _, snapshots: __, ...project}: Project): string {
  return projectToText({...project, name: ''})
}

/** The name of the file of a project, without what file names may not contain. */
export function projectFileName({name}: Project): string {
  return `${name.replace(/[\p{Cc}\\/:*?"<>|]+/gu, '-').trim()}.adfa.json`
}
