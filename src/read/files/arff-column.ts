import {fieldNames, type RowFields} from '../data/index.ts'
import {type ArffAttribute, arffError} from './arff-header.ts'
import {binaryValue} from './binary-value.ts'
import type {ReaderContext} from './document-reader.ts'
import {parseList} from './read-table.ts'

/** What the values of one row add to. */
export interface Draft {
  /** The fields asked for, by name. */
  readonly value: Record<string, unknown>
  readonly features: string[]
  readonly tags: string[]
  /** The labels of which the row does not say whether they are true. */
  readonly unknown: Set<string>
}

/** Puts the value of one attribute, undefined where it is missing, into the draft. */
export type Take = (text: string | undefined, draft: Draft, where: string) => void

/** How a label is taken; refuses one that is not true or false. `file` is named where the label as such is wrong. */
export function takeLabel(attribute: ArffAttribute, file: string): Take {
  const {name, kind} = attribute
  const refuse = (place: string, got: string) =>
    arffError(
      place,
      `the label "${name}" ${got}`,
      'labels are 0 or 1, false or true, no or yes; turn it into such labels'
    )
  const truths = new Map([
    ['0', false],
    ['1', true],
    ['false', false],
    ['true', true],
    ['no', false],
    ['yes', true]
  ])
  if (kind === 'text' || kind === 'date') throw refuse(file, `is of the type ${kind === 'text' ? 'string' : 'date'}`)
  const odd = kind === 'nominal' ? attribute.values.find(value => !truths.has(value.toLowerCase())) : undefined
  if (odd !== undefined) throw refuse(file, `may have the value "${odd}"`)
  return (text, {tags, unknown}, where) => {
    if (text === undefined) {
      unknown.add(name)
      return
    }
    const truth = kind === 'number' ? binaryValue(text) : truths.get(text.toLowerCase())
    if (truth === undefined) throw refuse(where, `has the value "${text}"`)
    if (truth) tags.push(name)
  }
}

/** How an attribute that is no label is taken: as a field asked for, as a feature, or not at all. */
export function takeValue(attribute: ArffAttribute, {fields, separator}: ReaderContext): Take {
  const {name, kind} = attribute
  if (isField(attribute, fields)) return takeField(name, fields, separator)
  if (kind === 'number') return takeNumber(name)
  if (kind === 'nominal') return takeNominal(name, attribute.values)
  return () => {}
}

/** Whether an attribute is a field asked for, or the id. A word of a bag of words may be called "text": only strings are. */
export function isField({name, kind}: ArffAttribute, fields: RowFields): boolean {
  if (kind === 'text' && name === 'id') return true
  return fieldNames(fields).includes(name) && (kind === 'text' || !fields.fields.includes(name))
}

function takeField(name: string, fields: RowFields, separator: string): Take {
  const isList = fields.lists?.includes(name)
  return (text, {value}, where) => {
    value[name] = text !== undefined && isList ? parseList(text, name, separator, where) : text
  }
}

function takeNumber(name: string): Take {
  return (text, {features}, where) => {
    if (text === undefined || text === '0') return
    const isThere = binaryValue(text)
    if (isThere === undefined)
      throw arffError(
        where,
        `the attribute "${name}" has the value ${text}`,
        'a number is taken as a word when it is 0 (absent) or 1 (present); ' +
          `read it in bins (--number "${name}:10"), write 1 for every value above 0, or remove the attribute`
      )
    if (isThere) features.push(name)
  }
}

function takeNominal(name: string, values: readonly string[]): Take {
  const isBinary = values.every(value => value === '0' || value === '1')
  const featureOf = new Map(
    values.map(value => [value, isBinary ? (value === '1' ? name : undefined) : `${name}:${value}`])
  )
  return (text, {features}, where) => {
    if (text === undefined) return
    if (!featureOf.has(text)) {
      const known = values.slice(0, 10).join(', ') + (values.length > 10 ? ', ...' : '')
      throw arffError(where, `the attribute "${name}" has the value "${text}"`, `its values are ${known}`)
    }
    const feature = featureOf.get(text)
    if (feature !== undefined) features.push(feature)
  }
}
