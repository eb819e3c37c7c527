import {type AnchorIndex, isMember, type PatternRole} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import type {TextOptions} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import type {Row} from './row.ts'
import {memberOf, type TokenStore, union} from './token-store.ts'
import {straightQuotes} from './tokenize.ts'

/** The tokens that anchors add to a document and remove from it, or the documents of a token. */
interface Change {
  readonly added: number[]
  readonly removed: number[]
}

/** Steps of a scan between which the caller may pause. */
const STEP = 256

/**
 * Finds the documents in which a feature fires as the only member of all anchors, and those with a token as all anchors let
 * them be read: phrases join words, and a regular expression of a member takes away what it matches. Documents where a
 * phrase or an expression may occur are read; words of one token are looked up.
 */
export class FeatureHits {
  readonly #rows: readonly Row[]
  readonly #store: TokenStore
  readonly #reading: TextOptions
  /** What was found, by name of a phrase or a regular expression. */
  readonly #known = new Map<string, Uint32Array>()
  /** What changes tokens now, with the documents that it may change. */
  #touched: ReadonlyMap<string, Uint32Array> = new Map()
  readonly #changes = new Map<number, Change>()
  #changedTokens: ReadonlyMap<number, Change> = new Map()

  /** `store` has the tokens of the rows. */
  constructor(rows: readonly Row[], store: TokenStore, reading: TextOptions) {
    this.#rows = rows
    this.#store = store
    this.#reading = reading
  }

  /** The documents in which a feature fires alone, ascending. Phrases and expressions yield now and then how many they have read. */
  *scan(feature: string): Generator<number, Uint32Array> {
    const anchors = [{concept: feature, any: [feature], not: [], rates: undefined}]
    const reader = new NumberedReader(anchors, [], this.#reading)
    const {roles, patterns, phrases} = reader.index
    const lists = roles.flatMap((byToken, field) =>
      [...byToken.keys()].flatMap(token => {
        const id = this.#store.table.find(field, token)
        return id === undefined ? [] : [this.#store.documentsOf(id)]
      })
    )
    if (patterns.length === 0 && phrases.tokens.size === 0) return union(lists)
    for (const words of phrases.tokens.keys()) lists.push(this.#store.withWords(words.split(' ')))
    const found = this.#known.get(feature) ?? (yield* this.#firing(reader, union(lists)))
    this.#known.set(feature, found)
    return found
  }

  find(feature: string): Uint32Array {
    const steps = this.scan(feature)
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
  }

  /** Read by these anchors from now on; documents that a change of theirs does not touch stay as they are. */
  readBy(anchors: Anchors, index: AnchorIndex): void {
    const store = this.#store
    const touched = this.#touch(index)
    const differing = [...difference(this.#touched, touched), ...difference(touched, this.#touched)]
    this.#touched = touched
    if (differing.length === 0) return
    const isTouched = new Uint8Array(this.#rows.length)
    for (const documents of touched.values()) for (const d of documents) isTouched[d] = 1
    const reader = new NumberedReader(anchors, [], this.#reading, store.table)
    for (const d of union(differing)) {
      this.#changes.delete(d)
      if (isTouched[d] === 0) continue
      reader.read(this.#rows[d])
      const before = new Set(store.tokensOf(d))
      const after = new Set(reader.tokens.values.subarray(0, reader.tokens.length))
      const added = [...after].filter(id => !before.has(id))
      const removed = [...before].filter(id => !after.has(id))
      if (added.length > 0 || removed.length > 0) this.#changes.set(d, {added, removed})
    }
    this.#changedTokens = byToken(this.#changes)
  }

  /** In how many documents a token occurs. */
  frequency(id: number): number {
    const {added = [], removed = []} = this.#changedTokens.get(id) ?? {}
    return this.#store.documentsOf(id).length + added.length - removed.length
  }

  documentsOf(id: number): Uint32Array {
    const before = this.#store.documentsOf(id)
    const {added = [], removed = []} = this.#changedTokens.get(id) ?? {}
    const isRemoved = memberOf(removed)
    return union([removed.length === 0 ? before : before.filter(d => !isRemoved(d)), added])
  }

  /** Forgets phrases and expressions that are not among these. */
  keep(used: ReadonlySet<string>): void {
    for (const feature of this.#known.keys()) if (!used.has(feature)) this.#known.delete(feature)
  }

  /** Reads the candidates or, for an expression, all documents where it matches. */
  *#firing(reader: NumberedReader, candidates: Uint32Array): Generator<number, Uint32Array> {
    const [pattern] = reader.index.patterns
    const matches = pattern && this.#createMatcher(reader.index, pattern)
    const count = pattern === undefined ? candidates.length : this.#rows.length
    const found: number[] = []
    for (let at = 0; at < count; at++) {
      if (at % STEP === 0) yield at
      const d = pattern === undefined ? candidates[at] : at
      if (matches?.(d) !== false && reader.read(this.#rows[d]).length > 0) found.push(d)
    }
    return Uint32Array.from(found)
  }

  /** Tells whether an expression matches the text of a document, negated or not, or one of its features: faster than reading. */
  #createMatcher({featureRole}: AnchorIndex, {pattern, field}: PatternRole): (d: number) => boolean {
    const [store, reading] = [this.#store, this.#reading]
    const names = reading.text.filter((_, at) => field === undefined || field === at)
    const isReady = new Uint8Array(this.#rows.length)
    for (let id = 0; id < store.table.size; id++)
      if (store.table.field(id) === reading.text.length && featureRole(store.table.name(id))?.isTaken)
        for (const d of store.documentsOf(id)) isReady[d] = 1
    return d =>
      isReady[d] === 1 ||
      names.some(name => {
        const content = this.#rows[d].text.get(name) ?? ''
        return pattern.spans(straightQuotes(reading.keepCase ? content : content.toLowerCase())).length > 0
      })
  }

  #touch({phrases, patterns}: AnchorIndex): Map<string, Uint32Array> {
    const touched = new Map<string, Uint32Array>()
    for (const [words, token] of phrases.tokens) {
      const key = JSON.stringify([words, token])
      touched.set(key, this.#touched.get(key) ?? this.#store.withWords(words.split(' ')))
    }
    for (const role of patterns) if (isMember(role)) touched.set(role.feature, this.find(role.feature))
    return touched
  }
}

/** The documents of what `a` has and `b` has not. */
function difference(a: ReadonlyMap<string, Uint32Array>, b: ReadonlyMap<string, Uint32Array>): Uint32Array[] {
  return [...a].filter(([key]) => !b.has(key)).map(([, documents]) => documents)
}

/** From tokens by document to documents by token, ascending. */
function byToken(changes: ReadonlyMap<number, Change>): Map<number, Change> {
  const changed = new Map<number, Change>()
  const of = (id: number) => {
    const known = changed.get(id) ?? {added: [], removed: []}
    changed.set(id, known)
    return known
  }
  for (const [d, {added, removed}] of [...changes].sort(([a], [b]) => a - b)) {
    for (const id of added) of(id).added.push(d)
    for (const id of removed) of(id).removed.push(d)
  }
  return changed
}
