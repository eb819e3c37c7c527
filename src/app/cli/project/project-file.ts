import {existsSync} from 'node:fs'
import {dirname, isAbsolute, join} from 'node:path'
import {Command, InvalidArgumentError, type Option} from 'commander'
import {
  AdfaError,
  arrayAt,
  booleanAt,
  type JsonObject,
  jsonFault,
  nearestName,
  objectAt,
  parseJson,
  shownValue,
  textAt
} from '../../../base/checks/index.ts'
import {readTextFile} from '../../../read/files/index.ts'
import {addCommonOptions, addReadingOptions, addWorkersOption} from '../common-options.ts'
import {addLearningOptions} from '../fit/learning.ts'

/** The project file of a folder: found there without being named. */
export const PROJECT_FILE = 'adfa.json'
const FORMAT = 'adfa-project'
const VERSION = 1

/** The files that a project names, and the options that it sets, by attribute name and with their values parsed. */
export interface Project {
  readonly file: string
  readonly documents: readonly string[] | undefined
  /** The project file itself where it holds them. */
  readonly anchors: string | undefined
  readonly labels: string | undefined
  /** Whether it holds a list of labels, perhaps an empty one, which adfa label does not write. */
  readonly holdsLabels: boolean
  /** The model to read: the project file itself where it holds one. */
  readonly model: string | undefined
  /** The model file to write. */
  readonly newModel: string | undefined
  readonly read: ReadonlyMap<string, unknown>
  readonly fit: ReadonlyMap<string, unknown>
}

/** What a project file holds before it is read: as `adfa init` writes it. */
export interface ProjectContent {
  readonly documents: readonly string[]
  readonly read: JsonObject
  readonly anchors?: string
  readonly labels: string
  readonly model: string
}

/** Files have keys of their own in a project, and output is decided on the command line. */
const NO_SETTINGS: readonly string[] = ['anchors', 'labels', 'like', 'seed', 'json', 'quiet']

/** The options that `read` and `fit` of a project may set: those of the command line, by camelCase name. */
export function projectOptions(): Readonly<Record<'read' | 'fit', readonly Option[]>> {
  const reading = addWorkersOption(addReadingOptions(new Command())).options
  const learning = addLearningOptions(new Command()).options
  const seed = addCommonOptions(new Command()).options.filter(option => option.attributeName() === 'seed')
  return {
    read: reading.filter(option => !option.negate && !NO_SETTINGS.includes(option.attributeName())),
    fit: [...learning, ...seed]
  }
}

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

/** For a command without files that a project could name. */
export function unready(command: string, what: string): string {
  return (
    `adfa ${command} needs ${what}, and there is no ${PROJECT_FILE} that names ${what === 'a model' ? 'it' : 'them'} (is this the right folder?); ` +
    `${command === 'run' ? '' : `name ${what === 'a model' ? 'it' : 'them'} on the command line, or `}run adfa init notes.csv --concepts "..." first, with your own file and concepts`
  )
}

export async function readProject(file: string): Promise<Project> {
  const text = await readTextFile(file)
  try {
    return parseProject(text, file)
  } catch (cause) {
    if (cause instanceof AdfaError) throw cause
    throw new AdfaError('bad-file', `${file}: ${(cause as Error).message}`, {cause})
  }
}

