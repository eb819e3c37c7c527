import {escapeHtml} from '../drawing/index.ts'
import type {Picture} from './page.tsx'

/** Text that is already HTML. Everything else is escaped where it enters, so that no name or word can become a tag. */
export class Markup {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** What a template may hold: markup, kept as it is; text and numbers, escaped; lists; and undefined, which adds nothing. */
export type HtmlPart = Markup | string | number | undefined | readonly HtmlPart[]

/** Markup from a template; values are escaped unless they are markup. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlPart[]): Markup {
  return new Markup(parts.reduce((text, part, at) => text + textOf(values[at - 1]) + part))
}

function textOf(value: HtmlPart): string {
  if (value === undefined) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return value.map(textOf).join('')
}

export interface HtmlTable {
  readonly caption: string
  readonly head: readonly HtmlPart[]
  /** The first cell of a row is its heading. */
  readonly rows: readonly (readonly HtmlPart[])[]
  /** By column; left unless given. */
  readonly align?: readonly ('left' | 'right')[]
  /** With an id and `sortable`, the page's script lets readers sort it. */
  readonly id?: string
  readonly sortable?: boolean
}

/** A table that scrolls in its own frame on narrow pages. */
export function htmlTable({caption, head, rows, align = [], id, sortable = false}: HtmlTable): Markup {
  const look = (column: number) => (align[column] === 'right' ? html` class="n"` : undefined)
  const cell = (value: HtmlPart, column: number) =>
    column === 0 ? html`<th scope="row"${look(column)}>${value}</th>` : html`<td${look(column)}>${value}</td>`
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table${id === undefined ? undefined : html` id="${id}"`}${sortable ? html` class="sortable"` : undefined}>
<caption>${caption}</caption>
<thead><tr>${head.map((value, column) => html`<th scope="col"${look(column)}>${value}</th>`)}</tr></thead>
<tbody>
${rows.map(row => html`<tr>${row.map(cell)}</tr>\n`)}</tbody>
</table>
</div>
`
}

/** A picture with its caption; the SVG is trusted: this room draws it. */
export function figure(svg: string | Picture, caption: HtmlPart, id: string): Markup {
  const inFrame = (text: string, look: string) =>
    html`<div class="picture${look}" role="group" tabindex="0" aria-labelledby="${id}-caption">${new Markup(text.slice(Math.max(0, text.indexOf('<svg'))).trim())}</div>`
  return html`<figure id="${id}">
${typeof svg === 'string' ? inFrame(svg, '') : [inFrame(svg.wide, ' wide'), inFrame(svg.narrow, ' narrow')]}
<figcaption id="${id}-caption">${caption}</figcaption>
</figure>
`
}
