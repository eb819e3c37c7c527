import type {Command} from 'commander'
import {AdfaError} from '../../base/checks/index.ts'
import {firstNames} from '../../base/text/index.ts'
import {didYouMean, keyColumns, type Lexicon} from '../../read/data/index.ts'
import {readRecords} from '../../read/files/index.ts'
import {fieldsTyped, type ReadingOptions} from './common-options.ts'
import type {Output} from './output.ts'

interface UnseenFields {
  /** Fields asked for in which no document has a value. */
  readonly names: readonly string[]
  /** The columns of all tables read. */
  readonly columns: ReadonlySet<string>
  /** The lexicon that settles how documents are read, if one does. */
  readonly settled: Lexicon | undefined
}

/**
 * Reports fields without a value in any document. One that the command line names and no table has as a column is an error: its
 * name is wrong. Others are noted: a column may be empty, and documents for a model may lack some of its fields.
 */
export async function reportUnseen(
  {names, columns, settled}: UnseenFields,
  {
    paths,
    options,
    command,
    output
  }: {
    readonly paths: readonly string[]
    readonly options: ReadingOptions & {readonly counting?: {readonly engine?: string}}
    readonly command: Command
    readonly output: Output
  }
): Promise<void> {
  const {id, tags} = keyColumns(options)
  const typed = [...(settled === undefined ? fieldsTyped(options, command) : []), id, tags]
  const missing =
    (options.counting?.engine ?? 'memory') !== 'memory'
      ? undefined
      : names.find(name => typed.includes(name) && !columns.has(name))
  if (missing !== undefined) throw await missingField(missing, paths)
  // One of the two default text fields is enough.
  const isDefault = (name: string) => !typed.includes(name) && options.text.includes(name)
  const noted = settled === undefined ? names.filter(name => !isDefault(name)) : fieldsWithWords(names, settled)
  if (noted.length > 0) output.note(unseenText(noted))
}

/** For commands that read documents by a model. */
export const MISSING_OPTION =
  '--allow-missing  continue where no document has one of the text fields that the model was learned from'

/** Refuses documents without a text field of the model; returns the other fields without a value that it has words of. */
export async function refuseMissing(
  unseen: readonly string[],
  lexicon: Lexicon,
  paths: readonly string[],
  {allowMissing}: {readonly allowMissing?: true | undefined}
): Promise<string[]> {
  const names = fieldsWithWords(unseen, lexicon)
  const missing = allowMissing ? undefined : names.find(name => lexicon.reading.text.includes(name))
  if (missing === undefined) return names
  throw await missingField(
    missing,
    paths,
    '; the model was learned from it: rename the field, or continue without it (--allow-missing)'
  )
}

async function missingField(name: string, paths: readonly string[], wayOut = ''): Promise<AdfaError> {
  return new AdfaError('bad-document', `${await missingText(name, paths)}${wayOut}`, {details: {field: name}})
}

/** Says that a field is missing, and which fields are there. */
export async function missingText(name: string, paths: readonly string[]): Promise<string> {
  const found = await firstFields(paths[0])
  const others =
    found === undefined ? '' : `; the first has ${firstNames(found) || 'nothing'}${didYouMean(name, found)}`
  return `${unseenText([name])}${others}`
}

/** The fields of the first document of a file of JSON Lines; undefined if they are not easily found. */
async function firstFields(path: string): Promise<readonly string[] | undefined> {
  if (path === '-') return undefined
  try {
    for await (const [first] of readRecords(path)) if (first !== undefined) return [...first.values.keys()]
  } catch {
    // The error that this is a part of matters more.
  }
  return undefined
}

export function unseenText(names: readonly string[]): string {
  const [one] = names
  return names.length === 1
    ? `no document has the field "${one}", or a value in it`
    : `no document has the fields ${names.map(name => `"${name}"`).join(', ')}, or a value in them`
}

/** The fields that words of the lexicon come from. */
function fieldsWithWords(names: readonly string[], {words}: Lexicon): string[] {
  return names.filter(name => words.some(word => word.startsWith(`${name}:`)))
}
