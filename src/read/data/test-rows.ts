import fc from 'fast-check'
import {type Anchors, parseAnchors} from './anchors.ts'
import {type Lexicon, textDefaults} from './lexicon.ts'
import type {NumberedReader} from './numbered-reader.ts'
import {parseRow, type Row} from './row.ts'
import type {RowFields} from './row-fields.ts'

/** Anchors written as in an anchors file. */
export function anchorsOf(entries: Readonly<Record<string, unknown>>): Anchors {
  return parseAnchors(JSON.stringify(entries), 'anchors.json')
}

/** A lexicon with these anchors and words. */
export function lexiconOf(
  entries: Readonly<Record<string, unknown>>,
  words: readonly string[],
  reading = textDefaults
): Lexicon {
  const rest = {phrases: [], reading, filter: undefined, skipped: []}
  return {anchors: anchorsOf(entries), words: [...words].sort(), ...rest}
}

/** A row written as a plain object. */
export function rowOf(value: unknown, fields: RowFields = textDefaults): Row {
  return parseRow(value, fields, 'row')
}

/** The different tokens of each text field and, last, of `features`, as names; and the members that fired. */
export function readRow(reader: NumberedReader, row: Row, textFields = textDefaults.text.length) {
  const members = reader.read(row)
  const read = [...reader.tokens.values.subarray(0, reader.tokens.length)]
  const tokens = Array.from({length: textFields + 1}, (_, field) =>
    read.filter(token => reader.table.field(token) === field).map(token => reader.table.name(token))
  )
  return {tokens, members}
}

/** The message of what `call` throws, or undefined when it returns. */
export function messageOf(call: () => unknown): string | undefined {
  try {
    call()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return undefined
}

/** Words of few letters, so that they meet often; some with a joining sign. */
export const anyWord: fc.Arbitrary<string> = fc.constantFrom(...'a b c d e f a-b b_c c++ .net é'.split(' '))

/** Plain objects with a title, a text and features of words from {@link anyWord}. */
export const anyDocument: fc.Arbitrary<{title: string; text: string; features: string[]}> = fc.record({
  title: fc.array(anyWord, {maxLength: 4}).map(words => words.join(' ')),
  text: fc.array(anyWord, {maxLength: 8}).map(words => words.join(' ')),
  features: fc.array(fc.constantFrom('a', 'q', 'R', 'title:b', 'title:z', '__proto__', ''), {maxLength: 3})
})
