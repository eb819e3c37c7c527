import {type Command, InvalidArgumentError, Option} from 'commander'
import {
  AdfaError,
  type Anchors,
  countsFromBytes,
  isCountsFile,
  type Lexicon,
  loadModel,
  parseAnchors
} from '../index.ts'
import {
  type AnchorSource,
  type CountingOptions,
  countingDefaults,
  type DocumentFormat,
  documentFormats,
  readBinaryFile
} from '../node.ts'
import {createOutput, type Output} from './output.ts'

/** What every command takes. */
export interface CommonOptions {
  readonly json?: true
  readonly quiet?: true
  readonly seed: number
}

export function addCommonOptions(command: Command): Command {
  return command
    .option('--seed <n>', 'seed of everything random', wholeNumber, 0)
    .option('--json', 'print the result as JSON on standard output, and nothing else there')
    .option('--quiet', 'no progress and no remarks')
}

export function outputOf(options: CommonOptions): Output {
  return createOutput({json: options.json === true, quiet: options.quiet === true})
}

/** How documents and anchors are read. */
export interface ReadingOptions {
  readonly anchors?: string
  readonly anchorsFromTags?: readonly string[]
  readonly like?: string
  readonly latents: number
  readonly text: readonly string[]
  readonly vocabulary: number
  readonly maxShare: number
  readonly keepCase?: true
  readonly minTags: number
  readonly ofTop: number
  readonly skipBadAnchors?: true
  readonly labelShare?: number
}

export function addReadingOptions(command: Command): Command {
  const {fields, vocabulary, maxShare, minTags, ofTop} = countingDefaults
  return addFormatOptions(command)
    .option('--anchors <file>', 'anchors.json: an object, concept name -> anchor')
    .option('--anchors-from-tags <fields>', "the paper's rule: a tag's own name in one of these fields", list)
    .option('--latents <k>', 'with --anchors-from-tags: how many of the commonest tags', wholeNumber, 50)
    .option('--like <file>', 'anchors, vocabulary and options of these counts or this model')
    .option('--text <fields>', 'text fields to tokenise', list, fields)
    .option('--vocabulary <n>', 'words kept for each field, commonest first', wholeNumber, vocabulary)
    .option('--max-share <share>', 'drop words in more than this share of the documents', share, maxShare)
    .option('--keep-case', 'do not turn text into lower case')
    .option('--min-tags <n>', 'only documents with at least n of the commonest tags', wholeNumber, minTags)
    .option('--of-top <n>', 'with --min-tags: how many tags count as commonest', wholeNumber, ofTop)
    .option('--skip-bad-anchors', 'go on without anchors that cannot work, and say so in the result')
    .option('--label-share <share>', 'share of the documents whose tags are read to estimate noise rates', share)
}

/** How document files are understood. */
export interface FormatOptions {
  readonly format?: DocumentFormat
  readonly separator?: string
}

export function addFormatOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--format <name>', 'format of the documents, if their names do not tell').choices(
        Object.keys(documentFormats)
      )
    )
    .option('--separator <text>', 'between the items of features and tags in one cell of a table (default: "|")')
}

export function countingOptions(options: ReadingOptions & CommonOptions): Partial<CountingOptions> {
  const {text, vocabulary, maxShare, minTags, ofTop, labelShare, seed} = options
  return {
    fields: text,
    vocabulary,
    maxShare,
    lowerCase: options.keepCase !== true,
    minTags,
    ofTop,
    skipBadAnchors: options.skipBadAnchors === true,
    seed,
    ...(labelShare === undefined ? {} : {labelShare})
  }
}

/** Exactly one of --anchors, --anchors-from-tags and --like. */
export async function anchorSource(options: ReadingOptions): Promise<AnchorSource> {
  const {anchors, anchorsFromTags, like, latents} = options
  const given = [anchors, anchorsFromTags, like].filter(value => value !== undefined)
  if (given.length !== 1)
    throw new AdfaError(
      'bad-option',
      `give the anchors in one way: --anchors FILE, --anchors-from-tags FIELDS or --like FILE; got ${given.length} of them`
    )
  if (anchors !== undefined) return {kind: 'given', anchors: await readAnchors(anchors)}
  if (anchorsFromTags !== undefined) return {kind: 'tags', fields: anchorsFromTags, latents}
  return {kind: 'lexicon', lexicon: await readLexicon(String(like))}
}

export async function readAnchors(path: string): Promise<Anchors> {
  return parseAnchors(new TextDecoder().decode(await readBinaryFile(path)), path)
}

async function readLexicon(path: string): Promise<Lexicon> {
  const bytes = await readBinaryFile(path)
  if (isCountsFile(bytes)) return countsFromBytes(bytes, path).lexicon
  return loadModel(new TextDecoder().decode(bytes), path).lexicon
}

export function wholeNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('It must be a whole number.')
  return value
}

export function share(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It must be a share from 0 to 1.')
  return value
}

export function list(text: string): string[] {
  const items = text.split(',').map(item => item.trim())
  if (items.some(item => item === ''))
    throw new InvalidArgumentError('It must be a list of names, separated by commas.')
  return items
}
