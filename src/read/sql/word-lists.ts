import {AdfaError} from '../../base/checks/index.ts'
import {binName, fieldsOf, type NumberField, type TextOptions} from '../data/index.ts'
import type {TextDialect} from './dialects.ts'

export interface WordList {
  readonly column: string
  /** A list of text; a name without anything after its `prefix` stands for an empty field. */
  readonly list: string
  readonly prefix: string
  /** For text: a condition that holds where it has letters of scripts that are written without blanks between words. */
  readonly unspaced?: string
}

/** The words of a document as lists, one per field; `phrases` are those of text that are read as one word, each as its parts. */
export function wordLists(sql: TextDialect, reading: TextOptions, phrases: readonly (readonly string[])[]): WordList[] {
  const {text: fields, category, numbers, lists, keepCase} = fieldsOf(reading)
  const cased = (value: string) => (keepCase ? value : sql.lower(lowered(sql, value)))
  const trimmed = (value: string) => cased(sql.replace(value, '^[\\s\\p{Z}]+|[\\s\\p{Z}]+$', ''))
  const one = (value: string) => sql.matches(value, '(?s).+')
  const text = (column: string) => sql.plainText(sql.identifier(column))
  const from = (column: string, values: string): WordList => {
    const prefix = `${column}:`
    return {column, prefix, list: sql.map(values, item => `concat(${sql.text(prefix)}, ${item})`)}
  }
  return [
    ...fields.map(column => ({
      ...from(column, tokensInSql(sql, cased(text(column)), phrases)),
      unspaced: `${sql.replace(text(column), UNSPACED, '')} <> ${text(column)}`
    })),
    ...category.map(column => from(column, one(trimmed(text(column))))),
    ...numbers.map(bins => from(bins.field, one(binInSql(sql, bins)))),
    ...lists.map(({name}) => from(name, sql.map(sql.plainList(sql.identifier(name)), trimmed)))
  ]
}

/** Characters that do not end a word where letters change their case, and the letters that do. */
const IGNORED =
  "\\p{Mn}\\p{Me}\\p{Cf}\\p{Lm}\\p{Sk}'.:\u00b7\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a"
const CASED = '\\p{Lu}\\p{Ll}\\p{Lt}'

/** Lower case where databases have another one: a sigma at the end of a word, and the capital i with a dot. */
function lowered(sql: TextDialect, text: string): string {
  const finalSigma = `([${CASED}][${IGNORED}]*)\u03a3([${IGNORED}]*(?:[^${CASED}${IGNORED}]|$))`
  return sql.replace(sql.replace(text, finalSigma, '\\1\u03c2\\2'), '\u0130', 'i\u0307')
}

/** The name of the bin of a number, as `binName` gives it. */
function binInSql(sql: TextDialect, bins: NumberField): string {
  const {field, width, edges} = bins
  const number = sql.plainNumber(sql.identifier(field))
  // Some databases join texts as if a null among them were empty.
  const known = (bin: string) => `coalesce(CASE WHEN ${number} IS NULL THEN '' ${bin} END, '')`
  if (edges !== undefined) {
    const cases = edges.map((edge, at) => {
      const below = binName(at === 0 ? Number.NEGATIVE_INFINITY : edges[at - 1], bins)
      return `WHEN ${number} < ${edge} THEN ${sql.text(below)}`
    })
    const last = sql.text(binName(edges[edges.length - 1], bins))
    return known(`${cases.join(' ')} ELSE ${last}`)
  }
  if (!Number.isSafeInteger(width))
    throw new AdfaError(
      'bad-option',
      `"${field}" has bins of ${width}, and SQL divides in binary; use a whole width, or edges`
    )
  const lower = `floor(${number} / ${width}) * ${width}`
  const joint = `CASE WHEN ${number} < 0 THEN '..' ELSE '-' END`
  return known(`ELSE concat(${sql.whole(lower)}, ${joint}, ${sql.whole(`${lower} + ${width}`)})`)
}

/**
 * Text cut into tokens in SQL, as `tokenize` and `mergePhrases` do. Databases have RE2, which cannot look around, so places
 * are first marked by control characters, which separate tokens as blanks do and are replaced by blanks before.
 */

/** Marks: a leading dot, a run of + and # before a joint, a joint, a trailing run, the end of one with digits. */
const [DOT, RUN, JOINT, TAIL, END] = ['\x01', '\x02', '\x03', '\x04', '\x05']
const [OPEN, CLOSE, PHRASE, PHRASE_END] = ['\x06', '\x07', '\x08', '\x0e']
const LETTER = '\\w\\p{L}\\p{N}'
const CHARACTER = `${LETTER}\\p{M}`

