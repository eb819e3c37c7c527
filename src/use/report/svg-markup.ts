import {palette} from './palette.ts'

/** As much of a DOM node as is needed to write it down; browsers and their stand-ins have it. */
export interface SvgNode {
  readonly nodeType: number
  readonly nodeValue: string | null
  readonly localName?: string
  readonly attributes?: Iterable<{readonly name: string; readonly value: string}>
  readonly childNodes: Iterable<SvgNode>
}

const ELEMENT = 1
const TEXT = 3

/**
 * The nodes inside `node` as SVG text: the same bytes from every DOM. Attributes are in order of their names, numbers of
 * geometry have at most two decimals; names for screen readers are dropped, since the whole picture has one of its own.
 */
export function svgMarkup(node: SvgNode): string {
  return [...node.childNodes].map(written).join('')
}

function written(node: SvgNode): string {
  if (node.nodeType === TEXT) return escapeXml(node.nodeValue ?? '')
  if (node.nodeType !== ELEMENT || node.localName === undefined || node.localName === 'style') return ''
  const attributes = [...(node.attributes ?? [])]
    .filter(({name}) => !name.startsWith('aria-') && name !== 'class')
    .map(({name, value}) => ` ${name}="${escapeXml(attributeValue(name, value))}"`)
    .sort()
  const inside = svgMarkup(node)
  // Ticks without a number and names that need no title.
  if (inside === '' && EMPTY.has(node.localName)) return ''
  const tag = `<${node.localName}${attributes.join('')}`
  return inside === '' ? `${tag}/>` : `${tag}>${inside}</${node.localName}>`
}

const EMPTY = new Set(['text', 'title', 'g'])

const GEOMETRY = new Set('d x y x1 x2 y1 y2 cx cy r width height transform dx dy points'.split(' '))

function attributeValue(name: string, value: string): string {
  if (value === 'currentColor') return palette.ink
  return GEOMETRY.has(name)
    ? value.replace(/-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/g, number => rounded(Number(number)))
    : value
}

/** At most two decimals; zero has no sign. */
export function rounded(value: number): string {
  return String(Number(value.toFixed(2)) + 0)
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;']
])

/** Safe between tags and in quoted attributes; what has no place in XML, such as control characters, becomes a blank. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ')
    .replaceAll(/[&<>"]/g, character => ENTITIES.get(character) ?? character)
}
