import type {Lexicon} from '../../read/data/index.ts'
import {html, type Markup} from '../../use/report/index.ts'

/**
 * Writes words for people: `title:python` is "python". Where words come from several text fields, those of all but the last
 * are marked with theirs.
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
