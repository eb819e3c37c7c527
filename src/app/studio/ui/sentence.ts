/** A message of the library as a sentence of a page. */
export function sentence(text: string): string {
  return ended(text.charAt(0).toUpperCase() + text.slice(1))
}

/** The same for a message that begins with the name of a file, which keeps its letters. */
export function ended(text: string): string {
  return /[.?!:]$/.test(text) ? text : `${text}.`
}
