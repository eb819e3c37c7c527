import {
  arrayAt,
  booleanAt,
  distinctAt,
  fieldsAt,
  type JsonObject,
  numberAt,
  objectAt,
  shownValue,
  textAt,
  textsAt,
  wholeAt
} from '../../base/checks/index.ts'
import {type Anchor, parseAnchorEntry} from './anchors.ts'
import type {ExclusiveMark} from './exclusive.ts'
import {checkTextOptions, type Lexicon, pickTextOptions, type TextOptions, textDefaults} from './lexicon.ts'
import type {NumberField} from './row-fields.ts'

/**
 * A lexicon as files store it. Everything is checked, since files come from other machines and other hands; faults are
 * plain Errors that name the place, for the reader of the file to add its name.
 */
export function lexiconFromJson(value: unknown, place = 'lexicon'): Lexicon {
  const {anchors, words, vocabularyError, ...reading} = objectAt(value, place)
  const concepts = arrayAt(anchors, `${place}.anchors`, anchorAt)
  distinctAt(
    concepts.map(({concept}) => concept),
    `${place}.anchors`
  )
  const names = distinctAt(words, `${place}.words`)
  if (names.some((name, at) => at > 0 && name < names[at - 1])) throw new Error(`${place}.words must be in order`)
  return {
    anchors: concepts,
    words: names,
    ...readingFromJson(reading, place),
    ...(vocabularyError === undefined ? {} : {vocabularyError: wholeAt(vocabularyError, `${place}.vocabularyError`)})
  }
}

/** The parts of a lexicon besides its anchors and words. JSON has no undefined: an absent filter is a missing key. */
export function readingFromJson(
  reading: JsonObject,
  place: string
): Pick<Lexicon, 'phrases' | 'text' | 'filter' | 'skipped'> {
  const filter = reading.filter === undefined ? undefined : objectAt(reading.filter, `${place}.filter`)
  return {
    phrases: textsAt(reading.phrases, `${place}.phrases`),
    text: textFromJson(reading.text, `${place}.text`),
    filter: filter && {
      ...fieldsAt(filter, `${place}.filter`, ['minTags'], wholeAt),
      ...fieldsAt(filter, `${place}.filter`, ['tags'], textsAt)
    },
    skipped: arrayAt(reading.skipped, `${place}.skipped`, (entry, at) =>
      fieldsAt(entry, at, ['concept', 'reason'], textAt)
    )
  }
}

/** The options stored in a file. Later additions have defaults, so that older files keep their meaning. */
export function textFromJson(value: unknown, place = 'text'): TextOptions {
  const nothing = {fields: undefined, vocabulary: undefined, maxShare: undefined, lowerCase: undefined}
  const given: JsonObject = {...textDefaults, ...nothing, ...objectAt(value, place)}
  const entries = Object.entries(textDefaults).map(([name, standard]) => {
    const at = `${place}.${name}`
    if (name === 'numbers') return [name, arrayAt(given[name], at, numberFieldAt)]
    if (Array.isArray(standard)) return [name, textsAt(given[name], at)]
    const read = {number: numberAt, boolean: booleanAt, string: textAt}[
      typeof standard as 'number' | 'boolean' | 'string'
    ]
    return [name, read(given[name], at)]
  })
  const text = pickTextOptions(Object.fromEntries(entries))
  checkTextOptions(text)
  return text
}

function numberFieldAt(value: unknown, place: string): NumberField {
  const {field, width, edges} = objectAt(value, place)
  const name = textAt(field, `${place}.field`)
  return edges === undefined
    ? {field: name, width: numberAt(width, `${place}.width`)}
    : {field: name, edges: arrayAt(edges, `${place}.edges`, numberAt)}
}

function anchorAt(value: unknown, place: string): Anchor {
  const {concept, any, not, rates = {}, exclusive} = objectAt(value, place)
  const lists = {any: distinctAt(any, `${place}.any`), not: distinctAt(not, `${place}.not`)}
  const {kind, ...numbers} = objectAt(rates, `${place}.rates`)
  const anchor = parseAnchorEntry(textAt(concept, `${place}.concept`), {...lists, ...numbers})
  if (kind !== anchor.rates?.kind)
    throw new Error(`${place}.rates.kind must be ${shownValue(anchor.rates?.kind)}, not ${shownValue(kind)}`)
  return exclusive === undefined ? anchor : {...anchor, exclusive: markAt(exclusive, `${place}.exclusive`)}
}

function markAt(value: unknown, place: string): ExclusiveMark {
  const {atMostOne} = objectAt(value, place)
  if (atMostOne !== undefined && atMostOne !== true) throw new Error(`${place}.atMostOne must be true or missing`)
  return {...fieldsAt(value, place, ['group', 'size'], wholeAt), ...(atMostOne && {atMostOne})}
}
