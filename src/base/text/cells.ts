import {replaceControls} from './printable.ts'

/** Matches East Asian wide characters and emoji, which take two cells of a terminal. */
const WIDE =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23ec\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]/u
/** Matches combining marks and zero-width characters, which take no cell of a terminal. */
const ZERO_WIDTH = /\p{Mn}|\p{Me}|[\u200b-\u200d]/u

/** Returns the text without characters that could control a terminal. Line ends become line feeds, and tabs become spaces. */
export function withoutControls(text: string): string {
  const lines = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', '    ')
    .replaceAll('\ufeff', '')
  return replaceControls(lines, control => (control === '\n' ? '\n' : ''))
}

export function cellWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** Returns the text as one line of at most `width` cells, which ends with an ellipsis if the text is longer. */
export function clipCells(text: string, width: number): string {
  const line = withoutControls(text).replaceAll('\n', ' ')
  if (cellWidth(line) <= width) return line
  return width < 1 ? '' : `${firstCells(line, width - 1)}\u2026`
}

/** Breaks the text into lines of at most `width` cells, at spaces if possible. */
export function wrapCells(text: string, width: number): string[] {
  return withoutControls(text)
    .split('\n')
    .flatMap(line => wrapLine(line, Math.max(2, width)))
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  let currentWidth = 0
  for (const piece of line.match(/\s+|\S+/g) ?? []) {
    const isBlank = /^\s/.test(piece)
    let word = piece
    let wordWidth = cellWidth(word)
    if (currentWidth + wordWidth > width) {
      if (currentWidth > 0) lines.push(current.trimEnd())
      ;[current, currentWidth] = ['', 0]
      if (isBlank) continue
      while (wordWidth > width) {
        const head = firstCells(word, width)
        lines.push(head)
        word = word.slice(head.length)
        wordWidth = cellWidth(word)
      }
    }
    current += word
    currentWidth += wordWidth
  }
  return [...lines, current.trimEnd()]
}

/** Returns the longest start of the text that fits into `width` cells. */
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
  return ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1
}
