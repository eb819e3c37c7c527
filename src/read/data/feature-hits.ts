import {indexAnchors} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {type FeatureName, readFeatureName} from './feature-name.ts'
import type {TextOptions} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import type {Row} from './row.ts'
import {type TokenStore, union} from './token-store.ts'
import {straightQuotes} from './tokenize.ts'

/** Documents whose tokens are known, and how they are read besides anchors. */
export interface StoredDocuments {
  readonly rows: readonly Row[]
  readonly store: TokenStore
  readonly reading: TextOptions
  /** Those read as one word, whatever the anchors. */
  readonly phrases: readonly string[]
  /** The documents that pass the filter, ascending. */
  readonly numbers: Uint32Array
}

/** Steps of a scan between which the caller may pause. */
const STEP = 256
/** The most expressions whose documents are remembered, besides those of anchors. */
const REMEMBERED = 50

/** Finds the documents in which a feature fires as the only member of all anchors. */
export class FeatureHits {
  readonly #of: StoredDocuments
  /** By name of a regular expression, the latest last. */
  readonly #known = new Map<string, Uint32Array>()

  constructor(documents: StoredDocuments) {
    this.#of = documents
  }

  /** The documents, ascending. Words and phrases are found at once; an expression yields now and then how many it has read. */
  *scan(feature: string): Generator<number, Uint32Array> {
    const name = readFeatureName(feature, this.#of.reading)
    if (name.pattern === undefined) return this.#named(feature, name)
    const known = this.#known.get(feature) ?? (yield* this.#matching(feature, name))
    this.#known.delete(feature)
    this.#known.set(feature, known)
    return known
  }

  find(feature: string): Uint32Array {
    const steps = this.scan(feature)
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
  }

  /** Forget expressions that were asked for long ago and are not among these. */
  forget(used: ReadonlySet<string>): void {
    const unused = [...this.#known.keys()].filter(feature => !used.has(feature))
    for (const feature of unused.slice(0, -REMEMBERED)) this.#known.delete(feature)
  }

  /** The documents where these words stand in sequence in any text field, negated or not. */
  withPhrase(parts: readonly string[]): Uint32Array {
    const {store, reading} = this.#of
    const lists = reading.text.map((_, field) => {
      const found: number[] = []
      store.eachPhrase(field, parts, d => {
        if (found.at(-1) !== d) found.push(d)
      })
      return found
    })
    return union(lists)
  }

  #named(feature: string, name: FeatureName): Uint32Array {
    const {store, reading, phrases} = this.#of
    const lists: ArrayLike<number>[] = []
    indexAnchors(only(feature), phrases, reading).roles.forEach((roles, field) => {
      for (const [token, {members}] of roles) {
        const id = members.length > 0 ? store.table.find(field, token) : undefined
        if (id !== undefined) lists.push(store.documentsOf(id))
      }
    })
    if (name.parts.length < 2)
      return phrases.length === 0 ? union(lists) : union(lists).filter(this.#reading(feature, phrases))
    if (phrases.length > 0)
      return union([...lists, this.withPhrase(name.parts)]).filter(this.#reading(feature, phrases))
    reading.text.forEach((_, field) => {
      if (name.field === undefined || name.field === field) lists.push(this.#mentions(feature, name, field))
    })
    return union(lists)
  }

  /** The documents that mention a phrase in a field, in the sense asked for: negated, or not. */
  #mentions(feature: string, {parts, negated}: FeatureName, field: number): number[] {
    const {store} = this.#of
    const found: number[] = []
    let fires: ((d: number) => boolean) | undefined
    store.eachPhrase(field, parts, (d, from, to) => {
      if (found.at(-1) === d) return
      const count = store.negatedAmong(from, to)
      // Where only some words are negated, it depends on the words around.
      if (count > 0 && count < to - from) {
        fires ??= this.#reading(feature, [])
        if (fires(d)) found.push(d)
      } else if (count > 0 === negated) found.push(d)
    })
    return found
  }

  /** Tells by reading a document whether the feature fires in it. */
  #reading(feature: string, phrases: readonly string[]): (d: number) => boolean {
    const {rows, reading} = this.#of
    const reader = new NumberedReader(only(feature), phrases, reading)
    return d => reader.read(rows[d]).length > 0
  }

  *#matching(feature: string, {pattern, field}: FeatureName): Generator<number, Uint32Array> {
    const {rows, store, reading, numbers} = this.#of
    const {featureRole} = indexAnchors(only(feature), [], reading)
    const fires = this.#reading(feature, [])
    const names = reading.text.filter((_, at) => field === undefined || field === at)
    const isSeen = (row: Row) =>
      names.some(name => {
        const content = row.text.get(name) ?? ''
        const plain = straightQuotes(reading.keepCase ? content : content.toLowerCase())
        return plain !== '' && (pattern?.spans(plain) ?? []).length > 0
      })
    const ready: Uint32Array[] = []
    for (let id = 0; id < store.table.size; id++)
      if (store.table.field(id) === reading.text.length && featureRole(store.table.name(id))?.isTaken)
        ready.push(store.documentsOf(id))
    const found: number[] = []
    for (let at = 0; at < numbers.length && names.length > 0; at++) {
      if (at % STEP === 0) yield at
      const d = numbers[at]
      if (isSeen(rows[d]) && (!reading.negation || fires(d))) found.push(d)
    }
    return union([...ready, found])
  }
}

function only(feature: string): Anchors {
  return [{concept: feature, any: [feature], not: [], rates: undefined}]
}
