import type {Row} from '../../../read/data/index.ts'
import type {LabelProgress, Question} from '../../../use/labelling/index.ts'
import {colours as pc} from '../output.ts'

/** Text in the cells of a terminal: character widths and line breaking. */

/** East Asian wide characters and pictures: two cells. */
const WIDE =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23ec\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]/u
/** Combining marks: no cell. */
const NARROW = /\p{Mn}|\p{Me}|[\u200b-\u200d]/u
/** Characters that move the cursor or change colours or writing direction: a document must not control the terminal. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** The text of a document without control characters except line ends. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', '    ')
    .replace(CONTROLS, control => (control === '\n' ? '\n' : ''))
}

export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** The text in exactly `width` cells, clipped or padded. */
export function fitText(text: string, width: number): string {
  const cut = clipText(text, width)
  return cut + ' '.repeat(Math.max(0, width - textWidth(cut)))
}

/** The text in at most `width` cells, with an ellipsis if clipped. */
export function clipText(line: string, width: number): string {
  const text = plainText(line).replaceAll('\n', ' ')
  if (textWidth(text) <= width) return text
  return width < 1 ? '' : `${firstCells(text, width - 1)}\u2026`
}

/** The text in lines of at most `width` cells, broken at spaces if possible. */
export function wrapText(text: string, width: number): string[] {
  return plainText(text)
    .split('\n')
    .flatMap(line => wrapLine(line, Math.max(2, width)))
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  let used = 0
  for (const piece of line.match(/\s+|\S+/g) ?? []) {
    const isBlank = /^\s/.test(piece)
    let word = piece
    let wide = textWidth(word)
    if (used + wide > width) {
      if (used > 0) lines.push(current.trimEnd())
      ;[current, used] = ['', 0]
      if (isBlank) continue
      while (wide > width) {
        const head = firstCells(word, width)
        lines.push(head)
        word = word.slice(head.length)
        wide = textWidth(word)
      }
    }
    current += word
    used += wide
  }
  return [...lines, current.trimEnd()]
}

function firstCells(text: string, width: number): string {
  let used = 0
  let end = 0
  for (const character of text) {
    used += characterWidth(character)
    if (used > width) break
    end += character.length
  }
  return text.slice(0, end)
}

function characterWidth(character: string): number {
  if (character < '\u0300') return 1
  return NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1
}

/** Highlights parts of a line of a field. */
type Paint = (line: string, field: string) => string

/** A document as lines of at most `columns` cells: its fields one below the other, their names in the margin. */
export function documentLines(row: Row, fields: readonly string[], columns: number, paint: Paint): string[] {
  const parts = fields.flatMap(field => {
    const text = plainText(row.text.get(field) ?? '').trim()
    return text === '' ? [] : [{field, text}]
  })
  if (row.features.length > 0) parts.push({field: 'features', text: plainText(row.features.join(', '))})
  if (parts.length === 0) return [pc.dim(' (an empty document)')]
  const margin = parts.length === 1 ? 0 : Math.min(12, Math.max(...parts.map(({field}) => textWidth(field)))) + 1
  return parts.flatMap(({field, text}) =>
    wrapText(text, columns - margin - 2).map((line, at) => {
      const name = margin === 0 ? '' : fitText(at === 0 ? plainText(field) : '', margin)
      return ` ${name === '' ? '' : pc.dim(name)}${paint(line, field)}`
    })
  )
}

/** Highlights the anchor of a short question or, in a random document, all anchors that fire. */
export function anchorPaint(
  question: Question,
  anchors: readonly (readonly string[])[],
  fields: readonly string[]
): Paint {
  const concepts = question.drawn === 'anchored' ? [question.concept] : question.document.evidence.anchors
  const names = concepts.flatMap(i => anchors[i])
  if (names.length === 0 || !pc.isColorSupported) return line => line
  const patterns = new Map(
    [...fields, 'features'].map(field => {
      const here = names.filter(name => fieldOf(name, fields) === undefined || fieldOf(name, fields) === field)
      return [field, here.length === 0 ? undefined : new RegExp(here.map(n => patternOf(n, fields)).join('|'), 'giu')]
    })
  )
  return (line, field) => {
    const pattern = patterns.get(field)
    return pattern === undefined ? line : line.replace(pattern, match => (match === '' ? '' : pc.cyan(pc.bold(match))))
  }
}

function fieldOf(name: string, fields: readonly string[]): string | undefined {
  return fields.find(field => name.startsWith(`${field}:`))
}

function patternOf(name: string, fields: readonly string[]): string {
  const field = fieldOf(name, fields)
  const rest = field === undefined ? name : name.slice(field.length + 1)
  const regex = /^\/(.+)\/[a-z]*$/s.exec(rest)
  if (regex !== null && isPattern(regex[1])) return `(?:${regex[1]})`
  const words = rest.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, '\\s+')
  return `(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`
}

/** Whether the source is valid with the flags shared by all patterns. */
function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'giu')
    return true
  } catch {
    return false
  }
}

/** How well the prevalences are known, in a sentence. */
export function knownWords({precision}: LabelProgress): string {
  if (precision === undefined) return 'no estimates yet: no labelled document has a concept'
  const {median, worst} = precision
  return `prevalence within a factor of ${factor(median)} (median), ${factor(worst.factor)} at worst (${worst.concept})`
}

/** The reason to stop, or undefined. */
export function enoughWords({enough, goal, precision}: LabelProgress, narrow: number): string | undefined {
  const without = precision === undefined || precision.unusable.length === 0 ? '' : ' that can be used'
  if (enough === 'intervals')
    return `enough: the prevalence of every concept${without} is known to within a factor of ${factor(narrow)}`
  return enough === 'documents' ? `enough: all ${goal} requested documents are labelled` : undefined
}

export function factor(value: number): string {
  return value < 9.95 ? value.toFixed(1) : value.toFixed(0)
}
