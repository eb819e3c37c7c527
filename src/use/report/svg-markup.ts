import {replaceControls} from '../../base/text/index.ts'
import {escapeHtml} from './page.ts'
import {palette} from './palette.ts'

/** The part of a DOM node that serialising needs; browsers and their substitutes have it. */
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
 * The nodes inside `node` as SVG text: the same bytes from every DOM. Attributes are sorted by name, numbers of
 * geometry have at most two decimals; labels for screen readers are dropped, since the whole picture has its own.
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
  // Ticks without a number, and titles that were not needed.
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

/** Safe between tags and in quoted attributes; characters that XML forbids, such as control characters, and those that turn the direction of writing become blanks. */
export function escapeXml(text: string): string {
  return escapeHtml(replaceControls(text, () => ' ').replaceAll(/[\p{Cs}\ufffe\uffff]/gu, ' '))
}
