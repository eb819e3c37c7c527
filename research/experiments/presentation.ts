import {grouped} from '../../src/base/text/index.ts'
import type {Lexicon} from '../../src/read/data/index.ts'
import {type HtmlPart, type HtmlTable, html, htmlTable, type Markup} from '../../src/use/report/index.ts'

export function bulletList(items: readonly HtmlPart[]): Markup {
  return html`<ul>
${items.map(item => html`<li>${item}</li>\n`)}</ul>
`
}

/** A table of numbers: all columns but the first ones, `left` of them, are aligned to the right. */
export function numberTable({left = 1, ...table}: Omit<HtmlTable, 'align'> & {readonly left?: number}): Markup {
  return htmlTable({...table, align: table.head.map((_, column) => (column < left ? 'left' : 'right'))})
}

/** "2,000 to 3,000", or one number if all are equal. */
export function countRange(counts: readonly number[]): string {
  const [low, high] = [Math.min(...counts), Math.max(...counts)].map(grouped)
  return low === high ? low : `${low} to ${high}`
}

/** Names the concepts that were left out in some split. */
export function leftOutNote(results: readonly {readonly leftOut: readonly string[]}[]): HtmlPart {
  const names = [...new Set(results.flatMap(({leftOut}) => leftOut))]
  return names.length === 0
    ? undefined
    : html`<p>Left out in a split, because too few of its training documents have the tag or the anchor: ${names.join(', ')}.</p>`
}

/**
 * Words as reports show them: `title:python` is "python". Where words come from several text fields, those of all but the
 * last are marked with their field.
 */
export interface WordNames {
  /** The text fields whose words are marked, and the one whose words are not, if any are. */
  readonly marked: readonly string[]
  readonly unmarked: string | undefined
  /** Without its field, as the paper prints words. */
  token(word: string): string
  text(word: string): string
  markup(word: string): Markup
}

export function wordNames({text, words}: Lexicon): WordNames {
  const used = text.fields.filter(field => words.some(word => word.startsWith(`${field}:`)))
  const fieldOf = (word: string) => text.fields.find(field => word.startsWith(`${field}:`))
  const token = (word: string) => word.slice((fieldOf(word)?.length ?? -1) + 1)
  const marked = used.slice(0, -1)
  const mark = (word: string) => marked.find(field => field === fieldOf(word))
  return {
    marked,
    unmarked: marked.length === 0 ? undefined : used.at(-1),
    token,
    text(word) {
      const field = mark(word)
      return field === undefined ? token(word) : `${token(word)} (${field})`
    },
    markup(word) {
      const field = mark(word)
      return field === undefined ? html`${token(word)}` : html`${token(word)}&nbsp;<small class="soft">${field}</small>`
    }
  }
}
