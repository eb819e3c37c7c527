/** Text in the cells of a terminal: character widths and line breaking. */

/** East Asian wide characters and pictures: two cells. */
const WIDE =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23ec\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]/u
/** Combining marks: no cell. */
const NARROW = /\p{Mn}|\p{Me}|[\u200b-\u200d]/u
/** Characters that move the cursor or change colours or writing direction: a document must not control the terminal. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** Returns the text without control characters. Line ends become line feeds, and tabs become spaces. */
export function withoutControls(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', '    ')
    .replace(CONTROLS, control => (control === '\n' ? '\n' : ''))
}

export function cellWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** Returns the text in exactly `width` cells, clipped or padded. */
export function fitCells(text: string, width: number): string {
  const cut = clipCells(text, width)
  return cut + ' '.repeat(Math.max(0, width - cellWidth(cut)))
}

/** Returns the text in at most `width` cells, with an ellipsis if clipped. */
export function clipCells(line: string, width: number): string {
  const text = withoutControls(line).replaceAll('\n', ' ')
  if (cellWidth(text) <= width) return text
  return width < 1 ? '' : `${firstCells(text, width - 1)}\u2026`
}

/** Returns the text in lines of at most `width` cells, broken at spaces if possible. */
export function wrapCells(text: string, width: number): string[] {
  return withoutControls(text)
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
    let wide = cellWidth(word)
    if (used + wide > width) {
      if (used > 0) lines.push(current.trimEnd())
      ;[current, used] = ['', 0]
      if (isBlank) continue
      while (wide > width) {
        const head = firstCells(word, width)
        lines.push(head)
        word = word.slice(head.length)
        wide = cellWidth(word)
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
