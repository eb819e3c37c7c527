/** Where values are in a JSON text, for files that are changed or taken apart without losing how they are written. */

/** A value in the text, from `start` up to `end`. */
export interface JsonSpan {
  readonly start: number
  readonly end: number
}

/** The entries of the object that begins at `start` of valid JSON, in the order of the text, repeated keys included. */
export function jsonEntries(text: string, start: number): (JsonSpan & {readonly key: string})[] {
  const spans = jsonValues(text, start)
  return spans.flatMap((span, at) =>
    at % 2 === 1 ? [{...span, key: String(JSON.parse(text.slice(spans[at - 1].start, spans[at - 1].end)))}] : []
  )
}

/** The values directly inside the array or object that begins at `start` of valid JSON; of an object, keys and values in turn. */
export function jsonValues(text: string, start: number): JsonSpan[] {
  const found: JsonSpan[] = []
  const token = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s",:[\]{}]+/gs
  token.lastIndex = start
  let depth = 0
  let from = start
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [part] = match
    if (part === '[' || part === '{') {
      depth++
      if (depth === 2) from = match.index
    } else if (part === ']' || part === '}') {
      depth--
      if (depth === 0) return found
      if (depth === 1) found.push({start: from, end: token.lastIndex})
    } else if (depth === 1) found.push({start: match.index, end: token.lastIndex})
  }
  return found
}
