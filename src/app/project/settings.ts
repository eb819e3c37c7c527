/**
 * The settings of a project: flags, types, defaults and help. The flags of the commands, the checks of adfa.json in the command line and
 * in the studio, and the JSON Schema all come from this table.
 */
import {arrayAt, booleanAt, shownValue, textAt} from '../../base/checks/index.ts'
import {grouped, percent} from '../../base/text/index.ts'
import {DEFAULT_REPLICATES, INTERVAL_LEVEL} from '../../learn/bootstrap.ts'
import {defaultGaps, parseShrinkage} from '../../learn/moments/index.ts'
import {fitChoices, presets} from '../../learn/options.ts'
import {planStructure, type StructureKind, structureNames} from '../../learn/structure/index.ts'
import {numberFieldRule, parseNumberField, vocabularyDefaults} from '../../read/data/index.ts'
import {documentFormats} from '../../read/reading/index.ts'

/** How the value of a setting is written. */
export interface SettingType {
  /** The value of a text. An error is the rule that the text breaks. */
  readonly read?: (text: string) => unknown
  readonly choices?: readonly string[]
  /** The types that JSON may have; text where none is given. */
  readonly json?: readonly ('integer' | 'number' | 'string')[]
  readonly preset?: unknown
  /** The preset as help shows it. */
  readonly shown?: string
  readonly isRequired?: true
  /** Whether it may be repeated; its values are then lists, which add up. */
  readonly isRepeated?: true
  /** Only the command line has it. */
  readonly isTerminalOnly?: true
}

/** How values are written, by name; the way to read them, or the names of the choices, will do. Others are text. */
export type SettingTypes = Readonly<Record<string, SettingType | NonNullable<SettingType['read']> | readonly string[]>>

export interface Setting extends SettingType {
  /** Its key in adfa.json. */
  readonly name: string
  /** `--max-share <share>`: the flag, and what stands for its value. */
  readonly flags: string
  readonly help: string
}

/** A value as JSON has it. */
export type SettingValue = string | number | boolean | readonly string[]

/** The number of concepts of the paper. */
export const TOP_TAGS = 50

export const wholeNumber = numberType('a whole number', value => Number.isSafeInteger(value) && value >= 0)
export const positiveNumber = numberType('a whole number above 0', value => Number.isSafeInteger(value) && value > 0)
export const above0 = numberType('a number above 0', value => value > 0)
export const share = numberType('a share from 0 to 1', value => value >= 0 && value <= 1)

export function upTo(most: number): (text: string) => number {
  const isAllowed = (value: number) => Number.isSafeInteger(value) && value > 0 && value <= most
  return numberType(`a whole number from 1 to ${grouped(most)}`, isAllowed)
}

export function numberType(rule: string, isValid: (value: number) => boolean): (text: string) => number {
  return text => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!isValid(value)) throw new Error(`It must be ${rule}.`)
    return value
  }
}

/** Names between commas; one after a colon is the separator of a list, `meds:,`. */
export function namesOf(text: string): string[] {
  const names = text.split(/(?<!:),/).map(name => name.trim())
  if (names.some(name => name === '')) throw new Error('It must be a list of names, separated by commas.')
  return names
}

function numberField(text: string): string[] {
  try {
    parseNumberField(text)
  } catch {
    throw new Error(`It must be ${numberFieldRule}.`)
  }
  return [text]
}

function structureName(text: string): string {
  try {
    planStructure(text as StructureKind)
    return text
  } catch {
    throw new Error(`It must be ${structureNames}.`)
  }
}

const whole: SettingType = {read: wholeNumber, json: ['integer']}
const positive: SettingType = {read: positiveNumber, json: ['integer']}
const aboveZero: SettingType = {read: above0, json: ['number']}
const aShare: SettingType = {read: share, json: ['number']}
const names: SettingType = {read: namesOf}
const shrinkage: SettingType = {read: parseShrinkage, json: ['string', 'number']}

