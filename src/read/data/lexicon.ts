import {
  arrayAt,
  booleanAt,
  checkOptions,
  distinctAt,
  fieldsAt,
  numberAt,
  objectAt,
  type Rules,
  shownValue,
  textAt,
  textsAt,
  trueOrFalse,
  whole,
  wholeAt
} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import {type Anchor, type Anchors, type ExclusiveMark, parseAnchorEntry} from './anchors.ts'
import {checkRowFields, fieldsOf, keyColumns, numberFieldText, type RowFields} from './row-fields.ts'

export interface TextOptions extends Required<RowFields> {
  /** Words kept per field (and for `features`), the most frequent first. */
  readonly vocabulary: number
  /** Words of text and `features` in more than this share of the documents are dropped. */
  readonly maxShare: number
  /** Whether a negated word ("no fever") becomes a word of its own, `neg:fever`, which does not fire anchors. */
  readonly negation: boolean
  /** With `negation`: how many words a negation reaches, counted anew from each item of a list. */
  readonly negationScope: number
}

export const textDefaults: TextOptions = {
  text: ['title', 'text'],
  vocabulary: 3000,
  maxShare: 0.5,
  keepCase: false,
  negation: false,
  negationScope: 10,
  category: [],
  number: [],
  list: [],
  votes: [],
  separator: '|',
  id: 'id',
  tags: 'tags',
  tagSeparator: ''
}

const rules: Rules<TextOptions> = {
  vocabulary: whole(1),
  maxShare: [value => typeof value === 'number' && value > 0 && value <= 1, 'a share above 0, at most 1'],
  negation: trueOrFalse,
  negationScope: whole(1)
}

export function checkTextOptions(reading: TextOptions): void {
  checkRowFields(reading)
  checkOptions('reading', textDefaults, rules, pickTextOptions(reading))
}

/** Only the text options of `options`, in a fixed order. */
export function pickTextOptions(options: TextOptions): TextOptions {
  const number = fieldsOf(options).numbers.map(numberFieldText)
  const names = Object.keys(textDefaults) as (keyof TextOptions)[]
  return Object.fromEntries(
    names.map(name => [name, name === 'number' ? number : options[name]])
  ) as unknown as TextOptions
}

/** The text options among others, with the usual values where they are missing. */
export function textOptionsOf(
  given: {readonly [name in keyof TextOptions]?: TextOptions[name] | undefined}
): TextOptions {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  const options: TextOptions = {...textDefaults, ...Object.fromEntries(named)}
  return pickTextOptions({...options, ...keyColumns(options)})
}

/** The paper's document filter: only documents with at least `minTags` of `tags` are used. */
export interface TagFilter {
  readonly minTags: number
  readonly tags: readonly string[]
}

/** How documents become binary variables: everything needed to read new documents in the same way. */
export interface Lexicon {
  /** One per concept; concept i of every later stage is anchor i. */
  readonly anchors: Anchors
  /** Words j of every later stage, ascending by name. */
  readonly words: readonly string[]
  /** Names of several words, read as one token where these occur in sequence. */
  readonly phrases: readonly string[]
  readonly reading: TextOptions
  readonly filter: TagFilter | undefined
  readonly skipped: readonly SkippedAnchor[]
}

export interface SkippedAnchor {
  readonly concept: string
  readonly reason: string
}

/** The lexicon as counts and releases store it, in a fixed order, so that equal ones are equal bytes. */
export function lexiconToJson({anchors, words, ...reading}: Lexicon): object {
  return {anchors, words, reading: readingToJson(reading)}
}

export function skippedLines(skipped: readonly SkippedAnchor[]): string {
  return skipped
    .map(({concept, reason}) => `\n  concept "${printableLine(concept)}": ${printableLine(reason)}`)
    .join('')
}

/**
 * A lexicon as files store it. Everything is checked, since files come from other machines and other hands; faults are
 * plain Errors that name the place, for the reader of the file to add its name.
 */
export function lexiconFromJson(value: unknown, place = 'lexicon'): Lexicon {
  const {anchors, words, reading} = objectAt(value, place)
  const concepts = arrayAt(anchors, `${place}.anchors`, anchorAt)
  distinctAt(
    concepts.map(({concept}) => concept),
    `${place}.anchors`
  )
  const names = distinctAt(words, `${place}.words`)
  if (names.some((name, at) => at > 0 && name < names[at - 1])) throw new Error(`${place}.words must be in order`)
  return {anchors: concepts, words: names, ...readingFromJson(reading, `${place}.reading`)}
}

/** The parts of a lexicon besides its anchors and words. */
type LexiconReading = Omit<Lexicon, 'anchors' | 'words'>

/** What reads documents: a lexicon before its words are known. */
export type LexiconReader = Omit<Lexicon, 'words' | 'skipped'>

const ALWAYS_WRITTEN: readonly string[] = ['text', 'vocabulary', 'maxShare']

/** The options that differ from the defaults, and what else a reader of documents needs. JSON leaves an absent filter out. */
export function readingToJson({reading, phrases, filter, skipped}: LexiconReading): object {
  const {negationScope, ...others} = pickTextOptions(reading)
  const used = Object.entries(reading.negation ? pickTextOptions(reading) : others).filter(
    ([name, value]) =>
      ALWAYS_WRITTEN.includes(name) || JSON.stringify(value) !== JSON.stringify(textDefaults[name as keyof TextOptions])
  )
  return {...Object.fromEntries(used), phrases, filter, skipped}
}

const READERS = {number: numberAt, boolean: booleanAt, string: textAt, object: textsAt}

export function readingFromJson(value: unknown, place: string): LexiconReading {
  const given = objectAt(value, place)
  const options = Object.entries(textDefaults).map(([name, standard]) => {
    const isGiven = ALWAYS_WRITTEN.includes(name) || given[name] !== undefined
    return [
      name,
      isGiven ? READERS[typeof standard as keyof typeof READERS](given[name], `${place}.${name}`) : standard
    ]
  })
  const reading = pickTextOptions(Object.fromEntries(options))
  checkTextOptions(reading)
  const filter = given.filter === undefined ? undefined : objectAt(given.filter, `${place}.filter`)
  return {
    phrases: textsAt(given.phrases, `${place}.phrases`),
    reading,
    filter: filter && {
      minTags: wholeAt(filter.minTags, `${place}.filter.minTags`),
      tags: textsAt(filter.tags, `${place}.filter.tags`)
    },
    skipped: arrayAt(given.skipped, `${place}.skipped`, (entry, at) =>
      fieldsAt(entry, at, ['concept', 'reason'], textAt)
    )
  }
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
