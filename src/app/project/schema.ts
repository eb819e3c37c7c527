import {FORMAT, PROJECT_KEYS, SCHEMA, VERSION} from './project-file.ts'
import {flagOf, isFlag, projectSettings, type Setting, takesList} from './settings.ts'

/** Keys that begin with `$` are ignored; all others must be known. */
const NOTHING_ELSE = {patternProperties: {'^\\$': {}}, additionalProperties: false}
const PATH = {type: 'string', minLength: 1}
const EDGE_LIST = {type: 'array', items: {type: 'array', items: {type: 'string'}, minItems: 2, maxItems: 2}}
/** The content of an edges file. */
const EDGES = {type: 'object', properties: {require: EDGE_LIST, forbid: EDGE_LIST}, additionalProperties: false}

/** The JSON Schema of project files, from the table of settings: editors complete and explain by it. */
export function projectSchema(): object {
  const types: Readonly<Record<string, object>> = {
    format: {const: FORMAT},
    version: {const: VERSION},
    name: {type: 'string'},
    mark: {type: 'object', required: ['count', 'hash']},
    documents: {anyOf: [PATH, {type: 'array', items: PATH, minItems: 1}]},
    read: settingsSchema(projectSettings.read),
    anchors: {anyOf: [PATH, {type: 'object'}]},
    labels: {anyOf: [PATH, {type: 'array', items: {type: 'object', required: ['id', 'labels']}}]},
    fit: settingsSchema(projectSettings.fit),
    model: {anyOf: [PATH, {type: 'object', required: ['format']}]},
    snapshots: {type: 'array', items: {type: 'object', required: ['name', 'project']}}
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: SCHEMA,
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

function settingsSchema(settings: readonly Setting[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(settings.map(setting => [setting.name, settingSchema(setting)])),
    ...NOTHING_ELSE
  }
}

function settingSchema(setting: Setting): object {
  const {name, help, preset} = setting
  const isShown = typeof preset === 'number' || typeof preset === 'string'
  return {description: `${help} (${flagOf(name)})`, ...valueSchema(setting), ...(isShown && {default: preset})}
}

function valueSchema(setting: Setting): object {
  const {name, flags, choices, json = ['string']} = setting
  if (name === 'edges') return {anyOf: [{type: 'string'}, EDGES]}
  if (isFlag(setting)) return {type: 'boolean'}
  if (choices !== undefined) return {enum: choices}
  if (takesList(setting)) return {anyOf: [{type: 'string'}, {type: 'array', items: {type: 'string'}}]}
  const types = flags.includes('[') ? [...json, 'boolean'] : json
  return {type: types.length === 1 ? types[0] : types}
}
