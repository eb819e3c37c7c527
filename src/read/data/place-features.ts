import {indexAnchors, isMember, type Role} from './anchor-index.ts'
import {wordsByField} from './encoder.ts'
import {NEGATED_PREFIX, readVote, VOTES} from './feature-name.ts'
import {createFieldScanner, type FieldScan, negatedName, touchedTokens} from './field-scanner.ts'
import {featureName} from './learn-lexicon.ts'
import type {Lexicon} from './lexicon.ts'
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
  /** The members that it fires, numbered through all concepts, and the names of their concepts. */
  readonly members?: readonly number[]
  readonly concepts?: readonly string[]
  readonly word?: number
}

/** A stretch of a field; one that is a feature has what it became, before it is known which members are vetoed. */
interface Piece {
  readonly text: string
  readonly found?: Found
}

interface Found {
  readonly name: string
  readonly isNegated: boolean
  readonly roles: readonly Role[]
  readonly word: number | undefined
}

/** Tells where the features of rows are in them: the words and members of all spans of a row are its evidence. */
export function createFeaturePlacer(lexicon: Lexicon): (row: Row) => PlacedField[] {
  const {anchors, reading} = lexicon
  const index = indexAnchors(anchors, lexicon.phrases, reading)
  const scan = createFieldScanner(index.patterns, reading)
  const words = wordsByField(lexicon)
  const {valueNames} = fieldsOf(reading)

  /** Words and phrases of a text that no expression takes away. */
  const wordsOf = ({tokens, marks, outside}: FieldScan, field: number): (Found & Span)[] => {
    const found: (Found & Span)[] = []
    mergePhrases(outside, index.phrases, (token, from, to) => {
      const name = marks === undefined ? token : negatedName(marks)(token, from, to)
      const role = index.roles[field].get(name)
      if (name !== '')
        found.push({
          start: tokens[from].start,
          end: endOf(tokens[to - 1]),
          name: featureName(field, name, reading.text),
          isNegated: name.startsWith(NEGATED_PREFIX),
          roles: role ? [role] : [],
          word: words[field].get(name)
        })
      return name
    })
    return found
  }

  const textPieces = (content: string, field: number, present: Role[]): Piece[] => {
    const read = scan(reading.keepCase ? content : content.toLowerCase(), field)
    for (const {role} of read.matches) present.push(role)
    return cut(content, reading.keepCase, [...matchesOf(read), ...wordsOf(read, field)])
  }

  const readyMade = (name: string): Found => {
    const role = index.featureRole(name)
    const word = role?.isTaken ? undefined : words[reading.text.length].get(name)
    return {name, isNegated: false, roles: role ? [role] : [], word}
  }

  /** Ready-made features by field, in the order in which these first occur; shown without the name of their field. */
  const readyPieces = (features: readonly string[]): Map<string, Piece[]> => {
    const fields = new Map<string, Piece[]>()
    for (const name of features) {
      const field = valueNames.find(each => name.startsWith(`${each}:`)) ?? (readVote(name) ? VOTES : 'features')
      const pieces = fields.get(field) ?? []
      fields.set(field, pieces)
      pieces.push({text: field === 'features' ? name : name.slice(field.length + 1), found: readyMade(name)})
    }
    return fields
  }

  const spanOf = ({text, found}: Piece, fired: ReadonlySet<number>): FeatureSpan => {
    if (found === undefined) return {text, kind: 'plain'}
    const members = [...new Set(found.roles.flatMap(role => role.members))].filter(member => fired.has(member))
    const concepts = [...new Set(members.map(member => anchors[index.memberConcepts[member]].concept))]
    const {name: feature, word} = found
    return {
      text,
      kind: members.length > 0 ? 'anchor' : word === undefined ? 'dropped' : 'word',
      feature,
      ...(found.isNegated && {isNegated: true}),
      ...(members.length > 0 && {members, concepts}),
      ...(word !== undefined && {word})
    }
  }

  return row => {
    const present: Role[] = []
    const fields = reading.text.flatMap((field, at) => {
      const content = row.text.get(field)
      return content === undefined ? [] : [{field, isText: true, pieces: textPieces(content, at, present)}]
    })
    for (const [field, pieces] of readyPieces(row.features)) fields.push({field, isText: false, pieces})
    for (const {pieces} of fields) for (const {found} of pieces) present.push(...(found?.roles ?? []))
    const fired = new Set(index.firedMembers(present))
    return fields.map(({field, isText, pieces}) => ({field, isText, spans: pieces.map(piece => spanOf(piece, fired))}))
  }
}

/** What expressions of members match, with all of the tokens that they touch; matches that touch or overlap are one. */
function matchesOf({tokens, matches}: FieldScan): (Found & Span)[] {
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
    return {start, end, name: roles[0].feature, isNegated, roles, word: undefined}
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

/** Cut a text at the features found in it, or in its lower-cased form. */
function cut(content: string, keepCase: boolean, found: readonly (Found & Span)[]): Piece[] {
  const place = keepCase ? (at: number) => at : originalPlaces(content)
  const pieces: Piece[] = []
  let end = 0
  for (const feature of found.toSorted((a, b) => a.start - b.start)) {
    const start = place(feature.start)
    if (start > end) pieces.push({text: content.slice(end, start)})
    end = place(feature.end)
    pieces.push({text: content.slice(start, end), found: feature})
  }
  if (end < content.length) pieces.push({text: content.slice(end)})
  return pieces
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
