/** Text in the cells of a terminal: what a character takes, and how lines are broken. */

/** East Asian wide characters and pictures: two cells. */
const WIDE =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23ec\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]/u
/** Marks above or below the character before. */
const NARROW = /\p{Mn}|\p{Me}|[\u200b-\u200d]/u
/** What would move the cursor, change its colour or turn the direction of writing: a document must not control the terminal. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** A document's text with nothing in it but characters and line ends. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', '    ')
    .replace(CONTROLS, control => (control === '\n' ? '\n' : ''))
}

/** The cells that a text takes. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** The text in exactly so many cells, cut or filled up with blanks. */
export function fitText(text: string, width: number): string {
  const cut = clipText(text, width)
  return cut + ' '.repeat(Math.max(0, width - textWidth(cut)))
}

/** The text in at most so many cells; what is cut off leaves an ellipsis. */
export function clipText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  return width < 1 ? '' : `${firstCells(text, width - 1)}\u2026`
}

/** The text in lines of at most so many cells, broken at blanks where there are any. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap(line => wrapLine(line, Math.max(2, width)))
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  let used = 0
  for (const piece of line.match(/\s+|\S+/g) ?? []) {
    const isBlank = /^\s/.test(piece)
    let word = piece
    let wide = textWidth(word)
    if (used + wide > width) {
      if (used > 0) lines.push(current.trimEnd())
      ;[current, used] = ['', 0]
      if (isBlank) continue
      while (wide > width) {
        const head = firstCells(word, width)
        lines.push(head)
        word = word.slice(head.length)
        wide = textWidth(word)
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
