import {conceptSetNumber} from './concept-sets.ts'
import type {Block, DocumentGroup, PatternTable} from './pattern-table.ts'

/** A variable: concept i, or word j as m + j. */
export type Feature = number

/** By how much numbers change, by their places; those that do not change are left out. */
export type Effect = ReadonlyMap<number, number>

/** Change one document of a group: it gains or loses a feature, and within a block loses or gains another for it. */
interface Change {
  readonly group: DocumentGroup
  readonly gains: Feature | undefined
  readonly loses: Feature | undefined
}

/** Changes of documents from different groups, and which words their documents must have or lack. */
export interface Move {
  readonly changes: readonly Change[]
  /** A word that the documents of these groups have; all others lack it where they can. */
  readonly word?: number | undefined
  readonly withWord?: readonly DocumentGroup[]
}

interface SomeDocument {
  readonly concepts: readonly number[]
  readonly words: ReadonlySet<number>
}

/** The effect of moves on the numbers of a release. */
export class Moves {
  readonly #table: PatternTable
  readonly #concepts: number
  readonly #maxOrder: number
  readonly #sets: number
  readonly #blockOf: ReadonlyMap<Feature, Block>

  constructor(table: PatternTable, {concepts, maxOrder, sets}: {concepts: number; maxOrder: number; sets: number}) {
    this.#table = table
    this.#concepts = concepts
    this.#maxOrder = maxOrder
    this.#sets = sets
    const features = ({words, none, anchors}: Block) => [...anchors, ...[...words, none].map(j => concepts + j)]
    this.#blockOf = new Map(table.blocks.flatMap(block => features(block).map(feature => [feature, block] as const)))
  }

  isWord(feature: Feature): boolean {
    return feature >= this.#concepts
  }

