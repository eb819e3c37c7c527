import type {Lexicon} from '../../read/data/index.ts'

/**
 * The field that each word stands in, counted from 0 over the fields that have words; words that are in no text field
 * (`features`) are one more.
 */
export function wordFields({words, text}: Pick<Lexicon, 'words' | 'text'>): {of: Uint8Array; count: number} {
  const found = words.map(word => text.fields.findIndex(field => word.startsWith(`${field}:`)))
  const used = [...new Set(found)].sort((one, other) => one - other)
  return {of: Uint8Array.from(found, field => used.indexOf(field)), count: used.length}
}
