import {type Command, InvalidArgumentError, Option} from 'commander'
import {AdfaError} from '../../base/checks/index.ts'
import {anchorsWithRates, loadModel} from '../../learn/model/index.ts'
import {countsFromBytes, isCountsFile} from '../../read/counts/index.ts'
import {type Anchors, type NumberField, parseAnchors, type RowFields} from '../../read/data/index.ts'
import {type AnchorSource, type CountingOptions, countingDefaults} from '../../read/engines/index.ts'
import {type DocumentFormat, documentFormats, readBinaryFile, readTextFile} from '../../read/files/index.ts'
import {isReleaseFile, type Protocol, parseProtocol, releaseFromBytes} from '../../read/pooling/index.ts'
import {createOutput, type Output} from './output.ts'

/** Options of every command. */
export interface CommonOptions {
  readonly json?: true
  readonly quiet?: true
  readonly seed: number
}

export function addCommonOptions(command: Command): Command {
  return command
    .option('--seed <n>', 'random seed', wholeNumber, 0)
    .option('--json', 'print the result as JSON, and only that, on standard output')
    .option('--quiet', 'print no progress and no notes')
}

/** The output of a command; if standard output carries its file (`-o -`), the report moves to standard error. */
export function outputOf(options: CommonOptions & {readonly output?: string}, command?: Command): Output {
  const isPiped = options.output === '-'
  if (isPiped && options.json)
    throw new AdfaError('bad-option', '--json needs standard output for the result; name a file with -o')
  const output = createOutput({json: options.json === true, quiet: options.quiet === true})
  const note = (text: string) => output.note(withFlags(text, command))
  return {...output, note, ...(isPiped && {print: note})}
}

/** How documents and anchors are read. */
export interface ReadingOptions {
  readonly anchors?: string
  readonly anchorsFromTags?: readonly string[]
  readonly like?: string
  /** For adfa count only. */
  readonly protocol?: string
  readonly topTags: number
  readonly text: readonly string[]
  readonly category?: readonly string[]
  readonly number?: readonly NumberField[]
  readonly list?: readonly string[]
  readonly vocabulary: number
  readonly maxShare: number
  readonly bigrams: number
  readonly keepCase?: true
  readonly negation?: true
  readonly minTags: number
  readonly ofTop: number
  readonly skipBadAnchors?: true
  readonly labelShare?: number
  readonly labels?: string
}

export function addReadingOptions(command: Command, defaults: CountingOptions = countingDefaults): Command {
  const {fields, vocabulary, maxShare, bigrams, minTags, ofTop} = defaults
  return addFormatOptions(command)
    .option('--anchors <file>', 'JSON file with the anchor of each concept')
    .option(
      '--anchors-from-tags <fields>',
      'use tags as concepts; the name of a tag in one of these fields is its anchor (as in the paper)',
      list
    )
    .option('--top-tags <k>', 'with --anchors-from-tags: number of most frequent tags to use', positiveNumber, 50)
    .option('--like <file>', 'reuse the anchors, vocabulary and options of this counts or model file')
    .addOption(
      new Option('--text <fields>', "text fields to tokenise; '' for none")
        .argParser(textFields)
        .default(fields, fields.join(','))
    )
    .option('--category <fields>', 'fields with one value, such as sex; each value is a feature: sex:m', moreNames)
    .option(
      '--number <field:bins>',
      'a numeric field in bins of equal width (age:10) or with given edges (age:18,40,65); may be repeated',
      numberField
    )
    .option(
      '--list <fields>',
      'fields with a list of values, such as dispensed; each value is a feature: dispensed:naloxone',
      moreNames
    )
    .option('--vocabulary <n>', 'most frequent words to keep per field', positiveNumber, vocabulary)
    .option('--max-share <share>', 'drop words that occur in more than this share of documents', share, maxShare)
    .option(
      '--bigrams <n>',
      'treat the n most frequent collocations, such as "chest pain", as single words',
      wholeNumber,
      bigrams
    )
    .option('--keep-case', 'do not convert text to lower case')
    .option('--negation', 'read negated words ("no fever") as separate words (neg:fever), which fire no anchor')
    .option('--min-tags <n>', 'use only documents with at least n of the most frequent tags', wholeNumber, minTags)
    .option('--of-top <n>', 'with --min-tags: number of most frequent tags to consider', positiveNumber, ofTop)
    .option('--skip-bad-anchors', 'leave out anchors that cannot work, and report them, instead of stopping')
    .option('--label-share <share>', 'share of documents whose tags may be used to estimate noise rates', share)
    .option('--labels <file>', 'labels of some documents, as written by adfa label; replaces tags')
}

/** How document files are parsed. */
export interface FormatOptions {
  readonly format?: DocumentFormat
  readonly separator?: string
}

export function addFormatOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--format <name>', 'document format, if the file name does not show it').choices(
        Object.keys(documentFormats)
      )
    )
    .option('--separator <text>', 'separator of list items (features, tags) within a table cell (default: "|")')
}

/** Which fields of the documents are read, and as what. */
export function rowFields({
  text,
  category = [],
  number = [],
  list = [],
  keepCase
}: ReadingOptions): Required<RowFields> {
  return {fields: text, categories: category, numbers: number, lists: list, lowerCase: keepCase !== true}
}

export function countingOptions(options: ReadingOptions & CommonOptions): Partial<CountingOptions> {
  const {vocabulary, maxShare, bigrams, minTags, ofTop, labelShare, seed} = options
  return {
    ...rowFields(options),
    vocabulary,
    maxShare,
    bigrams,
    negation: options.negation === true,
    minTags,
    ofTop,
    skipBadAnchors: options.skipBadAnchors === true,
    seed,
    ...(labelShare === undefined ? {} : {labelShare})
  }
}

