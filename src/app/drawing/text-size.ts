/**
 * The width of a text without a browser: an upper bound for Helvetica, Arial and the fonts that replace them where they are
 * missing (DejaVu Sans, Verdana and Liberation Sans), so that no text leaves its box. Pictures laid out with it are the same
 * everywhere.
 */
export function textWidth(text: string, size: number): number {
  let width = 0
  for (const character of text) width += emWidth(character)
  return width * size
}

/** The wider of DejaVu Sans and Verdana, in hundredths of the size, rounded up. */
const LETTERS: readonly (readonly [hundredths: number, letters: string])[] = [
  [28, "il'"],
  [37, 'jf ,.'],
  [43, 'rtI'],
  [46, '()-/:;[]|!J"\\'],
  [56, 'cszL?'],
  [62, 'aekovxyFPTY'],
  [64, '0123456789bdghnpqu*_`{}$E'],
  [70, 'ABCKRSVXZ'],
  [79, 'DGHNOQU&'],
  [84, '#+<>=^~w'],
  [98, 'mM'],
  [100, 'W@'],
  [108, '%']
]
const EM_WIDTHS: ReadonlyMap<string, number> = new Map(
  LETTERS.flatMap(([hundredths, letters]) => [...letters].map(letter => [letter, hundredths / 100] as const))
)

function emWidth(character: string): number {
  // Words in Latin, Greek and Cyrillic letters are narrower on the whole; later scripts are about as wide as high.
  return EM_WIDTHS.get(character) ?? ((character.codePointAt(0) ?? 0) < 0x1100 ? 0.85 : 1.1)
}

/** The text, cut with an ellipsis where it would be wider than `width`. */
export function fitText(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text
  const kept: string[] = []
  let used = textWidth('…', size)
  for (const character of text) {
    used += textWidth(character, size)
    if (used > width) break
    kept.push(character)
  }
  return `${kept.join('').trimEnd()}…`
}

/** The text in lines no wider than `width`, broken at blanks and inside words after hyphens, slashes and underscores; a longer piece is cut. */
export function wrapText(text: string, width: number, size: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of text.trim().split(/(?<=\s)(?=\S)|(?<=\S[-/_])(?=[^\s\d])/)) {
    if (line !== '' && textWidth((line + piece).trimEnd(), size) > width) {
      lines.push(line)
      line = piece
    } else line += piece
  }
  return [...lines, line].map(part => fitText(part.trim().replaceAll(/\s+/g, ' '), width, size))
}
