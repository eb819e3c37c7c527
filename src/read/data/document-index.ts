import {type AnchorIndex, indexAnchors, isMember, type PatternRole, type Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import type {SeenFeature} from './check-anchors.ts'
import {
  type CorpusDocument,
  createLabelReader,
  type Evidence,
  evidenceOf,
  type PackedDocuments,
  wordsByField
} from './encoder.ts'
import {NEGATED_PREFIX} from './feature-name.ts'
import {growingIntegers} from './growing-array.ts'
import {anchorRule, featureName, learnLexicon, type VocabularySum, vocabularyDefaults} from './learn-lexicon.ts'
import {type Lexicon, pickTextOptions, type TextOptions} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import {isCompound, tokenParts} from './phrases.ts'
import {type Labels, type Row, rowKey} from './row.ts'
import {frequenciesByField, type WordSurvey} from './surveys.ts'
import {straightQuotes} from './tokenize.ts'

/** All documents of an index as binary variables, with their labels; later edits of the index leave it as it is. */
export interface EncodedDocuments {
  readonly lexicon: Lexicon
  readonly documents: PackedDocuments
  evidence(d: number): Evidence
  /** Identifies a document when a share is drawn. */
  key(d: number): string
  /** Per concept 1 present, 0 absent, -1 unknown; undefined when nothing is known. */
  labels(d: number): Int8Array | undefined
  /** A document as `encodeCorpus` gives it. */
  corpusDocument(d: number): CorpusDocument
}

/** The tokens that anchors add to a document and remove from it, or the documents of a token. */
interface Change {
  readonly added: number[]
  readonly removed: number[]
}

/** Steps of a scan between which the caller may pause. */
const STEP = 256

/**
 * Documents that are read once, as the numbers of their different tokens, for anchors that change often. Words of one token are
 * looked up. After an edit, only documents that a changed phrase or regular expression may touch are read again: phrases
 * join words, and an expression of a member takes away what it matches. Lexicon and evidence are those of a fresh reading
 * (`learnLexicon`, `encodeCorpus`).
 */
export class DocumentIndex {
  readonly #reading: TextOptions
  readonly #rows: Row[] = []
  readonly #reader: NumberedReader
  readonly #tokens = growingIntegers()
  readonly #starts = growingIntegers()
  /** Undefined until all documents are added. */
  #postings: Lists | undefined
  /** Per text field: tokens of several words (`chest-pain`), by each of these. */
  #compounds: readonly Map<string, number[]>[] = []
  /** What was found, by name of a phrase or a regular expression. */
  readonly #known = new Map<string, Uint32Array>()
  /** What changes tokens now, with the documents that it may change. */
  #touched: ReadonlyMap<string, Uint32Array> = new Map()
  readonly #changes = new Map<number, Change>()
  #changedTokens: ReadonlyMap<number, Change> = new Map()

  constructor(reading: TextOptions) {
    this.#reading = pickTextOptions(reading)
    this.#reader = new NumberedReader([], [], this.#reading)
    this.#starts.push(0)
  }

  add(row: Row): void {
    this.#rows.push(row)
    this.#reader.read(row)
    const {tokens} = this.#reader
    this.#starts.push(this.#tokens.append(tokens.values, 0, tokens.length))
    this.#postings = undefined
  }

  get documentCount(): number {
    return this.#rows.length
  }

  row(d: number): Row {
    return this.#rows[d]
  }

  /**
   * All documents by the anchors that work and the words beside them; `labels`, if given, replace the tags and labels of the
   * rows.
   */
  encode(anchors: Anchors, labels?: Labels): EncodedDocuments {
    this.#seal()
    let members: readonly Uint32Array[] = []
    const survey = ({anchors}: VocabularySum) => {
      const index = indexAnchors(anchors, [], this.#reading)
      this.#readBy(anchors, index)
      members = this.#memberDocuments(index, anchors)
      return this.#survey(anchors, members)
    }
    const rows = this.#rows.slice()
    const options = {...vocabularyDefaults, ...this.#reading, skipBadAnchors: true}
    const lexicon = learnLexicon(rows, anchorRule(anchors), options, survey)
    const used = new Set(anchors.flatMap(({any, not}) => [...any, ...not]))
    for (const feature of this.#known.keys()) if (!used.has(feature)) this.#known.delete(feature)
    const documents = packed(members, this.#wordDocuments(lexicon), rows.length)
    const readLabels = createLabelReader(lexicon.anchors, labels)
    const evidence = evidenceOf({lexicon, documents})
    const key = (d: number) => rowKey(rows[d])
    const labelsOf = (d: number) => readLabels(rows[d])
    const corpusDocument = (d: number) => ({key: key(d), ...evidence(d), labels: labelsOf(d)})
    return {lexicon, documents, evidence, key, labels: labelsOf, corpusDocument}
  }

  /**
   * The documents in which a feature would fire as the only member of all anchors, ascending; in steps, each of which yields
   * how many documents a phrase or an expression has read. What it finds is remembered.
   */
  *scan(feature: string): Generator<number, Uint32Array> {
    this.#seal()
    const anchors = [{concept: feature, any: [feature], not: [], rates: undefined}]
    const reader = new NumberedReader(anchors, [], this.#reading)
    const {roles, patterns, phrases} = reader.index
    const lists = roles.flatMap((byToken, field) =>
      [...byToken.keys()].flatMap(token => {
        const id = this.#reader.table.find(field, token)
        return id === undefined ? [] : [this.#documentsWith(id)]
      })
    )
    if (patterns.length === 0 && phrases.tokens.size === 0) return union(lists)
    for (const words of phrases.tokens.keys()) lists.push(this.#withWords(words.split(' ')))
    const found = this.#known.get(feature) ?? (yield* this.#firing(reader, union(lists)))
    this.#known.set(feature, found)
    return found
  }

  /** Every feature as it is without anchors, with its number of documents. */
  *words(): Generator<SeenFeature> {
    this.#seal()
    const {table} = this.#reader
    for (let id = 0; id < table.size; id++) {
      const documents = this.#documentsWith(id).length
      const name = featureName(table.field(id), table.name(id), this.#reading.text)
      if (documents > 0) yield {name, documents}
    }
  }

  /** Lists the documents of each token, once all have been added; what was found before is forgotten. */
  #seal(): void {
    if (this.#postings !== undefined) return
    this.#postings = inverted(this.#rows.length, d => this.#tokensOf(d), this.#reader.table.size)
    this.#compounds = this.#findCompounds()
    this.#known.clear()
    this.#touched = new Map()
    this.#changes.clear()
    this.#changedTokens = new Map()
  }

  /** Read by these anchors from now on; documents that a change of theirs does not touch stay as they are. */
  #readBy(anchors: Anchors, index: AnchorIndex): void {
    const touched = this.#touch(index)
    const differing = [...difference(this.#touched, touched), ...difference(touched, this.#touched)]
    this.#touched = touched
    if (differing.length === 0) return
    const isTouched = new Uint8Array(this.#rows.length)
    for (const documents of touched.values()) for (const d of documents) isTouched[d] = 1
    const reader = new NumberedReader(anchors, [], this.#reading, this.#reader.table)
    for (const d of union(differing)) {
      this.#changes.delete(d)
      if (isTouched[d] === 0) continue
      reader.read(this.#rows[d])
      const before = new Set(this.#tokensOf(d))
      const after = new Set(reader.tokens.values.subarray(0, reader.tokens.length))
      const added = [...after].filter(id => !before.has(id))
      const removed = [...before].filter(id => !after.has(id))
      if (added.length > 0 || removed.length > 0) this.#changes.set(d, {added, removed})
    }
    this.#changedTokens = byToken(this.#changes)
  }

  /** For each member the documents in which it fires, ascending, without those where its concept is vetoed. */
  #memberDocuments({roles, patterns, memberConcepts}: AnchorIndex, anchors: Anchors): Uint32Array[] {
    const byMember = memberConcepts.map((): Uint32Array[] => [])
    const vetoes = anchors.map((): Uint32Array[] => [])
    const add = ({members, vetoes: vetoed}: Role, documents: Uint32Array) => {
      for (const member of members) byMember[member].push(documents)
      for (const concept of vetoed) vetoes[concept].push(documents)
    }
    roles.forEach((byToken, field) => {
      for (const [token, role] of byToken) {
        const id = this.#reader.table.find(field, token)
        if (id !== undefined) add(role, this.#documentsOf(id))
      }
    })
    for (const role of patterns) add(role, this.#find(role.feature))
    return byMember.map((lists, member) => without(union(lists), union(vetoes[memberConcepts[member]])))
  }

  #survey(anchors: Anchors, members: readonly Uint32Array[]): WordSurvey {
    const {table} = this.#reader
    const frequencies = frequenciesByField(this.#reading, table.size, token => {
      const {added = [], removed = []} = this.#changedTokens.get(token) ?? {}
      const documents = this.#documentsWith(token).length + added.length - removed.length
      return {field: table.field(token), name: table.name(token), documents}
    })
    let member = 0
    const conceptHits = anchors.map(({any}) => union(any.map(() => members[member++])).length)
    return {documentCount: this.documentCount, frequencies, memberHits: members.map(list => list.length), conceptHits}
  }

  /** For each word its documents. It may be a token of a text field, and a ready-made feature of the same name. */
  #wordDocuments(lexicon: Lexicon): Uint32Array[] {
    const lists = lexicon.words.map((): Uint32Array[] => [])
    wordsByField(lexicon).forEach((words, field) => {
      for (const [name, word] of words) {
        const id = this.#reader.table.find(field, name)
        if (id !== undefined) lists[word].push(this.#documentsOf(id))
      }
    })
    return lists.map(union)
  }

  /** The documents with a token as it is without anchors, ascending. */
  #documentsWith(id: number): Uint32Array {
    const {starts, values} = this.#postings ?? {starts: [], values: new Uint32Array()}
    return values.subarray(starts[id] ?? values.length, starts[id + 1] ?? values.length)
  }

  /** The documents with a token as all anchors let it be read. */
  #documentsOf(id: number): Uint32Array {
    const {added = [], removed = []} = this.#changedTokens.get(id) ?? {}
    return union([without(this.#documentsWith(id), removed), added])
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
    const {table} = this.#reader
    const reading = this.#reading
    const names = reading.text.filter((_, at) => field === undefined || field === at)
    const isReady = new Uint8Array(this.#rows.length)
    for (let id = 0; id < table.size; id++)
      if (table.field(id) === reading.text.length && featureRole(table.name(id))?.isTaken)
        for (const d of this.#documentsWith(id)) isReady[d] = 1
    return d =>
      isReady[d] === 1 ||
      names.some(name => {
        const content = this.#rows[d].text.get(name) ?? ''
        return pattern.spans(straightQuotes(reading.keepCase ? content : content.toLowerCase())).length > 0
      })
  }

  #find(feature: string): Uint32Array {
    const steps = this.scan(feature)
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
  }

  #touch({phrases, patterns}: AnchorIndex): Map<string, Uint32Array> {
    const touched = new Map<string, Uint32Array>()
    for (const [words, token] of phrases.tokens) {
      const key = JSON.stringify([words, token])
      touched.set(key, this.#touched.get(key) ?? this.#withWords(words.split(' ')))
    }
    for (const role of patterns) if (isMember(role)) touched.set(role.feature, this.#find(role.feature))
    return touched
  }

  #tokensOf(d: number): Uint32Array {
    return this.#tokens.values.subarray(this.#starts.values[d], this.#starts.values[d + 1])
  }

  /** The documents that have all of these words in one text field, negated or not: the phrase that they make may be there. */
  #withWords(words: readonly string[]): Uint32Array {
    return union(
      this.#reading.text.map((_, field) =>
        words
          .map(word => union(this.#spelling(field, word).map(id => this.#documentsWith(id))))
          .reduce((some, others) => {
            const isOther = flagsOf([others])
            return some.filter(d => isOther[d] === 1)
          })
      )
    )
  }

  /** The tokens of a text field that spell this word alone, plain or negated, or together with others. */
  #spelling(field: number, word: string): number[] {
    const ids = [word, NEGATED_PREFIX + word].map(token => this.#reader.table.find(field, token))
    return [...ids.filter(id => id !== undefined), ...(this.#compounds[field].get(word) ?? [])]
  }

  #findCompounds(): Map<string, number[]>[] {
    const found = this.#reading.text.map(() => new Map<string, number[]>())
    for (let id = 0; id < this.#reader.table.size; id++) {
      const [field, name] = [this.#reader.table.field(id), this.#reader.table.name(id)]
      if (field === found.length || !isCompound(name)) continue
      // No word of a text has a colon, so this can only be the mark of a negation.
      const bare = name.startsWith(NEGATED_PREFIX) ? name.slice(NEGATED_PREFIX.length) : name
      for (const word of new Set(tokenParts(bare))) found[field].set(word, [...(found[field].get(word) ?? []), id])
    }
    return found
  }
}

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

/** Those of list n are `values[starts[n] .. starts[n+1])`. */
interface Lists {
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

/**
 * From ascending documents per number to ascending numbers per document, or back: the numbers below `size` that each of `count` lists has.
 * Cost: one step per entry, in the order of the result.
 */
function inverted(count: number, listAt: (n: number) => Uint32Array, size: number): Lists {
  const starts = new Uint32Array(size + 1)
  for (let n = 0; n < count; n++) for (const entry of listAt(n)) starts[entry + 1]++
  for (let entry = 0; entry < size; entry++) starts[entry + 1] += starts[entry]
  const next = starts.slice()
  const values = new Uint32Array(starts[size])
  for (let n = 0; n < count; n++) for (const entry of listAt(n)) values[next[entry]++] = n
  return {starts, values}
}

/** Packs documents from the lists of documents of each member and of each word. */
function packed(
  members: readonly Uint32Array[],
  words: readonly Uint32Array[],
  documentCount: number
): PackedDocuments {
  const [membersOf, wordsOf] = [members, words].map(lists => inverted(lists.length, n => lists[n], documentCount))
  return {
    documentCount,
    wordStarts: wordsOf.starts,
    words: wordsOf.values,
    memberStarts: membersOf.starts,
    members: membersOf.values
  }
}

/** The documents of a list that another one, which ascends, does not have. */
function without(documents: Uint32Array, others: ArrayLike<number>): Uint32Array {
  if (others.length === 0) return documents
  const isOther = flagsOf([others])
  return documents.filter(d => isOther[d] !== 1)
}

/** The documents in any of the lists, which ascend, as it does. */
function union(lists: readonly ArrayLike<number>[]): Uint32Array {
  const filled = lists.filter(list => list.length > 0)
  if (filled.length === 1 && filled[0] instanceof Uint32Array) return filled[0]
  const isIn = flagsOf(filled)
  let size = 0
  for (const flag of isIn) size += flag
  const all = new Uint32Array(size)
  for (let d = 0, at = 0; at < size; d++) if (isIn[d] === 1) all[at++] = d
  return all
}

/** Has a 1 for each document in any of the lists, which ascend. */
function flagsOf(lists: readonly ArrayLike<number>[]): Uint8Array {
  const last = lists.reduce((most, list) => Math.max(most, list[list.length - 1] ?? -1), -1)
  const flags = new Uint8Array(last + 1)
  for (const list of lists) for (let at = 0; at < list.length; at++) flags[list[at]] = 1
  return flags
}
