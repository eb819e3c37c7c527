/** Text from files and users, made safe to show. */

/** Characters that move a cursor, change a terminal or turn the direction of writing. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
const CONTROLS_IN_LINES = new RegExp(`(?![\\t\\n])${CONTROLS.source}`, 'gu')

/** Returns the text with control characters written out: an escape character is shown as \u001b. Line ends and tabs stay. */
export function printable(text: string): string {
  return text.replace(CONTROLS_IN_LINES, escaped)
}

/** Returns the same in one line, for names and the cells of tables: a line feed would forge a line of its own. */
export function printableLine(text: string): string {
  return replaceControls(text, escaped)
}

/** Returns the text with something else in place of each control character, line ends and tabs included. */
export function replaceControls(text: string, replacement: (control: string) => string): string {
  return text.replace(CONTROLS, replacement)
}

/** Writes JSON in which control characters are escaped; JSON.stringify leaves some of them. */
export function jsonText(value: unknown, space?: number): string {
  // Outside strings JSON has no such characters except line feeds, which stay.
  return printable(JSON.stringify(value, null, space))
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Secrets in addresses: user and password before the host, a password in place of a port, and parameters. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // Lengths are bounded, so that the time is linear in the text.
  [/:\/\/(?:[^\s/@]{1,300}|[^\s/]{0,300}:\S{0,300})@/g, '://***@'],
  [/(:\/\/[^\s/:@[]{1,300}):(?!\*\*\*|\d+(?:\W|$))[^\s/]+/g, '$1:***'],
  [/([?&](?:user|password|passwd|pwd|token|secret|key)=)(?!\*\*\*)[^&\s]*/gi, '$1***']
]

/** Returns the text with passwords in addresses hidden: clickhouse://***@host/database/table. */
export function withoutPasswords(text: string): string {
  return SECRETS.reduce((rest, [pattern, shown]) => rest.replace(pattern, shown), text)
}
