import {cellWidth, fitCells, withoutControls, wrapCells} from '../../../base/text/index.ts'
import type {Row} from '../../../read/data/index.ts'
import type {Question} from '../../../use/labelling/index.ts'
import {colours as pc} from '../output.ts'

/** Highlights parts of a line of a field. */
type Paint = (line: string, field: string) => string

/** A document as lines of at most `columns` cells: its fields one below the other, their names in the margin. */
export function documentLines(row: Row, fields: readonly string[], columns: number, paint: Paint): string[] {
  const parts = fields.flatMap(field => {
    const text = withoutControls(row.text.get(field) ?? '').trim()
    return text === '' ? [] : [{field, text}]
  })
  if (row.features.length > 0) parts.push({field: 'features', text: withoutControls(row.features.join(', '))})
  if (parts.length === 0) return [pc.dim(' (an empty document)')]
  const margin = parts.length === 1 ? 0 : Math.min(12, Math.max(...parts.map(({field}) => cellWidth(field)))) + 1
  return parts.flatMap(({field, text}) =>
    wrapCells(text, columns - margin - 2).map((line, at) => {
      const name = margin === 0 ? '' : fitCells(at === 0 ? withoutControls(field) : '', margin)
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
