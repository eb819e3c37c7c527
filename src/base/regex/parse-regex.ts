import {AdfaError} from '../checks/index.ts'

export type Assertion = '^' | '$' | 'b' | 'B'

/** The syntax tree of a regular expression. */
export type RegexNode =
  /** One character, whose source is a literal, an escape, a class or a dot. */
  | {readonly kind: 'character'; readonly source: string}
  | {readonly kind: 'assertion'; readonly test: Assertion}
  | {readonly kind: 'look'; readonly isAhead: boolean; readonly isNegative: boolean; readonly body: RegexNode}
  | {readonly kind: 'sequence' | 'choice'; readonly parts: readonly RegexNode[]}
  | {
      readonly kind: 'repeat'
      readonly body: RegexNode
      readonly min: number
      readonly max: number
      readonly isGreedy: boolean
    }

/**
 * Parses a regular expression that `new RegExp` accepts. Back references are refused, since they cannot be matched in linear time,
 * and so are flags and groups that some runtimes do not know.
 */
export function parseRegex(source: string, flags: string): RegexNode {
  const isUnicode = flags.includes('u')
  let at = 0
  const refuse = (what: string, wayOut: string) =>
    new AdfaError('bad-option', `/${source}/${flags} has ${what}, which adfa does not match; ${wayOut}`)
  /** Consumes what the pattern matches at the current position. */
  const take = (pattern: RegExp) => {
    const found = pattern.exec(source.slice(at)) ?? undefined
    at += found?.[0].length ?? 0
    return found
  }
  const unknown = /[^dgimsu]/.exec(flags)
  if (unknown !== null) throw refuse(`the flag ${unknown[0]}`, 'use only the flags i, m, s and u')
  return parseChoice()

  function parseChoice(): RegexNode {
    const parts = [parseSequence()]
    while (take(/^\|/)) parts.push(parseSequence())
    return parts.length === 1 ? parts[0] : {kind: 'choice', parts}
  }

  function parseSequence(): RegexNode {
    const parts: RegexNode[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(parseRepeat(parseAtom()))
    return {kind: 'sequence', parts}
  }

  function parseRepeat(body: RegexNode): RegexNode {
    const found = take(/^(?:[*+?]|\{(\d+)(,?)(\d*)\})/)
    if (found === undefined) return body
    const isGreedy = take(/^\?/) === undefined
    const [all, low, comma, high] = found
    if (low === undefined)
      return {kind: 'repeat', body, min: all === '+' ? 1 : 0, max: all === '?' ? 1 : Infinity, isGreedy}
    const least = Number(low)
    return {kind: 'repeat', body, min: least, max: high ? Number(high) : comma ? Infinity : least, isGreedy}
  }

  function parseAtom(): RegexNode {
    if (take(/^\(/)) return parseGroup()
    const assertion = take(/^(?:\^|\$|\\[bB])/)
    if (assertion !== undefined) return {kind: 'assertion', test: assertion[0].slice(-1) as Assertion}
    if (/^\\(?:[1-9]|k<)/.test(source.slice(at))) throw refuse('a back reference', 'write out what the group may match')
    // Without a letter after it, \c is a literal backslash followed by c.
    if (!isUnicode && /^\\c(?![a-z])/i.test(source.slice(at))) {
      at++
      return {kind: 'character', source: '\\\\'}
    }
    const found = take(isUnicode ? UNICODE_CHARACTER : CHARACTER)
    return {kind: 'character', source: found?.[0] ?? ''}
  }

  function parseGroup(): RegexNode {
    const [, look] = take(/^\?(<?[=!])/) ?? []
    if (look === undefined && !take(/^\?(?::|<[^>]*>)/) && source[at] === '?')
      throw refuse('a group with modifiers', 'give the flags after the last slash')
    const body = parseChoice()
    at++
    return look === undefined ? body : {kind: 'look', isAhead: look.length === 1, isNegative: look.endsWith('!'), body}
  }
}

/** These match a character class, one character where the flag u is off, an escaped surrogate pair, and one character where u is on. */
const CLASS = '\\[(?:\\\\[^]|[^\\]\\\\])*\\]'
const CHARACTER = new RegExp(`^(?:${CLASS}|\\\\(?:u[\\da-f]{4}|x[\\da-f]{2}|c[a-z]|0[0-7]{0,2}|[^])|[^])`, 'i')
const SURROGATE_PAIR = 'u[dD][89abAB][\\da-fA-F]{2}\\\\u[dD][c-fC-F][\\da-fA-F]{2}'
const UNICODE_CHARACTER = new RegExp(
  `^(?:${CLASS}|\\\\(?:${SURROGATE_PAIR}|u\\{[\\da-fA-F]+\\}|u[\\da-fA-F]{4}|x[\\da-fA-F]{2}|c[a-zA-Z]|[pP]\\{[^}]*\\}|[^])|[^])`,
  'u'
)
