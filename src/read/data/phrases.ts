import {nameParts} from './tokenize.ts'

/** Names of several words, indexed for lookup in a list of tokens. */
export interface PhraseIndex {
  /** By first word, longest phrase first. */
  readonly byFirst: ReadonlyMap<string, readonly Phrase[]>
  /** The token of the phrase with these words (joined by a space). */
  readonly tokens: ReadonlyMap<string, string>
}

interface Phrase {
  readonly parts: readonly string[]
  readonly token: string
}

/** Index phrases by their words; of two spellings of one phrase (`chest pain`, `chest-pain`) the first names the token. */
export function indexPhrases(
  names: Iterable<{readonly token: string; readonly parts: readonly string[]}>
): PhraseIndex {
  const tokens = new Map<string, string>()
  const byFirst = new Map<string, Phrase[]>()
  for (const {token, parts} of names) {
    const key = parts.join(' ')
    if (parts.length < 2 || tokens.has(key)) continue
    tokens.set(key, token)
    const list = byFirst.get(parts[0])
    if (list === undefined) byFirst.set(parts[0], [{parts, token}])
    else list.push({parts, token})
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.parts.length - a.parts.length)
  return {byFirst, tokens}
}

/** Names a token of the result, made of the tokens from `from` up to `to`. */
export type NameToken = (token: string, from: number, to: number) => string

/**
 * Replace every phrase by its token, as the paper does with tag names: leftmost first, the longest where several fit.
 * `name`, if given, renames each token of the result.
 */
export function mergePhrases(tokens: readonly string[], phrases: PhraseIndex, name?: NameToken): readonly string[] {
  if (phrases.byFirst.size === 0 && name === undefined) return tokens
  const merged: string[] = []
  for (let at = 0; at < tokens.length; ) {
    const candidates = phrases.byFirst.get(firstPart(tokens[at]))
    let length = 0
    if (candidates !== undefined)
      for (const phrase of candidates) {
        length = matchLength(tokens, at, phrase.parts)
        if (length === 0) continue
        merged.push(name === undefined ? phrase.token : name(phrase.token, at, at + length))
        break
      }
    if (length === 0) merged.push(name === undefined ? tokens[at] : name(tokens[at], at, at + 1))
    at += Math.max(1, length)
  }
  return merged
}

/** How many whole tokens from `at` on spell `parts`, or 0; `asp.net-mvc` followed by `3` spells asp.net, mvc, 3. */
function matchLength(tokens: readonly string[], at: number, parts: readonly string[]): number {
  let matched = 0
  for (let next = at; next < tokens.length; next++) {
    for (const part of tokenParts(tokens[next])) if (matched === parts.length || parts[matched++] !== part) return 0
    if (matched === parts.length) return next - at + 1
  }
  return 0
}

function firstPart(token: string): string {
  return isCompound(token) ? (nameParts(token)[0] ?? token) : token
}

/** The words that a token of a text spells. */
export function tokenParts(token: string): readonly string[] {
  return isCompound(token) ? nameParts(token) : [token]
}

export function isCompound(token: string): boolean {
  return token.includes('-') || token.includes('_')
}
