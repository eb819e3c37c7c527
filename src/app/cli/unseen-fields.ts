import {AdfaError} from '../../base/checks/index.ts'
import {firstNames} from '../../base/text/index.ts'
import {didYouMean, type Lexicon} from '../../read/data/index.ts'
import {readRecords} from '../../read/files/index.ts'

/** Documents that were read, and the fields in which none of them has a value. */
interface UnseenFields {
  readonly names: readonly string[]
  /** Fields that somebody asked for. */
  readonly typed: readonly (string | undefined)[]
  /** The columns of all tables. */
  readonly columns: readonly string[]
  readonly paths: readonly string[]
}

/**
 * Refuses a field without a value in any document that somebody asked for and that no table has as a column: its name is wrong. A column may
 * be empty, and documents for a model may lack some of its fields.
 */
export async function refuseUnseen({names, typed, columns, paths}: UnseenFields): Promise<void> {
  const missing = names.find(name => typed.includes(name) && !columns.includes(name))
  if (missing !== undefined) throw await missingField(missing, paths)
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

/** Says that a field is missing, and which fields the first document of a file has. */
export async function missingText(name: string, [path]: readonly string[]): Promise<string> {
  const text = unseenText([name])
  if (path === '-') return text
  try {
    for await (const [first] of readRecords(path)) {
      const found = [...(first?.values.keys() ?? [])]
      return `${text}; the first has ${firstNames(found) || 'nothing'}${didYouMean(name, found)}`
    }
  } catch {
    // The error that this is a part of matters more.
  }
  return text
}

export function unseenText(names: readonly string[]): string {
  const [one] = names
  return names.length === 1
    ? `no document has the field "${one}", or a value in it`
    : `no document has the fields ${names.map(name => `"${name}"`).join(', ')}, or a value in them`
}

/** The fields that words of the lexicon come from. */
export function fieldsWithWords(names: readonly string[], {words}: Lexicon): string[] {
  return names.filter(name => words.some(word => word.startsWith(`${name}:`)))
}
