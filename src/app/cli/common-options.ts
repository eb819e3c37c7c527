import {type Command, InvalidArgumentError} from 'commander'
import {AdfaError, fileKind} from '../../base/checks/index.ts'
import {grouped} from '../../base/text/index.ts'
import {loadModel, type Model} from '../../learn/model/index.ts'
import {parseShrinkage, type Shrinkage} from '../../learn/moments/index.ts'
import {
  inputNames,
  keyColumns,
  numberFieldRule,
  parseNumberField,
  type RowFields,
  textDefaults,
  textOptionsOf
} from '../../read/data/index.ts'
import {type CountingOptions, countingDefaults} from '../../read/engines/index.ts'
import {type DocumentOptions, readFileHead, readTextFile} from '../../read/files/index.ts'
import {type DocumentFormat, documentFormats} from '../../read/reading/index.ts'
import {addOptions} from './declare.ts'
import {createOutput, type Output} from './output.ts'
import {heldText} from './project/inline.ts'

export interface CommonOptions {
  readonly json?: true
  readonly quiet?: true
  readonly seed: number
}

export function addCommonOptions(command: Command): Command {
  return addOptions(command, {seed: {read: wholeNumber, preset: 0}})`
    --seed <n>  random seed
    --json      print the result as JSON, and only that, on standard output
    --quiet     print no progress and no notes`
}

/** The output of a command; if standard output carries one of its files (`-o -`), the report moves to standard error. */
export function outputOf(
  options: CommonOptions & {readonly output?: string},
  command?: Command,
  otherFiles: readonly (string | undefined)[] = []
): Output {
  const isPiped = [options.output, ...otherFiles].includes('-')
  if (isPiped && options.json) throw usageError('--json needs standard output for the result; name a file with -o')
  const output = createOutput({json: options.json === true, quiet: options.quiet === true})
  const note = (text: string) => output.note(withFlags(text, command))
  return {...output, note, ...(isPiped && {print: (text: string) => output.aside(withFlags(text, command))})}
}

/** The number of concepts of the paper. */
export const TOP_TAGS = 50

/** Where anchors come from; `protocol` is for adfa count only. */
export interface AnchorOptions {
  readonly anchors?: string
  readonly anchorsFromTags?: readonly string[]
  readonly like?: string
  readonly protocol?: string
  readonly topTags?: number
}

export interface ReadingOptions
  extends AnchorOptions,
    FormatOptions,
    Pick<CountingOptions, 'vocabulary' | 'maxShare' | 'minTags' | 'ofTop'> {
  readonly text: readonly string[]
  readonly category?: readonly string[]
  readonly number?: readonly string[]
  readonly list?: readonly string[]
  readonly votes?: readonly string[]
  readonly keepCase?: true
  /** Undefined where nobody has decided. */
  readonly negation?: boolean
  readonly negationScope: number
  readonly skipBadAnchors?: true
  readonly labelShare?: number
  readonly labels?: string
  readonly holdOut?: true
}

