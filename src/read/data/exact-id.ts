/**
 * The id of a parsed JSON object with all the digits that the text has. JSON.parse rounds whole numbers beyond 2^53, so that
 * two documents could share an id; such an id is the text of the number.
 *
 * @param name the key of the id, in any case
 */
export function exactId(id: unknown, json: string, name: string): unknown {
  if (typeof id !== 'number' || Number.isSafeInteger(id) || !Number.isFinite(id)) return id
  const digits = numberOf(json, name)
  const isExact = !Number.isInteger(id) && digits === String(id)
  return digits === undefined || isExact ? id : digits
}

/** The number at a key of the outermost object of a valid JSON text, as it is written. Of two, the last one, like JSON.parse. */
function numberOf(json: string, name: string): string | undefined {
  const value = /\s*:\s*(-?\d[\d.eE+-]*)?/y
  const plain = (key: string) => key.trim().toLowerCase()
  let found: string | undefined
  let isExact = false
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === '"') {
      const end = endOfString(json, at + 1)
      value.lastIndex = end + 1
      const match = depth === 1 ? value.exec(json) : null
      const key = match === null ? '' : (JSON.parse(json.slice(at, end + 1)) as string)
      if (match?.[1] !== undefined && (key === name || (!isExact && plain(key) === plain(name)))) {
        found = match[1]
        isExact = key === name
      }
      at = end
    }
  }
  return found
}

/** The place of the quote that ends the string whose content begins at `from`. */
function endOfString(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at >= 0; at = json.indexOf('"', at + 1)) {
    let start = at
    while (json[start - 1] === '\\') start--
    if ((at - start) % 2 === 0) return at
  }
  return json.length
}
