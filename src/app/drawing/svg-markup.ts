import {printable, replaceControls} from '../../base/text/index.ts'
import {palette} from './palette.ts'

/**
 * As much of a DOM as Observable Plot draws charts with: elements that remember what they are given. Pictures are drawn with it
 * everywhere, also in a worker, which has no DOM of its own.
 */
export class DrawingDocument {
  readonly documentElement = this.createElementNS('http://www.w3.org/1999/xhtml', 'html')

  createElementNS(namespace: string, name: string): DrawnElement {
    return new DrawnElement(this, namespace, name)
  }
}

class DrawnElement {
  readonly children: DrawnElement[] = []
  readonly #attributes = new Map<string, string>()
  textContent = ''

  constructor(
    readonly ownerDocument: DrawingDocument,
    readonly namespaceURI: string,
    readonly localName: string
  ) {}

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name)
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value))
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name)
  }

  appendChild(child: DrawnElement): DrawnElement {
    return this.insertBefore(child, null)
  }

  /** Before another child, or at the end before `null`. A node is drawn once and stays where it is. */
  insertBefore(child: DrawnElement, next: DrawnElement | null): DrawnElement {
    this.children.splice(next === null ? this.children.length : this.children.indexOf(next), 0, child)
    return child
  }

  /** What is inside, as SVG text. */
  get innerHTML(): string {
    return escapeXml(this.textContent) + this.children.map(child => child.outerHTML).join('')
  }

  /** Numbers of geometry have at most two decimals. Labels for screen readers are dropped, since the whole picture has its own, and what is empty. */
  get outerHTML(): string {
    const {localName: name, innerHTML: inside} = this
    if (name === 'style' || (inside === '' && EMPTY.has(name))) return ''
    const attributes = [...this.#attributes]
      .filter(([key]) => !key.startsWith('aria-') && key !== 'class')
      .map(([key, value]) => ` ${key}="${escapeXml(attributeValue(key, value))}"`)
    return `<${name}${attributes.join('')}>${inside}</${name}>`
  }
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
  ['"', '&quot;'],
  ["'", '&#39;']
])

/** Safe between tags and inside quoted attributes; control characters, which HTML forbids, are written out. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, character => ENTITIES.get(character) ?? character)
}

/** Safe between tags and in quoted attributes; characters that XML forbids, such as control characters, and those that turn the direction of writing become blanks. */
export function escapeXml(text: string): string {
  return escapeHtml(replaceControls(text, () => ' ').replaceAll(/[\p{Cs}\ufffe\uffff]/gu, ' '))
}
