/** Matches one token of JSON and the white space before it. */
const TOKEN =
  /[ \t\r\n]*([{}[\],:]|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))/uy

/** The states of the parser, named by what must come next, and how errors say it. */
const EXPECTED = {
  value: 'a value',
  firstValue: 'a value or ]',
  name: 'a name in double quotes (is there a comma too many?)',
  firstName: 'a name in double quotes, or }',
  colon: 'a colon',
  next: 'a comma or the closing bracket',
  end: 'nothing more'
} as const

type Expected = keyof typeof EXPECTED

/**
 * Returns a message that tells in which line a text stops being JSON and what was expected there, or undefined for valid JSON. The
 * messages of `JSON.parse` differ between engines, and most have no line.
 */
export function jsonFault(text: string): string | undefined {
  const openBrackets: string[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    const next: Expected | undefined = match === null ? undefined : nextState(match[1], expected, openBrackets)
    if (match === null || next === undefined) break
    at += match[0].length
    expected = next
  }
  while (' \t\r\n'.includes(text[at] ?? 'x')) at++
  if (at === text.length && expected === 'end') return undefined
  const before = text.slice(0, at).split(/\r\n|\r|\n/)
  const position = `line ${before.length}, column ${before[before.length - 1].length + 1}`
  const got = at === text.length ? 'the end of the file' : text.slice(at, at + 30).split(/[\r\n]/)[0]
  return `${position}: expected ${EXPECTED[expected]}, not ${got}`
}

/** Returns the state after a token, or undefined if `expected` does not allow it. `openBrackets` is a stack, which this updates. */
function nextState(token: string, expected: Expected, openBrackets: string[]): Expected | undefined {
  const afterValue = (): Expected => (openBrackets.length === 0 ? 'end' : 'next')
  const innermost = openBrackets[openBrackets.length - 1]
  if (token === '}' || token === ']') {
    const isFirst = expected === (token === '}' ? 'firstName' : 'firstValue')
    if (!isFirst && (expected !== 'next' || innermost !== (token === '}' ? '{' : '['))) return undefined
    openBrackets.pop()
    return afterValue()
  }
  if (token === ',') return expected === 'next' ? (innermost === '{' ? 'name' : 'value') : undefined
  if (token === ':') return expected === 'colon' ? 'value' : undefined
  if (expected === 'name' || expected === 'firstName') return token.startsWith('"') ? 'colon' : undefined
  if (expected !== 'value' && expected !== 'firstValue') return undefined
  if (token !== '{' && token !== '[') return afterValue()
  openBrackets.push(token)
  return token === '{' ? 'firstName' : 'firstValue'
}

/** The position of a value in the text of a file, for edits that keep its format; `end` is exclusive. */
export interface JsonSpan {
  readonly start: number
  readonly end: number
}

/** Returns the keys and values of the object at `start` of valid JSON, in the order of the text; repeated keys are kept. */
export function jsonEntries(text: string, start: number): (JsonSpan & {readonly key: string})[] {
  const spans = jsonValues(text, start)
  return spans.flatMap((span, at) =>
    at % 2 === 1 ? [{...span, key: String(JSON.parse(text.slice(spans[at - 1].start, spans[at - 1].end)))}] : []
  )
}

/** Returns the values directly inside the array or object at `start` of valid JSON; for an object, keys and values alternate. */
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