const TYPES: Readonly<Record<string, SettingType>> = {
  format: {choices: documentFormats},
  worksheet: {isTerminalOnly: true},
  anchorsFromTags: {...names, isTerminalOnly: true},
  topTags: {...positive, preset: TOP_TAGS, isTerminalOnly: true},
  text: {read: text => (text.trim() === '' ? [] : namesOf(text)), preset: vocabularyDefaults.text},
  category: names,
  number: {read: numberField},
  list: names,
  votes: names,
  vocabulary: {...positive, preset: vocabularyDefaults.vocabulary},
  maxShare: {...aShare, preset: vocabularyDefaults.maxShare},
  negationScope: {...positive, preset: vocabularyDefaults.negationScope},
  minTags: {...whole, preset: vocabularyDefaults.minTags, isTerminalOnly: true},
  ofTop: {...positive, preset: vocabularyDefaults.ofTop, isTerminalOnly: true},
  labelShare: {...aShare, isTerminalOnly: true},
  workers: {...whole, isTerminalOnly: true},
  preset: {choices: ['paper', 'robust'], preset: 'robust'},
  noise: {choices: fitChoices.noise},
  polytope: {choices: fitChoices.polytope},
  solver: {choices: fitChoices.solver},
  divergence: {choices: fitChoices.divergence},
  structure: {read: structureName},
  search: {choices: fitChoices.search},
  words: {choices: fitChoices.words},
  gap: aboveZero,
  timeLimit: aboveZero,
  shrinkage,
  wordShrinkage: {...shrinkage, read: text => (text === 'gated' ? text : parseShrinkage(text))},
  intervals: {read: upTo(100_000), json: ['integer']},
  seed: {...whole, preset: 0}
}

/** How files are opened. */
export const fileSettings = settings`
  --format <name>     document format, if the file name does not show it
  --worksheet <name>  sheet of an Excel workbook (default: the first)
  --encoding <name>   encoding of text files, such as windows-1252 or gbk (default: recognised)`

/** Where the columns of a document are. */
export const columnSettings = settings`
  --id <column>           column with the document id (default: that of the model, or "id")
  --tags <column>         column with the tags of a document (default: that of the model, or "tags")
  --separator <text>      separator of list items within a table cell (default: that of the model, or "|")
  --tag-separator <text>  separator of tags within a table cell (default: that of the model, or --separator)`

/** What documents are made of when they are counted. */
export const countingSettings = settings`
  --text <fields>               text fields to tokenise; '' for none
  --category <fields>           fields with one value, such as sex; each value is a feature: sex:m
  --number <field:bins>         a numeric field in bins of equal width (age:10) or with given edges (age:18,40,65); may be repeated
  --list <fields>               fields with a list of values, such as dispensed; each value is a feature: dispensed:naloxone; dispensed:; gives the separator in tables
  --votes <fields>              fields that are sources of votes, each with a class, true or false
  --vocabulary <n>              most frequent words to keep per field
  --max-share <share>           drop words that occur in more than this share of documents
  --keep-case                   do not convert text to lower case
  --negation                    read negated words ("no fever") as separate words (neg:fever), which fire no anchor
  --negation-scope <n>          with --negation: words that a negation reaches, counted anew from each item of a list
  --hold-out                    leave out a quarter of the tagged documents, chosen by a hash of the id; adfa evaluate --hold-out judges on them
  --skip-bad-anchors            leave out anchors that cannot work, and report them, instead of stopping
  --anchors-from-tags <fields>  use tags as concepts; the name of a tag in one of these fields is its anchor (as in the paper)
  --top-tags <k>                with --anchors-from-tags: number of most frequent tags to use
  --min-tags <n>                use only documents with at least n of the most frequent tags
  --of-top <n>                  with --min-tags: number of most frequent tags to consider
  --label-share <share>         share of documents whose tags may be used to estimate rates`

export const workerSettings = settings`
  --workers <n>  threads that read documents, 0 for none (default: one per core; none below 60 MB)`

export const learningSettings = settings`
  --preset <name>              paper: Algorithm 1 as published; robust: adapted to real text
  --noise <method>             source of the rates: the anchors file (given), labels, pairs of members of one anchor (pair),
      words (positive-only, irreducible), or what is given, labels, else a guess (auto) ${byPreset('noise')}
  --polytope <name>            constraints on the recovered moments, from loosest to tightest:
      ${fitChoices.polytope.join(', ')} ${byPreset('polytope')}
  --solver <name>              newton: a fast method for each polytope; conditional-gradient: the method of the paper;
      exponentiated-gradient: its method for the simplex
  --gap <g>                    stop when the moments are proven to be this close to the optimum (${gapHelp()})
  --time-limit <s>             seconds for recovering moments, and again for finding the structure; uses the best result
      so far and reports its gap
  --divergence <name>          distance between recovered and observed moments
  --shrinkage <p>              shrinkage towards independence for the network, a number or C/N ${byPreset('shrinkage')}
  --structure <kind>           network over the concepts: pairs (a coupling for each pair of concepts, no directions), or a
      directed graph: independent, tree, indegree:K (at most K parents, best BIC score) or degree:K (at most K
      neighbours, by independence tests) ${byPreset('network')}
  --search <name>              for indegree:K: find the proven best graph (exact) or a good one fast (greedy)
  --edges <file>               required and forbidden edges: {"require": [["fall", "fracture"]], "forbid": []}; directed
      graphs have the parent first
  --words <name>               how predictions use words: noisy-or links, or log-odds weights, which work best when
      learned from documents ${byPreset('words')}
  --word-shrinkage <p>         gated: drop links within three standard errors of independence; or the shrinkage of words
      towards independence, a number or C/N ${byPreset('wordShrinkage')}
  --intervals [replicates]     also fit resampled counts (default: ${DEFAULT_REPLICATES}): gives
      ${percent(INTERVAL_LEVEL)} intervals for prevalences and rates, and the confidence in each edge`