  /** What a document may have instead of a feature. */
  partners(feature: Feature): (Feature | undefined)[] {
    const block = this.#blockOf.get(feature)
    if (block === undefined) return [undefined]
    if (block.isComplete && feature === this.#concepts + block.none) return []
    const words = block.isComplete ? block.words : [block.none, ...block.words]
    return [...words.map(j => this.#concepts + j), ...block.anchors].filter(other => other !== feature)
  }

  /** A document of the group with these concepts that gains, or loses, a feature for its partner; undefined without one. */
  change(concepts: readonly number[], gains: Feature | undefined, loses: Feature | undefined): Change | undefined {
    const group = this.#table.byConcepts.get(concepts.join())
    if (group === undefined) return undefined
    if (loses !== undefined) return this.#has(group, loses) ? {group, gains, loses} : undefined
    if (gains === undefined) return undefined
    const canGain = this.isWord(gains)
      ? group.documents > (group.words.get(gains - this.#concepts) ?? 0)
      : !group.concepts.includes(gains)
    return canGain ? {group, gains, loses} : undefined
  }

  #has(group: DocumentGroup, feature: Feature): boolean {
    return this.isWord(feature) ? group.words.has(feature - this.#concepts) : group.concepts.includes(feature)
  }

  /** By how much each number changes; undefined if no documents can move so. */
  effect({changes, word, withWord = []}: Move): Effect | undefined {
    const touched = new Set(
      changes.flatMap(({gains, loses}) => [gains, loses]).flatMap(feature => this.#blockOf.get(feature ?? -1) ?? [])
    )
    // The exchange itself decides which value of its block a document has.
    const wordBlock = word === undefined ? undefined : this.#blockOf.get(this.#concepts + word)
    const isMoved = wordBlock !== undefined && touched.has(wordBlock)
    if (!isMoved && withWord.some(group => word !== undefined && !group.words.has(word))) return undefined
    const movesAnchors = changes.some(({gains, loses}) => [gains, loses].some(f => f !== undefined && !this.isWord(f)))
    const shared = movesAnchors ? this.#sharedWords(changes, touched) : changes.map(() => new Set<number>())
    const effect = new Map<number, number>()
    for (const [at, {group, gains, loses}] of changes.entries()) {
      const words = shared[at]
      if (movesAnchors && word !== undefined && !isMoved) this.#place(word, group, words, withWord.includes(group))
      this.#count(effect, exchanged({concepts: group.concepts, words}, {gains: loses}, this.#concepts), -1)
      this.#count(effect, exchanged({concepts: group.concepts, words}, {gains, loses}, this.#concepts), 1)
    }
    for (const [number, change] of effect) if (change === 0) effect.delete(number)
    return effect
  }

  /** Let a document of the group have the word, or lack it if it can. */
  #place(word: number, group: DocumentGroup, words: Set<number>, has: boolean): void {
    const block = this.#blockOf.get(this.#concepts + word)
    const rivals = block === undefined ? [] : [block.none, ...block.words].filter(j => j !== word)
    if (has) {
      for (const rival of rivals) words.delete(rival)
      words.add(word)
    } else if (words.has(word) && (group.words.get(word) ?? 0) < group.documents) {
      words.delete(word)
      const rival = rivals.find(j => group.words.has(j))
      if (rival !== undefined) words.add(rival)
    }
  }

  /** Words of the moved documents: those that all documents of a group have, and a value per block; alike where possible. */
  #sharedWords(changes: readonly Change[], touched: ReadonlySet<Block>): Set<number>[] {
    const words = changes.map(() => new Set<number>())
    const groups = changes.map(({group}) => group)
    for (const group of groups)
      for (const [j, documents] of group.words)
        if (documents === group.documents && !this.#blockOf.has(this.#concepts + j))
          for (const [at, other] of groups.entries()) if (other.words.has(j)) words[at].add(j)
    for (const block of this.#table.blocks) {
      if (touched.has(block)) continue
      const values = [block.none, ...block.words]
      const valued = groups.filter(group => values.some(j => group.words.has(j)))
      const common = values.find(j => valued.every(group => group.words.has(j)))
      for (const [at, group] of groups.entries()) {
        const value = common !== undefined && group.words.has(common) ? common : values.find(j => group.words.has(j))
        if (value !== undefined) words[at].add(value)
      }
    }
    return words
  }

  #count(effect: Map<number, number>, {concepts, words}: SomeDocument, sign: number): void {
    const add = (number: number) => effect.set(number, (effect.get(number) ?? 0) + sign)
    const visit = (set: readonly number[], next: number): void => {
      const at = conceptSetNumber(this.#concepts, set)
      add(at)
      if (set.length < this.#maxOrder) {
        for (const j of words) add(this.#sets + at * this.#table.words + j)
        for (let place = next; place < concepts.length; place++) visit([...set, concepts[place]], place + 1)
      }
    }
    visit([], 0)
  }

  /** One document rewritten so that it has some features and lacks others. */
  rewrite(group: DocumentGroup, {has, lacks}: {has: readonly Feature[]; lacks: readonly Feature[]}): Effect {
    const [words] = this.#sharedWords([{group, gains: undefined, loses: undefined}], new Set())
    let next: SomeDocument = {concepts: group.concepts, words}
    const isIn = (feature: Feature) =>
      this.isWord(feature) ? next.words.has(feature - this.#concepts) : next.concepts.includes(feature)
    const effect = new Map<number, number>()
    this.#count(effect, next, -1)
    for (const loses of lacks)
      if (isIn(loses))
        next = exchanged(
          next,
          {gains: this.partners(loses).find(f => f !== undefined && !lacks.includes(f)), loses},
          this.#concepts
        )
    for (const gains of has) {
      const loses = this.partners(gains).find(rival => rival !== undefined && isIn(rival))
      next = exchanged(next, {gains, loses}, this.#concepts)
    }
    this.#count(effect, next, 1)
    for (const [number, change] of effect) if (change === 0) effect.delete(number)
    return effect
  }
}

function exchanged(
  {concepts, words}: SomeDocument,
  {gains, loses}: {gains?: Feature | undefined; loses?: Feature | undefined},
  m: number
): SomeDocument {
  const kept = new Set(words)
  let fired = [...concepts]
  if (loses !== undefined && loses >= m) kept.delete(loses - m)
  else if (loses !== undefined) fired = fired.filter(i => i !== loses)
  if (gains !== undefined && gains >= m) kept.add(gains - m)
  else if (gains !== undefined && !fired.includes(gains)) fired = [...fired, gains].sort((a, b) => a - b)
  return {concepts: fired, words: kept}
}
