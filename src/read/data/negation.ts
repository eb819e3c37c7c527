import {
  languageOf,
  NEGATION_KINDS,
  NEGATION_WORDS,
  type NegationKind,
  type NegationLanguage,
  type NegationWords
} from './negation-words.ts'
import type {PlacedToken} from './tokenize.ts'

export const PLAIN = 0
export const NEGATED = 1
/** First word of a rule that negates what follows. */
export const OPENS = 2
/** Last word of a rule that negates what precedes. */
export const CLOSES = 3

const JOINED = 0
const COMMA = 1
const COLON = 2
const SENTENCE_END = 3

/** The most words of an item of a negated list without "or". */
const ITEM_WORDS = 3

/**
 * Marks each token of a text as {@link PLAIN}, {@link NEGATED}, {@link OPENS} or {@link CLOSES}, by the words of its language (negation-words.ts).
 *
 * Forwards, a negation continues through a list ("no fever, chills or cough"). It ends with its sentence, its brackets,
 * the next rule of any kind, `scope` words, where a comma or "and" begins a clause with its own verb, and at a comma that
 * continues no list. A list continues if "or" follows; else if the item before had no "or" and the next one is short:
 * at most {@link ITEM_WORDS}, no number and no word of `details` ("denies fever, alcohol on breath"). Backwards the
 * same holds, and it passes a comma only in a list with "and" or "or". The words of the rules are never negated. Cost:
 * linear in the text for a fixed scope.
 */
export function createNegationMarker(scope: number) {
  return (text: string, tokens: readonly PlacedToken[]): Uint8Array => {
    const marks = new Uint8Array(tokens.length)
    const words = tokens.map(({token}) => token.toLowerCase())
    const language = languageOf(words)
    const known = NEGATION_WORDS[language]
    const {breaks, depths} = findClauses(text, tokens, known.abbreviations)
    const tree = ruleTree(language)
    // After a colon, rules that require the colon come first.
    const colon = tree.next.get(':')
    const rules = words.map(
      (_, at) =>
        (breaks[at] === COLON && colon ? longestRule(colon, words, breaks, at) : undefined) ??
        longestRule(tree, words, breaks, at)
    )
    if (rules.every(rule => rule === undefined)) return marks
    const reading: Reading = {words, breaks, known, rules}
    const isBeforeOr = findOr(reading)
    /** Words that the negation may still reach; 0 when none is open. */
    let left = 0
    let depth = 0
    let clauseStart = 0
    for (let at = 0; at < words.length; ) {
      if (breaks[at] === SENTENCE_END) clauseStart = at
      if (breaks[at] === SENTENCE_END || depths[at] < depth) left = 0
      const found = rules[at]
      if (found === undefined) {
        if (left > 0) left = reachAt(reading, isBeforeOr, at, left, scope)
        if (left > 0) {
          marks[at] = NEGATED
          left--
        }
        at++
        continue
      }
      const {kind, end} = found
      if (kind === 'after') {
        marks.fill(NEGATED, reachBefore(reading, clauseStart, at, scope), at)
        marks[end - 1] = CLOSES
      }
      if (kind === 'before') marks[at] = OPENS
      left = kind === 'before' ? scope : 0
      depth = depths[at]
      clauseStart = end
      at = end
    }
    return marks
  }
}

/**
 * Whether the tokens from `from` up to `to` are a negated mention. One that includes its negating words ("no fever") is
 * not.
 */
export function isNegated(marks: Uint8Array, from: number, to: number): boolean {
  if (marks[from] === OPENS || marks[to - 1] === CLOSES) return false
  for (let at = from; at < to; at++) if (marks[at] === NEGATED) return true
  return false
}

interface FoundRule {
  readonly kind: NegationKind
  /** The word after it. */
  readonly end: number
}

/** The lower-case words of a text, and what is known of them. */
interface Reading {
  readonly words: readonly string[]
  /** The break before each word, and after the last. */
  readonly breaks: Uint8Array
  readonly known: NegationWords
  /** The rule that begins at each word, if one does. */
  readonly rules: readonly (FoundRule | undefined)[]
}