export function addReadingOptions(command: Command, defaults: CountingOptions = countingDefaults): Command {
  const {text: fields, vocabulary, maxShare, minTags, ofTop, negationScope} = defaults
  return addOptions(addFormatOptions(command), {
    anchorsFromTags: moreNames,
    topTags: {read: positiveNumber, preset: TOP_TAGS},
    text: {
      read: (text, previous: readonly string[]) => textFields(text, previous === fields ? [] : previous),
      preset: fields,
      shown: fields.join(',')
    },
    category: moreNames,
    number: numberField,
    list: moreNames,
    votes: moreNames,
    vocabulary: {read: positiveNumber, preset: vocabulary},
    maxShare: {read: share, preset: maxShare},
    negationScope: {read: positiveNumber, preset: negationScope},
    minTags: {read: wholeNumber, preset: minTags},
    ofTop: {read: positiveNumber, preset: ofTop},
    labelShare: share
  })`
    --anchors <file>              JSON file with the anchor of each concept
    --anchors-from-tags <fields>  use tags as concepts; the name of a tag in one of these fields is its anchor (as in the paper)
    --top-tags <k>                with --anchors-from-tags: number of most frequent tags to use
    --like <file>                 reuse the anchors, vocabulary and options of this counts or model file
    --text <fields>               text fields to tokenise; '' for none
    --category <fields>           fields with one value, such as sex; each value is a feature: sex:m
    --number <field:bins>         a numeric field in bins of equal width (age:10) or with given edges (age:18,40,65); may be repeated
    --list <fields>               fields with a list of values, such as dispensed; each value is a feature: dispensed:naloxone; dispensed:; gives the separator in tables
    --votes <fields>              fields that are sources of votes, each with a class, true or false
    --vocabulary <n>              most frequent words to keep per field
    --max-share <share>           drop words that occur in more than this share of documents
    --keep-case                   do not convert text to lower case
    --negation                    read negated words ("no fever") as separate words (neg:fever), which fire no anchor
    --no-negation                 read negated words as all others, also where most hits of an anchor are negated
    --negation-scope <n>          with --negation: words that a negation reaches, counted anew from each item of a list
    --min-tags <n>                use only documents with at least n of the most frequent tags
    --of-top <n>                  with --min-tags: number of most frequent tags to consider
    --hold-out                    leave out a quarter of the tagged documents, chosen by a hash of the id; adfa evaluate --hold-out judges on them
    --skip-bad-anchors            leave out anchors that cannot work, and report them, instead of stopping
    --label-share <share>         share of documents whose tags may be used to estimate rates
    --labels <file>               labels of some documents, as written by adfa label; replaces tags`
}

export interface WorkOptions {
  readonly workers?: number
}

export function addWorkersOption(command: Command): Command {
  return addOptions(command, {workers: wholeNumber})`
    --workers <n>  threads that read documents, 0 for none (default: one per core; none below 60 MB)`
}

export function addInputOptions(command: Command): Command {
  return addCommonOptions(addWorkersOption(addReadingOptions(command)))
}

export function countingOptions(options: ReadingOptions & CommonOptions): Partial<CountingOptions> {
  const {minTags, ofTop, labelShare, seed} = options
  return {
    ...textOptionsOf(options),
    minTags,
    ofTop,
    skipBadAnchors: options.skipBadAnchors === true,
    seed,
    ...(labelShare !== undefined && {labelShare})
  }
}

/** A model file, or the model that a project file holds. */
export async function readModel(path: string): Promise<Model> {
  // A model begins with a brace, perhaps after a byte order mark.
  const start = path === '-' ? '' : Buffer.from(await readFileHead(path)).toString('latin1', 0, 100)
  if (start !== '' && !/^(\xef\xbb\xbf)?\s*\{/.test(start))
    throw new AdfaError(
      'bad-model',
      `${path}: not a model file: a model is expected here, and it holds ${fileKind(start) ?? 'something else'}; give a file written by adfa fit`
    )
  return loadModel(heldText(await readTextFile(path), 'model'), path)
}

export const READING: readonly string[] =
  'text category number list votes separator vocabulary maxShare keepCase negation negationScope minTags ofTop topTags'.split(
    ' '
  )

/** Refuses reading options on the command line that would have no effect. */
export function refuseReadingOptions(command: Command, others: readonly string[], why: string): void {
  const given = typedOptions(command, [...READING, ...others])
  if (given.length > 0)
    throw usageError(`${given.map(flagOf).join(', ')} cannot change anything here: ${why}; leave it out`)
}

/** Those of the options that are given on the command line. */
export function typedOptions(command: Command, names: readonly string[]): string[] {
  return names.filter(name => command.getOptionValueSource(name) === 'cli')
}

export function usageError(message: string): AdfaError {
  return new AdfaError('bad-option', message)
}

/** The flag of an option: `maxShare` is --max-share. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}

/** Library options by their name on the command line, where they keep their flags in all commands: a model is read as `fit` read its documents. */
const NAMED_EVERYWHERE: Readonly<Record<string, string>> = {
  wordModel: 'words',
  network: 'structure',
  ...Object.fromEntries(Object.keys(textDefaults).map(name => [name, name]))
}

/**
 * The message with flags of the command in place of option names: the library writes `labelShare`, or `noise` 'auto', where the
 * command line has --label-share and --noise auto.
 */
export function withFlags(message: string, command: Command | undefined): string {
  return message.replace(/`(\w+)`(?: '([\w:.-]+)')?/g, (_, name: string, value: string | undefined) => {
    const own = command?.options.find(option => option.attributeName() === (NAMED_EVERYWHERE[name] ?? name))?.long
    const flag = own ?? (Object.hasOwn(NAMED_EVERYWHERE, name) ? flagOf(NAMED_EVERYWHERE[name]) : undefined)
    if (value === undefined) return flag ?? name
    return flag === undefined ? `${name} '${value}'` : `${flag} ${value}`
  })
}

export const wholeNumber = numberThat('a whole number', value => Number.isSafeInteger(value) && value >= 0)
export const positiveNumber = numberThat('a whole number above 0', value => Number.isSafeInteger(value) && value > 0)
export function upTo(most: number): (text: string) => number {
  return numberThat(
    `a whole number from 1 to ${grouped(most)}`,
    value => Number.isSafeInteger(value) && value > 0 && value <= most
  )
}
export const above0 = numberThat('a number above 0', value => value > 0)
export const share = numberThat('a share from 0 to 1', value => value >= 0 && value <= 1)

export function numberThat(rule: string, isValid: (value: number) => boolean): (text: string) => number {
  return text => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!isValid(value)) throw new InvalidArgumentError(`It must be ${rule}.`)
    return value
  }
}

