/**
 * Names and words as ClickHouse reads them. Whatever a word contains, it stays inside its quotes: quotes and backslashes are
 * escaped, and so are control characters, since the query is passed on to other servers as text.
 */

export function quoteText(text: string): string {
  return `'${escapeFor(text, "'")}'`
}

export function quoteName(name: string): string {
  return `\`${escapeFor(name, '`')}\``
}

/** Numbers of names: name k has number `ids[k]`, above 0. */
export interface Codes {
  readonly names: readonly string[]
  readonly ids: readonly number[]
}

/** The number of the name that `expression` evaluates to, 0 when it has none. */
export function codeOf(expression: string, {names, ids}: Codes): string {
  // A list must not be empty; the empty name gets 0, as any other does.
  if (names.length === 0) return `transform(${expression}, [''], [0], 0)`
  return `transform(${expression}, [${names.map(quoteText).join()}], [${ids.join()}], 0)`
}

/** Only names that can occur: a lone surrogate, which JSON allows, cannot be written in UTF-8 and would become another character. */
export function encodable({names, ids}: Codes): Codes {
  const kept = names.map((_, at) => at).filter(at => !/\p{Surrogate}/u.test(names[at]))
  return {names: kept.map(at => names[at]), ids: kept.map(at => ids[at])}
}

function escapeFor(text: string, quote: string): string {
  let escaped = ''
  for (const sign of text) {
    const code = sign.charCodeAt(0)
    if (sign === quote || sign === '\\') escaped += `\\${sign}`
    else if (code < 32 || code === 127) escaped += `\\x${code.toString(16).padStart(2, '0')}`
    else escaped += sign
  }
  return escaped
}

/** How many bytes a name takes in a query, with its number. */
export function literalSize(name: string): number {
  return Buffer.byteLength(quoteText(name)) + 12
}
