import {
  type FeatureReader,
  type FeatureRole,
  type LexiconBuilder,
  readVote,
  type TextOptions,
  valueFieldNames
} from '../data/index.ts'

/**
 * Numbers the roles of ready-made features, from 0; features with the same role share a number, so that a database groups
 * documents no finer than needed. Which anchors fire when several roles meet is decided here, as for documents.
 */
export class FeatureRoles {
  readonly reader: FeatureReader
  readonly #roles: FeatureRole[] = []
  readonly #numbers = new Map<string, number>()

  constructor(reader: FeatureReader) {
    this.reader = reader
  }

  get count(): number {
    return this.#roles.length
  }

  find(name: string): {readonly number: number; readonly isTaken: boolean} | undefined {
    const role = this.reader.featureRole(name)
    if (role === undefined) return undefined
    const key = `${role.members};${role.vetoes}`
    const number = this.#numbers.get(key) ?? this.#roles.push(role) - 1
    this.#numbers.set(key, number)
    return {number, isTaken: role.isTaken}
  }

  /** The anchor features that fire in documents with the roles of these numbers. */
  membersOf(numbers: readonly number[]): number[] {
    return this.reader.firedMembers(numbers.map(number => this.#roles[number]))
  }
}

/** Documents in which the same anchor features fire. */
export interface FiringPattern {
  readonly members: readonly number[]
  readonly documents: number
}

/** In how many documents each anchor feature, and each concept's anchor, fires. */
export function anchorHits(
  patterns: Iterable<FiringPattern>,
  memberConcepts: readonly number[],
  conceptCount: number
): {memberHits: number[]; conceptHits: number[]} {
  const memberHits = memberConcepts.map(() => 0)
  const conceptHits = Array.from({length: conceptCount}, () => 0)
  for (const {members, documents} of patterns) {
    for (const member of members) memberHits[member] += documents
    for (const concept of new Set(members.map(member => memberConcepts[member]))) conceptHits[concept] += documents
  }
  return {memberHits, conceptHits}
}

/** A feature that may become a word; without a name when its bytes, in hexadecimal digits, are not text. */
interface Candidate {
  readonly name: string | undefined
  readonly documents: number
  readonly hex?: string
}

/** Candidates, those in fewer than `least` documents dropped. Ties may be many: the next pruning waits until they double. */
interface Place {
  kept: Candidate[]
  least: number
  pruneAt: number
}

/**
 * The candidates for a vocabulary: in each place (`features`, and each category, number and list) as many as the
 * vocabulary takes, and all that are as common as the last of them. Memory does not grow with the number of features,
 * but for ties.
 */
export class CommonWords {
  readonly #text: TextOptions
  readonly #reader: FeatureReader
  readonly #prefixes: readonly string[]
  readonly #places: Place[]
  documents: number

  constructor({options: {text}}: LexiconBuilder, reader: FeatureReader, documents = 0) {
    this.#text = text
    this.#reader = reader
    this.#prefixes = valueFieldNames(text).map(name => `${name}:`)
    const placeCount = text.fields.length + 1 + this.#prefixes.length
    this.#places = Array.from({length: placeCount}, () => ({kept: [], least: 0, pruneAt: 4 * text.vocabulary + 1000}))
    this.documents = documents
  }

  add(candidate: Candidate): void {
    const {name, documents} = candidate
    const {fields, maxShare} = this.#text
    const value = this.#prefixes.findIndex(prefix => name?.startsWith(prefix))
    const place = this.#places[fields.length + 1 + value]
    const isWord = value < 0 && readVote(name ?? '') === undefined
    const isCommon = isWord ? documents / this.documents > maxShare : documents === this.documents
    if (documents < place.least || isCommon) return
    if (name !== undefined && this.#reader.isAnchor(fields.length, name)) return
    place.kept.push(candidate)
    if (place.kept.length >= place.pruneAt) this.#prune(place)
  }

  /** Whether features that come in descending order of frequency may end at this one. */
  isEnough({documents}: {readonly documents: number}): boolean {
    const {fields, vocabulary} = this.#text
    const {kept} = this.#places[fields.length]
    return kept.length >= vocabulary && documents < kept[vocabulary - 1].documents
  }

  /** The candidates of each place; one without a name is refused. */
  finish(refusal?: (hex: string) => Error): {tokens: string[]; counts: Float64Array}[] {
    return this.#places.map(place => {
      this.#prune(place)
      const tokens = place.kept.map(({name, hex = ''}) => {
        if (name === undefined) throw refusal?.(hex)
        return name
      })
      return {tokens, counts: Float64Array.from(place.kept, ({documents}) => documents)}
    })
  }

  #prune(place: Place): void {
    const {vocabulary} = this.#text
    if (place.kept.length <= vocabulary) return
    const ranked = Float64Array.from(place.kept, ({documents}) => documents).sort()
    place.least = ranked[ranked.length - vocabulary]
    place.kept = place.kept.filter(({documents}) => documents >= place.least)
    place.pruneAt = Math.max(place.pruneAt, 2 * place.kept.length)
  }
}
