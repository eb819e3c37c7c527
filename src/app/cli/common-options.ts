import type {Command} from 'commander'
import {AdfaError, fileKind} from '../../base/checks/index.ts'
import type {EvidenceUse, InferenceMethod} from '../../learn/inference/index.ts'
import {loadModel, type Model} from '../../learn/model/index.ts'
import {inputNames, keyColumns, type RowFields, textDefaults, textOptionsOf} from '../../read/data/index.ts'
import type {CountingOptions} from '../../read/engines/index.ts'
import {type DocumentOptions, readFileHead, readTextFile} from '../../read/files/index.ts'
import {
  columnSettings,
  countingSettings,
  declared,
  fileSettings,
  flagOf,
  heldText,
  namesOf,
  seedSettings,
  workerSettings
} from '../project/index.ts'
import {createOutput, type Output} from './output.ts'

export interface CommonOptions {
  readonly json?: true
  readonly quiet?: true
  readonly seed: number
}

export const commonOptions = [
  ...seedSettings,
  ...declared(`
    --json   print the result as JSON, and only that, on standard output
    --quiet  print no progress and no notes`)
]

/** For commands that can do without -o in some cases, such as a project that names the file. */
export function missingOutput(command: Command): never {
  return command.error("error: required option '-o, --output <file>' not specified")
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

export type FormatOptions = Pick<DocumentOptions, 'format' | 'worksheet' | 'encoding'> &
  Pick<RowFields, 'separator' | 'id' | 'tags' | 'tagSeparator'>

type Preset = 'text' | 'vocabulary' | 'maxShare' | 'negationScope' | 'minTags' | 'ofTop'

/** How documents are read: the names and values of the library. `negation` is undefined where nobody has decided. */
export interface ReadingOptions
  extends FormatOptions,
    Partial<Omit<CountingOptions, keyof FormatOptions | Preset>>,
    Pick<CountingOptions, Preset> {
  /** Where anchors come from; `protocol` is for adfa count only. */
  readonly anchors?: string
  readonly anchorsFromTags?: readonly string[]
  readonly like?: string
  readonly protocol?: string
  readonly topTags?: number
  readonly labels?: string
  readonly holdOut?: true
}

/** How files are read by a model. */
export const formatOptions = [...fileSettings, ...columnSettings]

/** How documents are read when they are counted. */
export const readingOptions = [
  ...formatOptions,
  ...countingSettings,
  ...declared(`
    --anchors <file>  JSON file with the anchor of each concept
    --like <file>     reuse the anchors, vocabulary and options of this counts or model file
    --no-negation     read negated words as all others, also where most hits of an anchor are negated
    --labels <file>   labels of some documents, as written by adfa label; replaces tags`)
]

export const inputOptions = [...readingOptions, ...workerSettings, ...commonOptions]

export interface WorkOptions {
  readonly workers?: number
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
  const given = typedOptions(command, [...new Set([...READING, ...others])])
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

/** For options that may be repeated. */
export const eachText = {read: (text: string) => [text], isRepeated: true} as const

/** Names separated by commas, added to those given before. */
export const moreNames = {read: namesOf, isRepeated: true} as const

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

/** How the concepts of a document are inferred, and the types of these options. */
export interface InferringOptions {
  readonly hideAnchors?: true
  /** Names of concepts, or just `tags`. */
  readonly known?: readonly string[]
  readonly method: 'auto' | InferenceMethod
  readonly words: EvidenceUse['wordModel']
}

export const INFERRING = {
  known: moreNames,
  words: WORD_MODELS,
  method: {choices: ['auto', 'exact', 'message-passing'], preset: 'auto'}
}