export function shrinkage(text: string): Shrinkage {
  try {
    return parseShrinkage(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** For options that may be repeated. */
export function eachText(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** Names separated by commas, added to those given before. */
export function moreNames(text: string, previous: readonly string[] = []): string[] {
  return [...previous, ...list(text)]
}

function textFields(text: string, previous: readonly string[]): string[] {
  return text.trim() === '' ? [...previous] : moreNames(text, previous)
}

function numberField(text: string, previous: readonly string[] = []): string[] {
  try {
    parseNumberField(text)
  } catch {
    throw new InvalidArgumentError(`It must be ${numberFieldRule}.`)
  }
  return [...previous, text]
}

export function list(text: string): string[] {
  const items = text.split(',').map(item => item.trim())
  if (items.some(item => item === ''))
    throw new InvalidArgumentError('It must be a list of names, separated by commas.')
  return items
}

export interface FormatOptions {
  readonly format?: DocumentFormat
  readonly separator?: string
  readonly id?: string
  readonly tags?: string
  readonly tagSeparator?: string
  readonly worksheet?: string
  readonly encoding?: string
}

export function addFileOptions(command: Command): Command {
  return addOptions(command, {format: Object.keys(documentFormats)})`
    --format <name>     document format, if the file name does not show it
    --worksheet <name>  sheet of an Excel workbook (default: the first)
    --encoding <name>   encoding of text files, such as windows-1252 or gbk (default: recognised)`
}

export function addFormatOptions(command: Command): Command {
  // adfa explain has an --id of its own, that of a document.
  const hasId = command.options.some(option => option.long === '--id')
  if (!hasId) command.option('--id <column>', 'column with the document id (default: that of the model, or "id")')
  return addOptions(addFileOptions(command))`
    --tags <column>         column with the tags of a document (default: that of the model, or "tags")
    --separator <text>      separator of list items within a table cell (default: that of the model, or "|")
    --tag-separator <text>  separator of tags within a table cell (default: that of the model, or --separator)`
}

export type FileOptions = Pick<DocumentOptions, 'format' | 'required' | 'worksheet' | 'encoding' | 'onNote'>

export function fileOptions(options: FormatOptions, output: Output): FileOptions {
  const {format, worksheet, encoding} = options
  const {id, tags} = keyColumns(options)
  return {
    format,
    worksheet,
    encoding,
    onNote: output.note,
    required: [id, tags].filter(name => name !== undefined)
  }
}

/** The fields named on the command line or in a project; the default text fields are not. */
export function fieldsTyped(options: RowFields, command: Command): string[] {
  const isDefault = command.getOptionValueSource('text') === 'default'
  return inputNames(isDefault ? {...options, text: []} : options)
}

/** Which word model predictions use. */
export const WORDS_OPTION =
  '--words <name>  word model: the one chosen when fitting (model), or the noisy-or links, which every model has'
export const WORD_MODELS = {choices: ['model', 'noisy-or'], preset: 'model'}
