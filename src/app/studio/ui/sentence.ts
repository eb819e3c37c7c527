/** A message of the library as a sentence of a page. */
export function sentence(text: string): string {
  return ended(text.charAt(0).toUpperCase() + text.slice(1))
}

/** The same for a message that begins with the name of a file, which keeps its letters. */
export function ended(text: string): string {
  return /[.?!:]$/.test(text) ? text : `${text}.`
}

/** Features stand in single quotes; an apostrophe inside of a word is none. */
export function pieces(text: string): {readonly text: string; readonly isCode: boolean}[] {
  return text
    .split(/(?<=^|[\s(])'([^']+)'(?=[\s,;.:)?]|$)/)
    .map((piece, place) => ({text: piece, isCode: place % 2 === 1}))
    .filter(piece => piece.text !== '')
}
