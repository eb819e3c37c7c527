import type {AnchorIndex} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import type {FeatureHits, StoredDocuments} from './feature-hits.ts'
import {readFeatureName} from './feature-name.ts'
import {NumberedReader} from './numbered-reader.ts'
import {union} from './token-store.ts'

/** How the tokens of a document differ from those of the store. */
interface Change {
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/** The documents that have, or lack, a token because of a change; ascending. */
interface Changed {
  readonly added: number[]
  readonly removed: number[]
}

/**
 * The tokens of documents as anchors let them be read: phrases join words, and a regular expression of a member takes away
 * what it matches. A document is read again when one of those that occur in it comes, goes, or changes between member and
 * veto. Words of one token change nothing.
 */
export class AnchoredTokens {
  readonly #of: StoredDocuments
  readonly #hits: FeatureHits
  /** What changes tokens now, with the documents that it may change. */
  #touched: ReadonlyMap<string, Uint32Array> = new Map()
  readonly #changes = new Map<number, Change>()
  #changed: ReadonlyMap<number, Changed> = new Map()

  constructor(documents: StoredDocuments, hits: FeatureHits) {
    this.#of = documents
    this.#hits = hits
  }

  /** Read by these anchors and phrases, of which `index` is made. */
  read(anchors: Anchors, phrases: readonly string[], index: AnchorIndex): void {
    const {rows, store, reading} = this.#of
    const touched = this.#touch(anchors, index)
    const differing = [...difference(this.#touched, touched), ...difference(touched, this.#touched)]
    this.#touched = touched
    if (differing.length === 0) return
    const isTouched = new Uint8Array(store.documentCount)
    for (const documents of touched.values()) for (const d of documents) isTouched[d] = 1
    const reader = new NumberedReader(anchors, phrases, reading, {table: store.table})
    for (const d of union(differing)) {
      this.#changes.delete(d)
      if (isTouched[d] === 0) continue
      const before = store.tokensOf(d)
      reader.read(rows[d])
      const after = new Set(reader.tokens.values.subarray(0, reader.tokens.length))
      const added = [...after].filter(id => !before.has(id))
      const removed = [...before].filter(id => !after.has(id))
      if (added.length > 0 || removed.length > 0) this.#changes.set(d, {added, removed})
    }
    this.#changed = byToken(this.#changes)
  }

  /** In how many documents a token occurs. */
  frequency(id: number): number {
    const {added = [], removed = []} = this.#changed.get(id) ?? {}
    return this.#of.store.documentsOf(id).length + added.length - removed.length
  }

  documentsOf(id: number): Uint32Array {
    const before = this.#of.store.documentsOf(id)
    const changed = this.#changed.get(id)
    if (changed === undefined) return before
    const {added, removed} = changed
    let next = 0
    const kept = before.filter(d => {
      while (removed[next] < d) next++
      return removed[next] !== d
    })
    return added.length === 0 ? kept : union([kept, added])
  }

  #touch(anchors: Anchors, {phrases}: AnchorIndex): Map<string, Uint32Array> {
    const touched = new Map<string, Uint32Array>()
    for (const [words, token] of phrases.tokens) {
      const key = JSON.stringify([words, token])
      touched.set(key, this.#touched.get(key) ?? this.#hits.withPhrase(words.split(' ')))
    }
    for (const {any} of anchors)
      for (const feature of any) {
        const {pattern} = readFeatureName(feature, this.#of.reading)
        if (pattern !== undefined) touched.set(`expression ${feature}`, this.#hits.find(feature))
      }
    return touched
  }
}

/** The documents of what `a` has and `b` has not. */
function difference(a: ReadonlyMap<string, Uint32Array>, b: ReadonlyMap<string, Uint32Array>): Uint32Array[] {
  return [...a].filter(([key]) => !b.has(key)).map(([, documents]) => documents)
}

function byToken(changes: ReadonlyMap<number, Change>): Map<number, Changed> {
  const changed = new Map<number, Changed>()
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
