/** The project file of the studio: adfa.json with anchors and labels inside (docs/project.md), one file to keep and to send. */
import {
  AdfaError,
  arrayAt,
  jsonEntries,
  jsonFault,
  objectAt,
  parseJson,
  shownValue,
  textAt,
  wholeAt
} from '../../base/checks/index.ts'
import {type Anchors, anchorsToJson, parseAnchors} from '../../read/data/index.ts'
import {type LabelRow, labelLines, labelRowsToText, parseLabelRows} from '../../use/labelling/index.ts'
import {settledAnchors} from './anchor-list.ts'
import type {DocumentsMark, EdgeRules, Project} from './project.ts'
import {checkKeys, edgesAt, fitAt, readingAt, readingToJson} from './project-settings.ts'

const FORMAT = 'adfa-project'
const VERSION = 1
const KEYS = ['format', 'version', 'name', 'documents', 'mark', 'read', 'anchors', 'labels', 'fit', 'model'] as const
const SCHEMA = 'https://unpkg.com/adfa/schema/project.schema.json'

/** A project, and the files that it names and does not hold: paths, seen from the project file. */
export interface OpenedProject {
  readonly project: Project
  readonly documents: readonly string[]
  readonly anchors: string | undefined
  readonly labels: string | undefined
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
  if (content.format !== FORMAT) throw new Error(`it is no project file: "format" must be "${FORMAT}"`)
  if (content.version !== VERSION)
    throw new Error(`it has version ${shownValue(content.version)}; this program reads version ${VERSION}`)
  checkKeys(content, KEYS, 'a project')
  const {anchors, labels, model} = content
  const documents = content.documents === undefined ? [] : arrayAt([content.documents].flat(), 'documents', textAt)
  const mark = content.mark === undefined ? undefined : markAt(content.mark, documents)
  const parts = new Map(jsonEntries(text, text.indexOf('{')).map(({key, start, end}) => [key, text.slice(start, end)]))
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
    ...(model !== undefined && {model: textAt(model, 'model')}),
    ...(rules && {edges: rules})
  }
  return {
    project,
    documents,
    anchors: isPath(anchors) ? anchors : undefined,
    labels: isPath(labels) ? labels : undefined
  }
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

/** The content of a project file: as the command line reads it, and with one concept and one label row per line. */
export function projectToText({name, reading, anchors, fit, labels, documents, model, edges}: Project): string {
  const rows = labelRowsToText(labels).split('\n').slice(0, -1)
  const concepts = Object.entries(anchorsToJson(anchors)).map(([key, value]) => `${json(key)}: ${json(value)}`)
  const lines: [string, string][] = [
    ['$schema', json(SCHEMA)],
    ['format', json(FORMAT)],
    ['version', json(VERSION)],
    ['name', json(name)],
    ...(documents === undefined || documents.files.length === 0
      ? []
      : [['documents', json(documents.files)] satisfies [string, string]]),
    ...(documents === undefined
      ? []
      : [['mark', json({count: documents.count, hash: documents.hash})] satisfies [string, string]]),
    ['read', json(readingToJson(reading))],
    ['anchors', block('{', concepts, '}')],
    ['labels', block('[', rows, ']')],
    ['fit', json({...fit, ...(edges && {edges})})],
    ['model', json(model ?? 'model.json')]
  ]
  return `{\n${lines.map(([key, value]) => `  ${json(key)}: ${value}`).join(',\n')}\n}\n`
}

/** The content of an edges file. */
export function edgesToText(edges: EdgeRules): string {
  return `${json(edges)}\n`
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