/** The longest rule that begins at a word. No rule crosses a comma, a colon or the end of a sentence. */
function longestRule(
  rules: RuleNode,
  words: readonly string[],
  breaks: Uint8Array,
  start: number
): FoundRule | undefined {
  let longest: FoundRule | undefined
  let node = rules.next.get(words[start])
  for (let end = start + 1; node !== undefined; end++) {
    const isClauseEnd = breaks[end] === COMMA || breaks[end] === SENTENCE_END
    const kind = (isClauseEnd ? node.kindAtEnd : undefined) ?? node.kind
    if (kind !== undefined) longest = {kind, end}
    node = breaks[end] === JOINED ? node.next.get(words[end]) : undefined
  }
  return longest
}

/** How many words an open negation reaches from this one on: reset at each item of its list, 0 where it ends. */
function reachAt(reading: Reading, isBeforeOr: Uint8Array, at: number, left: number, scope: number): number {
  const {words, breaks, known} = reading
  const word = words[at]
  if (known.or.has(word)) return scope
  const isComma = breaks[at] === COMMA
  if (!isComma && !known.and.has(word)) return left
  if (beginsClause(reading, at)) return 0
  if (!isComma) return scope
  if (known.listEndings.has(words[at - 1])) return 0
  const continuesList = isBeforeOr[at] === 1 || (!endsList(reading, at) && isShortItem(reading, at))
  return continuesList ? scope : 0
}

/** Whether "or" follows each word in its clause, before a rule and another verb. */
function findOr({words, breaks, known, rules}: Reading): Uint8Array {
  const isBeforeOr = new Uint8Array(words.length + 1)
  for (let at = words.length - 1; at >= 0; at--) {
    const isEnd = rules[at] !== undefined || known.clauseVerbs.has(words[at]) || breaks[at + 1] === SENTENCE_END
    isBeforeOr[at] = known.or.has(words[at]) || (!isEnd && isBeforeOr[at + 1] === 1) ? 1 : 0
  }
  return isBeforeOr
}

/** Whether the item before a comma is the last of its list: "chills or cough". */
function endsList({words, breaks, known}: Reading, comma: number): boolean {
  for (let at = comma - 1; at >= 0; at--) {
    if (known.or.has(words[at])) return true
    if (breaks[at] !== JOINED) return false
  }
  return false
}

function isShortItem({words, breaks, known, rules}: Reading, comma: number): boolean {
  let length = 0
  for (let at = known.and.has(words[comma]) ? comma + 1 : comma; at < words.length; at++) {
    if (rules[at] !== undefined || known.and.has(words[at])) break
    if (at > comma && breaks[at] !== JOINED) break
    if (known.details.has(words[at]) || /\p{N}/u.test(words[at])) return false
    if (!known.clauseVerbs.has(words[at]) && !known.listEndings.has(words[at]) && ++length > ITEM_WORDS) return false
  }
  return true
}

/** Words among which a clause shows its verb. */
const CLAUSE_WORDS = 10

/** Whether a verb follows other than that of the list itself ("no edema, effusion or mass is seen"). */
function beginsClause({words, breaks, known}: Reading, start: number): boolean {
  for (let at = start; at < start + CLAUSE_WORDS && at < words.length; at++) {
    if ((at > start && breaks[at] !== JOINED) || known.or.has(words[at])) return false
    if (known.clauseVerbs.has(words[at]))
      return known.articles.has(words[start]) || !known.listEndings.has(words[at + 1])
  }
  return false
}

/**
 * The first word that a rule at `end` negates backwards, `start` at the earliest. A verb on the way belongs to another
 * clause; then only what follows the last "and" is negated ("the heart is enlarged and pneumonia was ruled out").
 */
function reachBefore({words, breaks, known}: Reading, start: number, end: number, scope: number): number {
  let from = end
  let left = scope
  let lastJoint: number | undefined
  while (from > start && left-- > 0) {
    const word = words[from - 1]
    if (known.clauseVerbs.has(word)) return lastJoint ?? from
    if (known.and.has(word) || known.or.has(word)) {
      lastJoint = from
      left = scope
    }
    from--
    if (breaks[from] === COLON) break
    if (breaks[from] === COMMA) {
      if (lastJoint === undefined) break
      left = scope
    }
  }
  return from
}

/** A line of at least this many characters was broken to fit the page, not to end a sentence. */
const WRAPPED_LINE = 50

const GLUED = /\p{L}{3}\.\p{L}{2}/u
const STOPS = /[!?;。！？；•—]|\s[-–]+\s|--|\n\s*(?:\n|[-*])/u

