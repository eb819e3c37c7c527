/** A message of the library as a sentence of a page. */
export function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!:]$/.test(start) ? start : `${start}.`
}

/** Features stand in single quotes; an apostrophe inside of a word is none. */
export function pieces(text: string): {readonly text: string; readonly isCode: boolean}[] {
  return text
    .split(/(?<=^|[\s(])'([^']+)'(?=[\s,;.:)?]|$)/)
    .map((piece, place) => ({text: piece, isCode: place % 2 === 1}))
    .filter(piece => piece.text !== '')
}
