/** Text that is HTML already. Everything else is escaped where it enters, so that no name or word can become a tag. */
export class Markup {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** What a template may hold: markup as it is, text and numbers escaped, lists one after the other, and nothing for nothing. */
export type HtmlPart = Markup | string | number | undefined | readonly HtmlPart[]

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;']
])

/** Safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES.get(character) ?? character)
}

/** Markup from a template; what is put in is escaped unless it is markup itself. */
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
  /** By column; left where nothing is said. Figures stand better at the right. */
  readonly align?: readonly ('left' | 'right')[]
  /** With an id and `sortable`, the page's script lets readers sort it and take it away as CSV. */
  readonly id?: string
  readonly sortable?: boolean
}

/** A table that scrolls in its own frame when the page is narrow. */
export function htmlTable({caption, head, rows, align = [], id, sortable = false}: HtmlTable): Markup {
  const look = (column: number) => (align[column] === 'right' ? html` class="figure"` : undefined)
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

/** A picture with its caption; `svg` is trusted, as what this room draws. */
export function figure(svg: string, caption: HtmlPart, id: string): Markup {
  const picture = new Markup(svg.slice(Math.max(0, svg.indexOf('<svg'))).trim())
  return html`<figure id="${id}">
<div class="picture" role="group" tabindex="0" aria-labelledby="${id}-caption">${picture}</div>
<figcaption id="${id}-caption">${caption}</figcaption>
</figure>
`
}
