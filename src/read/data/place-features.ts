import {isMember, type Role} from './anchor-index.ts'
import {NEGATED_PREFIX, readVote, VOTES} from './feature-name.ts'
import {createFieldScanner, type FieldScan, negatedName, touchedTokens} from './field-scanner.ts'
import {featureName} from './learn-lexicon.ts'
import type {Lexicon} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import {mergePhrases} from './phrases.ts'
import type {Row} from './row.ts'
import {fieldsOf} from './row-fields.ts'
import type {PlacedToken, Span} from './tokenize.ts'

export interface PlacedField {
  /** Its name; ready-made features that belong to no other field are in `features`, votes in `votes`. */
  readonly field: string
  /** Whether the spans are the running text, which they give when joined; otherwise each is a feature. */
  readonly isText: boolean
  readonly spans: readonly FeatureSpan[]
}

/** A stretch of a field, and what it became. */
export interface FeatureSpan {
  readonly text: string
  /** Text between words; a member that fires; a word of the vocabulary; a word that is not kept, or a vetoed member. */
  readonly kind: 'plain' | 'anchor' | 'word' | 'dropped'
  readonly isNegated?: true
  /** Its name; for text that a regular expression matches, the expression. */
  readonly feature?: string
  /** The names of the concepts that it anchors. */
  readonly concepts?: readonly string[]
}

/** A feature of a row. */
interface Found {
  readonly name: string
  readonly roles: readonly Role[]
  readonly isWord: boolean
  readonly isNegated?: boolean
}

/** Tells where the features of rows are in them: the words and members of all spans of a row are its evidence. */
export function createFeaturePlacer(lexicon: Lexicon): (row: Row) => PlacedField[] {
  const {anchors, phrases, reading} = lexicon
  const reader = new NumberedReader(anchors, phrases, reading)
  const {index} = reader
  const scan = createFieldScanner(index.patterns, reading)
  const words = new Set(lexicon.words)
  const {valueNames} = fieldsOf(reading)

  /** What expressions of members match in a text, then the words and phrases that no expression takes away. */
  const foundIn = (text: string, field: number): (Found & Span)[] => {
    const {tokens, marks, matches, outside} = scan(text, field)
    const found: (Found & Span)[] = matchesOf(matches, tokens)
    const nameOf = marks && negatedName(marks)
    mergePhrases(outside, index.phrases, (token, from, to) => {
      const name = nameOf?.(token, from, to) ?? token
      const role = index.roles[field].get(name)
      const feature = featureName(field, name, reading.text)
      if (name !== '')
        found.push({
          start: tokens[from].start,
          end: endOf(tokens[to - 1]),
          name: feature,
          isNegated: name.startsWith(NEGATED_PREFIX),
          roles: role ? [role] : [],
          isWord: words.has(feature)
        })
      return name
    })
    return found.sort((a, b) => a.start - b.start)
  }

  return row => {
    const fired = new Set(reader.read(row))

    const spanOf = (text: string, {name: feature, roles, isWord, isNegated = false}: Found): FeatureSpan => {
      const members = roles.flatMap(role => role.members).filter(member => fired.has(member))
      const concepts = [...new Set(members.map(member => anchors[index.memberConcepts[member]].concept))]
      return {
        text,
        kind: members.length > 0 ? 'anchor' : isWord ? 'word' : 'dropped',
        feature,
        ...(isNegated && {isNegated}),
        ...(members.length > 0 && {concepts})
      }
    }

    /** The text, or its lower-cased form, cut at the features found in it. */
    const textSpans = (content: string, field: number): FeatureSpan[] => {
      const {keepCase} = reading
      const place = keepCase ? (at: number) => at : originalPlaces(content)
      const spans: FeatureSpan[] = []
      let end = 0
      for (const found of foundIn(keepCase ? content : content.toLowerCase(), field)) {
        const start = place(found.start)
        if (start > end) spans.push({text: content.slice(end, start), kind: 'plain'})
        end = place(found.end)
        spans.push(spanOf(content.slice(start, end), found))
      }
      if (end < content.length) spans.push({text: content.slice(end), kind: 'plain'})
      return spans
    }

    const fields = reading.text.flatMap((field, at) => {
      const content = row.text.get(field)
      return content === undefined ? [] : [{field, isText: true, spans: textSpans(content, at)}]
    })
    // Ready-made features by field, in the order in which these first occur; shown without the name of their field.
    const ready = new Map<string, FeatureSpan[]>()
    for (const name of row.features) {
      const field = valueNames.find(each => name.startsWith(`${each}:`)) ?? (readVote(name) ? VOTES : 'features')
      const role = index.featureRole(name)
      const span = spanOf(field === 'features' ? name : name.slice(field.length + 1), {
        name,
        roles: role ? [role] : [],
        isWord: role?.isTaken !== true && words.has(name)
      })
      ready.set(field, [...(ready.get(field) ?? []), span])
    }
    return [...fields, ...Array.from(ready, ([field, spans]) => ({field, isText: false, spans}))]
  }
}

/** What expressions of members match, with all of the tokens that they touch; matches that touch or overlap are one. */
function matchesOf(matches: FieldScan['matches'], tokens: readonly PlacedToken[]): (Found & Span)[] {
  const taken = matches
    .filter(({role}) => isMember(role))
    .flatMap(({role, spans}) => spans.map(span => ({roles: [role], ...wholeTokens(span, tokens)})))
    .sort((a, b) => a.start - b.start)
  const apart: typeof taken = []
  for (const {start, end, roles} of taken) {
    const last = apart.at(-1)
    if (last === undefined || start > last.end) apart.push({start, end, roles})
    else apart[apart.length - 1] = {start: last.start, end: Math.max(last.end, end), roles: [...last.roles, ...roles]}
  }
  return apart.map(({start, end, roles}) => {
    const isNegated = roles.some(({negated}) => negated)
    return {start, end, name: roles[0].feature, isNegated, roles, isWord: false}
  })
}

function wholeTokens(span: Span, tokens: readonly PlacedToken[]): Span {
  const {from, to} = touchedTokens(span, tokens)
  if (from === to) return span
  return {start: Math.min(span.start, tokens[from].start), end: Math.max(span.end, endOf(tokens[to - 1]))}
}

function endOf({token, start}: PlacedToken): number {
  return start + token.length
}

/** From places in the lower-cased text to those in the text, which is shorter where it has a dotted capital I. */
function originalPlaces(content: string): (at: number) => number {
  if (content.toLowerCase().length === content.length) return at => at
  const places: number[] = []
  let at = 0
  for (const character of content) {
    for (let k = 0; k < character.toLowerCase().length; k++) places.push(at + k)
    at += character.length
  }
  return lowered => places[lowered] ?? content.length
}