export function parseProject(text: string, file: string): Project {
  const project = objectAt(parsed(text), 'the project')
  if (project.format !== FORMAT)
    throw new Error(
      `it is not a project file: "format" must be "${FORMAT}"; write one with adfa init, or ignore it with --no-project`
    )
  if (project.version !== VERSION)
    throw new Error(`it has version ${shownValue(project.version)}; this program reads version ${VERSION}`)
  checkKeys(project, Object.keys(PROJECT_KEYS), 'a project')
  const options = projectOptions()
  const path = (value: unknown, place: string) => beside(file, textAt(value, place))
  const pathOf = (key: string) => (project[key] === undefined ? undefined : path(project[key], key))
  const {documents, anchors, labels, model} = project
  if (Array.isArray(labels)) arrayAt(labels, 'labels', objectAt)
  return {
    file,
    documents: documents === undefined ? undefined : arrayAt([documents].flat(), 'documents', path),
    anchors: isObject(anchors) ? file : pathOf('anchors'),
    labels: Array.isArray(labels) ? (labels.length > 0 ? file : undefined) : pathOf('labels'),
    holdsLabels: Array.isArray(labels),
    model: isObject(model) ? file : pathOf('model'),
    newModel: isObject(model) ? beside(file, 'model.json') : pathOf('model'),
    read: settings(project.read, 'read', options.read, file),
    fit: settings(project.fit, 'fit', options.fit, file)
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
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

/** `--max-share` and `max-share` mean maxShare. */
function camelCase(name: string): string {
  return name.replace(/^-+/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function settings(
  value: unknown,
  place: 'read' | 'fit',
  options: readonly Option[],
  file: string
): Map<string, unknown> {
  if (value === undefined) return new Map()
  const object = objectAt(value, place)
  const byName = new Map(options.map(option => [option.attributeName(), option]))
  checkKeys(object, [...byName.keys()], `"${place}"`)
  const found = new Map<string, unknown>()
  for (const [name, option] of byName) {
    const given = object[name]
    const at = `${place}.${name}`
    // `false` switches off what is off anyway; only for negation it is a decision.
    if (given === undefined || (isFlag(option) && !booleanAt(given, at) && name !== 'negation')) continue
    // The project itself is the file where it holds the content of one.
    if (name === 'edges' && isObject(given)) {
      found.set(name, file)
      continue
    }
    const read = settingValue(option, given, at)
    found.set(name, namesFile(option) ? beside(file, String(read)) : read)
  }
  return found
}

/** Options without a value are true or false. */
export function isFlag(option: Option): boolean {
  return !option.required && !option.optional
}

/** Options that take names, or may be repeated, take a list. */
export function takesList(option: Option): boolean {
  return /<(fields|field:bins)>/.test(option.flags)
}

/** Whether the value is a path, as in checkOutputs. */
function namesFile(option: Option): boolean {
  return /<file>/.test(option.flags)
}

/** The value of an option in the syntax of the command line; the names in a list are taken as they are, also with commas. */
function settingValue(option: Option, value: unknown, place: string): unknown {
  if (typeof value === 'boolean' && (isFlag(option) || option.optional)) return value
  if (Array.isArray(value) && /<fields>/.test(option.flags)) return arrayAt(value, place, textAt)
  if (Array.isArray(value) && takesList(option)) {
    let all: unknown
    value.forEach((item, at) => {
      all = parsedText(option, textOf(item, `${place}[${at}]`), all, `${place}[${at}]`)
    })
    return all
  }
  return parsedText(option, textOf(value, place), option.defaultValue, place)
}

function textOf(value: unknown, place: string): string {
  return typeof value === 'number' ? String(value) : textAt(value, place)
}

function parsedText(option: Option, text: string, previous: unknown, place: string): unknown {
  if (option.parseArg === undefined) return text
  try {
    return option.parseArg(text, previous)
  } catch (cause) {
    if (cause instanceof InvalidArgumentError)
      throw new Error(`${place} is ${JSON.stringify(text)}, which is invalid. ${cause.message}`, {cause})
    throw cause
  }
}

/** A path of the project file, seen from the current folder; addresses of databases stay as they are. */
function beside(file: string, path: string): string {
  return path === '-' || isAbsolute(path) || /^[a-z]+:\/\//i.test(path) ? path : join(dirname(file), path)
}

export function projectText(content: ProjectContent): string {
  const {documents, read, anchors, labels, model} = content
  const lines = {
    $schema: schemaAddress(),
    format: FORMAT,
    version: VERSION,
    $comment: 'adfa commands in this folder take their settings from here. Flags override them; docs: adfa help run',
    documents,
    read,
    ...(anchors !== undefined && {anchors}),
    labels,
    model
  }
  return `${JSON.stringify(lines, undefined, 2).replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, items: string) => `[${items.replace(/\n\s+/g, ' ')}]`)}\n`
}

/** Editors read the schema of the installed package, or else of the published one. */
function schemaAddress(): string {
  const installed = './node_modules/adfa/schema/project.schema.json'
  return existsSync(installed) ? installed : 'https://unpkg.com/adfa/schema/project.schema.json'
}

/** The JSON Schema of project files, from the options of the command line: editors complete and explain by it. */
export function projectSchema(): object {
  const {read, fit} = projectOptions()
  const path = {type: 'string', minLength: 1}
  const types: Readonly<Record<string, object>> = {
    format: {const: 'adfa-project'},
    version: {const: 1},
    name: {type: 'string'},
    mark: {
      type: 'object',
      properties: {count: {type: 'integer', minimum: 0}, hash: {type: 'string'}},
      required: ['count', 'hash'],
      additionalProperties: false
    },
    documents: {anyOf: [path, {type: 'array', items: path, minItems: 1}]},
    read: settingsSchema(read),
    anchors: {anyOf: [path, {type: 'object'}]},
    labels: {anyOf: [path, {type: 'array', items: {type: 'object', required: ['id', 'labels']}}]},
    fit: settingsSchema(fit),
    model: {anyOf: [path, {type: 'object', properties: {format: {const: 'adfa-model'}}, required: ['format']}]},
    snapshots: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: {type: 'string'},
          renamed: {type: 'array', items: {type: 'array', items: {type: 'string'}}},
          project: {type: 'object'},
          model: {type: 'string'}
        },
        required: ['name', 'project'],
        additionalProperties: false
      }
    }
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://unpkg.com/adfa/schema/project.schema.json',
    title: 'adfa project',
    description:
      'How adfa reads the documents of a folder and what it learns from them; written by adfa init and the studio.',
    type: 'object',
    required: ['format', 'version'],
    properties: Object.fromEntries(
      Object.entries(PROJECT_KEYS).map(([key, description]) => [key, {description, ...types[key]}])
    ),
    ...NOTHING_ELSE
  }
}

/** Keys that begin with `$` are ignored; all others must be known. */
const NOTHING_ELSE = {patternProperties: {'^\\$': {}}, additionalProperties: false}

function settingsSchema(options: readonly Option[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(options.map(option => [option.attributeName(), optionSchema(option)])),
    ...NOTHING_ELSE
  }
}

function optionSchema(option: Option): object {
  const {defaultValue, description} = option
  return {
    description: `${description} (${option.long})`,
    ...valueSchema(option),
    ...(['number', 'string'].includes(typeof defaultValue) && {default: defaultValue})
  }
}

const EDGE_LIST = {type: 'array', items: {type: 'array', items: {type: 'string'}, minItems: 2, maxItems: 2}}
/** The content of an edges file. */
const EDGES = {
  type: 'object',
  properties: {
    require: EDGE_LIST,
    forbid: EDGE_LIST
  },
  additionalProperties: false
}

function valueSchema(option: Option): object {
  if (option.attributeName() === 'edges') return {anyOf: [{type: 'string'}, EDGES]}
  if (isFlag(option)) return {type: 'boolean'}
  if (option.argChoices !== undefined) return {enum: option.argChoices}
  if (takesList(option)) return {anyOf: [{type: 'string'}, {type: 'array', items: {type: 'string'}}]}
  const type = [...textOrNumber(option), ...(option.optional ? ['boolean'] : [])]
  return {type: type.length === 1 ? type[0] : type}
}

/** What the option accepts is found by trying: its parser is the only rule. */
function textOrNumber(option: Option): string[] {
  const parsed = (text: string): unknown => {
    try {
      return option.parseArg === undefined ? text : option.parseArg(text, undefined)
    } catch {
      return undefined
    }
  }
  if (typeof parsed('1') !== 'number') return ['string']
  if (parsed('1/N') !== undefined) return ['string', 'number']
  return [parsed('0.5') === undefined ? 'integer' : 'number']
}