export const seedSettings = settings`
  --seed <n>  random seed`

/** What `read` and `fit` of adfa.json may set. */
export const projectSettings = {
  read: [...fileSettings, ...columnSettings, ...countingSettings, ...workerSettings],
  fit: [...learningSettings, ...seedSettings]
}

function byPreset(name: keyof typeof presets.robust): string {
  return `(robust: ${presets.robust[name]}; paper: ${presets.paper[name]})`
}

function gapHelp(): string {
  const {'conditional-gradient': slow, ...fast} = defaultGaps
  const each = Object.entries(fast).map(([polytope, gap]) => `${polytope} ${gap}`)
  return `default: ${each.join(', ')}; conditional-gradient ${slow}`
}

function settings(strings: TemplateStringsArray, ...values: readonly unknown[]): Setting[] {
  return declared(String.raw({raw: strings}, ...values), TYPES)
}

/** Arguments and options as help has them: one per line, two spaces before its text, which further lines may continue. */
export function declared(text: string, types: SettingTypes = {}): Setting[] {
  return text.split(/\n\s*(?=[-<[])/).flatMap(entry => {
    const [, flags, help] = /^\s*(\S.*?) {2,}(.*)$/.exec(entry.trimEnd().replaceAll(/\n\s*/g, ' ')) ?? []
    if (flags === undefined) return []
    const [, long] = /--(?:no-)?([\w-]+)/.exec(flags) ?? []
    const name = camelCase(long ?? flags.replaceAll(/[^\w-]/g, ''))
    return [{name, flags, help, ...typeOf(types[name])}]
  })
}

function typeOf(type: SettingTypes[string] = {}): SettingType {
  if (typeof type === 'function') return {read: type}
  return 'length' in type ? {choices: type} : type
}

/** `--max-share` and `max-share` mean maxShare. */
export function camelCase(name: string): string {
  return name.replace(/^-+/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The flag of a setting: `maxShare` is --max-share. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}

/** Whether it is true or false. */
export function isFlag({flags}: Pick<Setting, 'flags'>): boolean {
  return !/[<[]/.test(flags)
}

/** Whether it takes names between commas, or may be repeated. */
export function takesList({flags, isRepeated}: Setting): boolean {
  return isRepeated === true || /<(fields|field:bins)>/.test(flags)
}

/** The value of a setting in JSON: of its own type, or in the syntax of the command line; names in a list are taken as they are. */
export function settingAt(setting: Setting, value: unknown, place: string): SettingValue {
  if (isFlag(setting)) return booleanAt(value, place)
  if (typeof value === 'boolean' && setting.flags.includes('[')) return value
  if (!Array.isArray(value) || !takesList(setting)) return valueAt(setting, value, place)
  if (setting.flags.includes('<fields>')) return arrayAt(value, place, textAt)
  return arrayAt(value, place, (item, at) => valueAt(setting, item, at)).flat() as string[]
}

function valueAt({read, choices}: Setting, value: unknown, place: string): SettingValue {
  const text = typeof value === 'number' ? String(value) : textAt(value, place)
  const invalid = (rule: string, cause?: unknown) =>
    new Error(`${place} is ${shownValue(text)}, which is invalid. ${rule}`, {cause})
  if (choices?.includes(text) === false) throw invalid(`Allowed choices are ${choices.join(', ')}.`)
  try {
    return read === undefined ? text : (read(text) as SettingValue)
  } catch (cause) {
    throw invalid((cause as Error).message, cause)
  }
}
