import {nameParts} from './tokenize.ts'

export interface PhraseIndex {
  /** By first word, longest phrase first. */
  readonly byFirst: ReadonlyMap<string, readonly Phrase[]>
  /** The token of the phrase with these words (joined by a space). */
  readonly tokens: ReadonlyMap<string, string>
}

export interface Phrase {
  readonly parts: readonly string[]
  readonly token: string
}

/** Index phrases by their words; of two spellings of one phrase (`chest pain`, `chest-pain`) the first names the token. */
export function indexPhrases(names: Iterable<Phrase>): PhraseIndex {
  const tokens = new Map<string, string>()
  const byFirst = new Map<string, Phrase[]>()
  for (const {token, parts} of names) {
    const key = parts.join(' ')
    if (parts.length < 2 || tokens.has(key)) continue
    tokens.set(key, token)
    byFirst.set(parts[0], [...(byFirst.get(parts[0]) ?? []), {parts, token}])
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
  // Few texts have a phrase.
  if (name === undefined && !tokens.some(token => phrasesFrom(phrases, token))) return tokens
  const merged: string[] = []
  for (let at = 0; at < tokens.length; ) {
    const phrase = phrasesFrom(phrases, tokens[at])?.find(({parts}) => phraseLength(tokens, at, parts) > 0)
    const [token, length] = phrase ? [phrase.token, phraseLength(tokens, at, phrase.parts)] : [tokens[at], 1]
    merged.push(name === undefined ? token : name(token, at, at + length))
    at += length
  }
  return merged
}

/** The phrases that begin with the first word of a token, longest first. */
function phrasesFrom({byFirst}: PhraseIndex, token: string): readonly Phrase[] | undefined {
  if (byFirst.size === 0) return undefined
  return byFirst.get(isCompound(token) ? nameParts(token)[0] : token)
}

/** How many whole tokens from `at` on spell `parts`, or 0; `asp.net-mvc` followed by `3` spells asp.net, mvc, 3. */
function phraseLength(tokens: readonly string[], at: number, parts: readonly string[]): number {
  let matched = 0
  for (let next = at; next < tokens.length; next++) {
    for (const part of tokenParts(tokens[next])) if (parts[matched++] !== part) return 0
    if (matched === parts.length) return next - at + 1
  }
  return 0
}

/** The words that a token of a text spells: `asp.net-mvc` spells asp.net, mvc. */
export function tokenParts(token: string): readonly string[] {
  return isCompound(token) ? nameParts(token) : [token]
}

export function isCompound(token: string): boolean {
  return token.includes('-') || token.includes('_')
}
