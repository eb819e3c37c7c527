import type {Option} from 'commander'
import {isFlag, PROJECT_KEYS, projectOptions, takesList} from './project-file.ts'

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