const hex = (mark: string) => `\\x0${mark.charCodeAt(0).toString(16)}`

/** Each pattern with its replacement, in order. The second joint of a.b.c overlaps the first, so joints are marked twice. */
const JOINTS = [`([${CHARACTER}])([+#]*)([.'-])([${CHARACTER}])`, `\\1${RUN}\\2${JOINT}\\3\\4`] as const
const MARKS: readonly (readonly [string, string])[] = [
  ['[\\x01-\\x08\\x0e]', ' '],
  ['\u2019', "'"],
  [`(\\p{L})([+#]+\\d+)([^${LETTER}+#]|$)`, `\\1${TAIL}\\2${END}\\3`],
  JOINTS,
  JOINTS,
  [`(\\p{L})([+#]+)([^${LETTER}+#]|$)`, `\\1${TAIL}\\2\\3`],
  [`(^|[^\\w\u017f\u212a.${hex(JOINT)}${hex(END)}])\\.([a-zA-Z\u017f\u212a])`, `\\1${DOT}.\\2`]
]
const WORD =
  `(?:${hex(DOT)}\\.)?[${LETTER}][${CHARACTER}]*` +
  `(?:${hex(RUN)}[+#]*${hex(JOINT)}[.'-][${CHARACTER}]+)*(?:${hex(TAIL)}[+#]+\\d*)?`

/** Chinese, Japanese, Thai, Lao, Khmer and Burmese, which `tokenize` cuts by a dictionary that no database has. */
const UNSPACED = '[\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Thai}\\p{Lao}\\p{Khmer}\\p{Myanmar}\\x{30fc}\\x{ff70}]'

/** RE2 has no class of pictographs: all of them, as ranges. */
function pictographs(): string {
  const ranges: [number, number][] = []
  for (let code = 0; code < 0x20000; code++) {
    if (!/\p{Extended_Pictographic}/u.test(String.fromCodePoint(code))) continue
    const last = ranges.at(-1)
    if (last?.[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  const escaped = (code: number) => `\\x{${code.toString(16)}}`
  const one = `[${ranges.map(([from, to]) => `${escaped(from)}-${escaped(to)}`).join('')}][\\x{1f3fb}-\\x{1f3ff}\\x{fe0f}]*`
  return `${one}(?:\\x{200d}${one})*|[\\x{1f1e6}-\\x{1f1ff}]{2}`
}

/** `phrases` are read as one token, each given as its parts; it is named by its parts with a blank between them. */
function tokensInSql(sql: TextDialect, text: string, phrases: readonly (readonly string[])[]): string {
  const marked = MARKS.reduce((marking, [pattern, by]) => sql.replace(marking, pattern, by), text)
  const found = sql.matches(marked, `${WORD}|${pictographs()}`)
  const unmarked = (text: string) => sql.replace(text, '[\\x01-\\x05]', '')
  if (phrases.length === 0) return sql.map(found, unmarked)
  const longestFirst = phrases.toSorted((a, b) => b.length - a.length)
  const choices = longestFirst.map(parts => parts.map(literal).join(`(?:${hex(CLOSE)}${hex(OPEN)}|[-_]+)`))
  const whole = sql.replace(unmarked(sql.join(found, `${CLOSE}${OPEN}`)), '(?s)^(.+)$', `${OPEN}\\1${CLOSE}`)
  const merged = sql.replace(whole, `${hex(OPEN)}(${choices.join('|')})${hex(CLOSE)}`, `${PHRASE}\\1${PHRASE_END}`)
  const pieces = sql.matches(merged, `${hex(PHRASE)}[^\\x0e]*\\x0e|${hex(OPEN)}[^\\x07]*${hex(CLOSE)}`)
  const bare = (item: string) => sql.replace(item, '[\\x06\\x07\\x08\\x0e]', '')
  const spaced = (item: string) => sql.replace(item, `${hex(CLOSE)}${hex(OPEN)}|[-_]+`, ' ')
  const isPhrase = (item: string) => `${item} LIKE ${sql.text(`${PHRASE}%`)}`
  return sql.map(pieces, item => bare(`CASE WHEN ${isPhrase(item)} THEN ${spaced(item)} ELSE ${item} END`))
}

function literal(part: string): string {
  return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
