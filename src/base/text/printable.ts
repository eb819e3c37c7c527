/** Matches characters that move the cursor, change the terminal or reverse the writing direction. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
const CONTROLS_IN_LINES = new RegExp(`(?![\\t\\n])${CONTROLS.source}`, 'gu')

/** Replaces each control character by its escape, such as \u001b, but keeps line feeds and tabs. */
export function printable(text: string): string {
  return text.replace(CONTROLS_IN_LINES, unicodeEscape)
}

/** Replaces each control character by its escape, so that a name with a line feed cannot forge a line of output. */
export function printableLine(text: string): string {
  return replaceControls(text, unicodeEscape)
}

/** Replaces every control character, line feeds and tabs included. */
export function replaceControls(text: string, replacement: (control: string) => string): string {
  return text.replace(CONTROLS, replacement)
}

/** Writes JSON in which all control characters are escaped; JSON.stringify leaves some of them. */
export function jsonText(value: unknown, space?: number): string {
  // Outside its strings JSON has no control characters but the line feeds of its layout, which `printable` keeps.
  return printable(JSON.stringify(value, null, space))
}

function unicodeEscape(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Patterns of secrets in URLs, each with its replacement: credentials before the host, a password in place of a port, parameters. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // The repeated parts have a greatest length, so that a search takes time linear in the length of the text.
  [/:\/\/(?:[^\s/@]{1,300}|[^\s/]{0,300}:\S{0,300})@/g, '://***@'],
  [/(:\/\/[^\s/:@[]{1,300}):(?!\*\*\*|\d+(?:\W|$))[^\s/]+/g, '$1:***'],
  [/([?&](?:user|password|passwd|pwd|token|secret|key)=)(?!\*\*\*)[^&\s]*/gi, '$1***']
]

/** Hides users and passwords in URLs, as in clickhouse://***@host/database/table. */
export function withoutPasswords(text: string): string {
  return SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)
}