/**
 * Finds the ends of sentences, commas and colons between tokens. A full stop ends a sentence unless it belongs to an
 * abbreviation or a number; so do other stops, dashes with blanks, blank lines, bullets and the ends of short lines. A
 * token with a full stop inside (`apex.there`) counts as two sentences run together. Cost: linear.
 */
function findClauses(text: string, tokens: readonly PlacedToken[], abbreviations: ReadonlySet<string>) {
  /** The break before each token, and after the last. */
  const breaks = new Uint8Array(tokens.length + 1)
  /** How many brackets are open at each token. */
  const depths = new Uint16Array(tokens.length)
  let depth = 0
  let lineStart = 0
  breaks[0] = SENTENCE_END
  for (let at = 0; at < tokens.length; at++) {
    depths[at] = depth
    const {token, start} = tokens[at]
    const end = start + token.length
    const gap = text.slice(end, at + 1 < tokens.length ? tokens[at + 1].start : text.length)
    if (gap === ' ') {
      if (GLUED.test(token)) breaks[at + 1] = SENTENCE_END
      continue
    }
    const newline = gap.indexOf('\n')
    const isShortLine = newline >= 0 && end - lineStart < WRAPPED_LINE
    if (newline >= 0) lineStart = end + gap.lastIndexOf('\n') + 1
    for (const sign of gap) {
      if (sign === '(' || sign === '[') depth++
      if ((sign === ')' || sign === ']') && depth > 0) depth--
    }
    if (isShortLine || endsSentence(gap, token, abbreviations)) {
      breaks[at + 1] = SENTENCE_END
      depth = 0
    } else if (gap.includes(',')) breaks[at + 1] = COMMA
    else if (gap.includes(':')) breaks[at + 1] = COLON
  }
  breaks[tokens.length] = SENTENCE_END
  return {breaks, depths}
}

function endsSentence(gap: string, token: string, abbreviations: ReadonlySet<string>): boolean {
  if (STOPS.test(gap) || GLUED.test(token)) return true
  if (!gap.includes('.')) return false
  // " .5" begins a number.
  if (!gap.startsWith('.')) return /\.(?!$)/.test(gap)
  return !(abbreviations.has(token.toLowerCase()) || /^\p{L}(?:\.\p{L})+$/u.test(token))
}

/** The rules as a tree of words; walking along the text finds the longest rule. */
interface RuleNode {
  readonly next: Map<string, RuleNode>
  /** The kind of the rule that ends with this word. */
  kind?: NegationKind
  /** Its kind at the end of a clause; takes precedence over `kind`. */
  kindAtEnd?: NegationKind
}

/** Made on demand, once a language: it takes milliseconds, and each reader needs it. */
const made = new Map<NegationLanguage, RuleNode>()

function ruleTree(language: NegationLanguage): RuleNode {
  const root = made.get(language) ?? {next: new Map()}
  if (made.has(language)) return root
  made.set(language, root)
  for (const kind of NEGATION_KINDS)
    for (const rule of rulesOf(language, kind))
      for (const words of spellOut(rule.replace(/\.$/, ''))) {
        let node: RuleNode = root
        for (const word of words) {
          const next: RuleNode = node.next.get(word) ?? {next: new Map()}
          node.next.set(word, next)
          node = next
        }
        node[rule.endsWith('.') ? 'kindAtEnd' : 'kind'] = kind
      }
  return root
}

export function rulesOf(language: NegationLanguage, kind: NegationKind): string[] {
  return NEGATION_WORDS[language][kind].split(';').map(rule => rule.trim())
}

/** Every sequence of words that a rule covers: four for "(is|was) [now] gone". */
export function spellOut(rule: string): string[][] {
  let spelled: string[][] = [[]]
  for (const [part] of rule.matchAll(/\([^)]*\)|\[[^\]]*\]|[^\s()[\]]+/g)) {
    const isGroup = part.startsWith('(') || part.startsWith('[')
    const choices = isGroup ? part.slice(1, -1).split('|') : [part]
    if (part.startsWith('[')) choices.push('')
    spelled = spelled.flatMap(words =>
      choices.map(choice => [...words, ...choice.split(/\s+/).filter(word => word !== '')])
    )
  }
  return spelled
}
