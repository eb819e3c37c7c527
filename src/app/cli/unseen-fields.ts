import type {Lexicon} from '../../read/data/index.ts'

/** What to say of fields that were asked for and that no document has. */
export function unseenNote(names: readonly string[]): string {
  const [one] = names
  return names.length === 1
    ? `no document has the field "${one}", or a value in it; check its name`
    : `no document has the fields ${names.map(name => `"${name}"`).join(', ')}, or a value in them; check their names`
}

/** Of some fields, those that words were learned from. */
export function fieldsWithWords(names: readonly string[], {words}: Lexicon): string[] {
  return names.filter(name => words.some(word => word.startsWith(`${name}:`)))
}
