/**
 * The width of a text without a browser: widths of Helvetica by class of character, with some slack for fonts that replace
 * it. Pictures laid out with it are the same everywhere.
 */
export function textWidth(text: string, size: number): number {
  let width = 0
  for (const character of text) width += emWidth(character)
  return width * size
}

function emWidth(character: string): number {
  if (/[ijltfr.,:;'|!()[\]/\\ -]/.test(character)) return 0.36
  if (/[mwMW@%]/.test(character)) return 0.95
  if (/[A-Z&<>=+#~]/.test(character)) return 0.74
  // Latin, Greek and Cyrillic letters; later scripts are about as wide as high.
  return (character.codePointAt(0) ?? 0) < 0x1100 ? 0.6 : 1.05
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

/** The text in lines no wider than `width`, broken between words; a longer word is cut. */
export function wrapText(text: string, width: number, size: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter(part => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && textWidth(longer, size) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line].map(part => fitText(part, width, size))
}
