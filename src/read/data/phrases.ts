import {nameParts, ownCopy} from './tokenize.ts'

/** Names of several words, indexed for lookup in a list of tokens. */
export interface PhraseIndex {
  /** By first word, longest phrase first. */
  readonly byFirst: ReadonlyMap<string, readonly Phrase[]>
  /** The token of the phrase with these words (joined by a space). */
  readonly tokens: ReadonlyMap<string, string>
  readonly spell: (token: string) => Spelling
}

/** What matters of a token where phrases are joined. */
export interface Spelling {
  /** Its words: `asp.net-mvc` spells asp.net, mvc. */
  readonly parts: readonly string[]
  /** The phrases that begin with its first word, longest first. */
  readonly phrases: readonly Phrase[] | undefined
}

export interface Phrase {
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
  return {byFirst, tokens, spell: createSpelling(byFirst)}
}

/** Beyond this many tokens, cutting them into words starts over. */
const MOST_SPELLINGS = 100_000

function createSpelling(byFirst: ReadonlyMap<string, readonly Phrase[]>): PhraseIndex['spell'] {
  const known = new Map<string, Spelling>()
  return token => {
    const before = known.get(token)
    if (before !== undefined) return before
    if (known.size === MOST_SPELLINGS) known.clear()
    const parts = tokenParts(token)
    const spelling = {parts, phrases: byFirst.get(parts[0] ?? token)}
    known.set(ownCopy(token), spelling)
    return spelling
  }
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
  const spelled = tokens.map(phrases.spell)
  const spellingAt = (at: number) => spelled[at]
  for (let at = 0; at < tokens.length; ) {
    const {phrase, length} = phraseAt(tokens.length, spellingAt, at) ?? {phrase: undefined, length: 1}
    const token = phrase?.token ?? tokens[at]
    merged.push(name === undefined ? token : name(token, at, at + length))
    at += length
  }
  return merged
}

/** The longest phrase that begins with the token at `at`, and how many tokens it joins. */
export function phraseAt(
  count: number,
  spellingAt: (at: number) => Spelling,
  at: number
): {readonly phrase: Phrase; readonly length: number} | undefined {
  const {phrases} = spellingAt(at)
  if (phrases === undefined) return undefined
  const partsAt = (place: number) => spellingAt(place).parts
  for (const phrase of phrases) {
    const length = phraseLength(partsAt, at, count, phrase.parts)
    if (length > 0) return {phrase, length}
  }
  return undefined
}

/** How many whole tokens from `at` up to `end` spell `parts`, or 0; `asp.net-mvc` followed by `3` spells asp.net, mvc, 3. */
export function phraseLength(
  partsAt: (at: number) => readonly string[],
  at: number,
  end: number,
  parts: readonly string[]
): number {
  let matched = 0
  for (let next = at; next < end; next++) {
    const spelled = partsAt(next)
    for (let k = 0; k < spelled.length; k++) if (matched === parts.length || parts[matched++] !== spelled[k]) return 0
    if (matched === parts.length) return next - at + 1
  }
  return 0
}

/** The words that a token of a text spells. */
export function tokenParts(token: string): readonly string[] {
  return isCompound(token) ? nameParts(token) : [token]
}

export function isCompound(token: string): boolean {
  return token.includes('-') || token.includes('_')
}