/** Where anchors and words come from; for earlier counts also their labelled share and seed. */
export interface ResolvedAnchors {
  readonly source: AnchorSource
  readonly like?: {readonly labelShare: number; readonly seed: number}
}

/** Exactly one of --anchors, --anchors-from-tags, --like and --protocol. */
export async function resolveAnchors({
  anchors,
  anchorsFromTags,
  like,
  protocol,
  topTags
}: Pick<ReadingOptions, 'anchors' | 'anchorsFromTags' | 'like' | 'protocol' | 'topTags'>): Promise<ResolvedAnchors> {
  const given = [anchors, anchorsFromTags, like, protocol].filter(value => value !== undefined)
  if (given.length !== 1)
    throw new AdfaError(
      'bad-option',
      `give the anchors in one way: --anchors FILE, --anchors-from-tags FIELDS, --like FILE or (adfa count only) --protocol FILE; got ${given.length} of these`
    )
  if (anchors !== undefined) return {source: {kind: 'given', anchors: await readAnchors(anchors)}}
  if (anchorsFromTags !== undefined) return {source: {kind: 'tags', fields: anchorsFromTags, topTags}}
  if (protocol !== undefined) {
    const {lexicon, labelShare, seed} = await readProtocol(protocol)
    return {source: {kind: 'lexicon', lexicon}, like: {labelShare, seed}}
  }
  return readLike(String(like))
}

export async function readProtocol(path: string): Promise<Protocol> {
  return parseProtocol(await readTextFile(path), path)
}

export async function readAnchors(path: string): Promise<Anchors> {
  return parseAnchors(await readTextFile(path), path)
}

async function readLike(path: string): Promise<ResolvedAnchors> {
  const bytes = await readBinaryFile(path)
  if (isCountsFile(bytes) || isReleaseFile(bytes)) {
    const {lexicon, labelShare, seed} = isReleaseFile(bytes)
      ? releaseFromBytes(bytes, path)
      : countsFromBytes(bytes, path)
    return {source: {kind: 'lexicon', lexicon}, like: {labelShare, seed}}
  }
  const model = loadModel(await readTextFile(path), path)
  return {source: {kind: 'lexicon', lexicon: {...model.lexicon, anchors: anchorsWithRates(model)}}}
}

/** Options that control how documents are read. */
export const READING = [
  'text',
  'category',
  'number',
  'list',
  'vocabulary',
  'maxShare',
  'bigrams',
  'keepCase',
  'negation',
  'minTags',
  'ofTop',
  'topTags'
] as const

/** Refuses reading options on the command line that would have no effect. */
export function refuseReadingOptions(command: Command, others: readonly string[], why: string): void {
  const given = [...READING, ...others].filter(name => command.getOptionValueSource(name) === 'cli')
  if (given.length === 0) return
  throw new AdfaError('bad-option', `${given.map(flagOf).join(', ')} cannot change anything here: ${why}; leave it out`)
}

/** The flag of an option: `maxShare` is --max-share. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}

/** Library options that have another name on the command line. */
const RENAMED: Readonly<Record<string, string>> = {
  fields: 'text',
  categories: 'category',
  numbers: 'number',
  lists: 'list',
  lowerCase: 'keepCase',
  wordModel: 'words'
}

/**
 * The message with flags of the command in place of option names: the library writes `labelShare`, or `noise` 'auto', where the
 * command line has --label-share and --noise auto.
 */
export function withFlags(message: string, command: Command | undefined): string {
  return message.replace(/`(\w+)`(?: '([\w:.-]+)')?/g, (_, name: string, value: string | undefined) => {
    const own = command?.options.find(option => option.attributeName() === (RENAMED[name] ?? name))?.long
    // A model is read with the options of the command that fitted it: these keep their flags everywhere.
    const flag = own ?? (name in RENAMED ? flagOf(RENAMED[name]) : undefined)
    if (value === undefined) return flag ?? name
    return flag === undefined ? `${name} '${value}'` : `${flag} ${value}`
  })
}

export function wholeNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('It must be a whole number.')
  return value
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number above 0.')
  return value
}

export function atLeast0(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && Number.isFinite(value)))
    throw new InvalidArgumentError('It must be a number, 0 or more.')
  return value
}

export function share(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It must be a share from 0 to 1.')
  return value
}

function moreNames(text: string, previous: readonly string[] = []): string[] {
  return [...previous, ...list(text)]
}

function textFields(text: string): string[] {
  return text.trim() === '' ? [] : list(text)
}

/** `age:10`: bins of equal width; `age:18,40,65`: bins with given edges; a single edge is `age:65+`. */
function numberField(text: string, previous: readonly NumberField[] = []): NumberField[] {
  const [, field, numbers, plus] = /^([^:]+):([^:]+?)(\+?)$/.exec(text) ?? []
  const bounds = numbers?.split(',').map(Number)
  if (bounds === undefined || bounds.some(Number.isNaN) || /,\s*(?:,|$)/.test(numbers))
    throw new InvalidArgumentError('It must be a field and its bins: age:10 (a width) or age:18,40,65 (edges).')
  const name = field.trim()
  if (bounds.length === 1 && plus === '') return [...previous, {field: name, width: bounds[0]}]
  return [...previous, {field: name, edges: bounds}]
}

export function list(text: string): string[] {
  const items = text.split(',').map(item => item.trim())
  if (items.some(item => item === ''))
    throw new InvalidArgumentError('It must be a list of names, separated by commas.')
  return items
}
