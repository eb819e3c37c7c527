import {growingIntegers} from '../../base/numeric/index.ts'
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
import {anchorRule, featureName, learnLexicon, vocabularyDefaults} from './learn-lexicon.ts'
import {type Lexicon, type LexiconReader, pickTextOptions, type TextOptions} from './lexicon.ts'
import {frequenciesByField, NumberedReader, type WordSurvey} from './numbered-reader.ts'
import {tokenParts} from './phrases.ts'
import {type Labels, type Row, rowKey} from './row.ts'
import {byCodeUnit} from './surveys.ts'
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

/** Steps of a scan between which the caller may pause. */
const STEP = 256

/** Lists in one array: list n is `values[starts[n] .. starts[n+1])`. */
interface Lists {
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

/**
 * Documents that are read once, as the numbers of their different tokens, for anchors that change often. After an edit, only documents that
 * a changed phrase or regular expression touches are read again: phrases join words, and an expression of a member takes away
 * what it matches. Lexicon and evidence are those of a fresh reading (`learnLexicon`, `encodeCorpus`). Cost: one step per token.
 */
export class DocumentIndex {
  readonly #reading: TextOptions
  readonly #rows: Row[] = []
  readonly #reader: NumberedReader
  /** The tokens of all documents as they are without anchors: those of document d begin at `starts[d]`. */
  readonly #tokens = growingIntegers()
  readonly #starts = growingIntegers()
  /** The documents of each token, once they are asked for; then the tokens of each document are in the order of their names. */
  #documents: Lists | undefined
  /** The documents of each phrase or regular expression that was looked for, by its name. */
  readonly #known = new Map<string, Uint32Array>()
  /** The documents where each phrase may be, by its words. */
  readonly #phrases = new Map<string, Uint32Array>()
  /** The tokens of the documents that phrases and expressions of members touch, and the names of these. */
  readonly #changed = new Map<number, {readonly by: string; readonly tokens: Uint32Array}>()

  constructor(reading: TextOptions) {
    this.#reading = pickTextOptions(reading)
    this.#reader = new NumberedReader([], [], this.#reading)
    this.#starts.push(0)
  }

  /** What was found before is forgotten. */
  add(row: Row): void {
    this.#rows.push(row)
    this.#reader.read(row)
    const {tokens} = this.#reader
    this.#starts.push(this.#tokens.append(tokens.values, 0, tokens.length))
    this.#documents = undefined
    for (const found of [this.#known, this.#phrases, this.#changed]) found.clear()
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
    let members = {memberStarts: new Uint32Array(), members: new Uint32Array()}
    const survey = ({anchors}: LexiconReader) => {
      const index = indexAnchors(anchors, [], this.#reading)
      this.#readBy(anchors, index)
      const found = this.#survey(anchors, index)
      members = found.members
      return found.survey
    }
    const rows = this.#rows.slice()
    const options = {...vocabularyDefaults, ...this.#reading, skipBadAnchors: true}
    const lexicon = learnLexicon(rows, anchorRule(anchors), options, survey)
    const used = new Set(anchors.flatMap(({any, not}) => [...any, ...not]))
    for (const feature of this.#known.keys()) if (!used.has(feature)) this.#known.delete(feature)
    const documents = {documentCount: rows.length, ...this.#words(lexicon), ...members}
    const readLabels = createLabelReader(lexicon.anchors, labels)
    const evidence = evidenceOf(lexicon, documents)
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
    const known = this.#known.get(feature)
    if (known !== undefined) return known
    const anchors = [{concept: feature, any: [feature], not: [], rates: undefined}]
    const reader = new NumberedReader(anchors, [], this.#reading)
    const {patterns, phrases} = reader.index
    const named = union([...this.#byToken(reader.index.roles).keys()].map(token => this.#documentsWith(token)))
    if (patterns.length === 0 && phrases.tokens.size === 0) return named
    const isCandidate = patterns.length > 0 ? this.#createMatcher(reader.index, patterns[0]) : undefined
    const spelled = [...phrases.tokens.keys()].map(words => this.#withPhrase(words))
    const candidates = isCandidate === undefined ? union([named, ...spelled]) : this.#rows.keys()
    const found: number[] = []
    let at = 0
    for (const d of candidates) {
      if (at++ % STEP === 0) yield at - 1
      if (isCandidate?.(d) === false) continue
      // Only a negation keeps an expression that matches from firing.
      const isSure = isCandidate !== undefined && !this.#reading.negation
      if (isSure || reader.read(this.#rows[d]).length > 0) found.push(d)
    }
    this.#known.set(feature, Uint32Array.from(found))
    return Uint32Array.from(found)
  }

  /** Every feature as it is without anchors, with its number of documents. */
  *words(): Generator<SeenFeature> {
    const {table} = this.#reader
    for (let id = 0; id < table.size; id++) {
      const documents = this.#reader.frequency(id)
      const name = featureName(table.field(id), table.name(id), this.#reading.text)
      if (documents > 0) yield {name, documents}
    }
  }

  /** Read by these anchors from now on; documents that a change of theirs does not touch stay as they are. */
  #readBy(anchors: Anchors, {phrases, patterns}: AnchorIndex): void {
    const touched = new Map<number, string>()
    const touch = (documents: Uint32Array, by: string) => {
      for (const d of documents) touched.set(d, `${touched.get(d) ?? ''}${by}\n`)
    }
    for (const [words, token] of phrases.tokens) touch(this.#withPhrase(words), JSON.stringify([words, token]))
    for (const role of patterns) if (isMember(role)) touch(this.#find(role.feature), role.feature)
    for (const d of this.#changed.keys()) if (!touched.has(d)) this.#changed.delete(d)
    const reader = new NumberedReader(anchors, [], this.#reading, this.#reader.table)
    for (const [d, by] of touched) {
      if (this.#changed.get(d)?.by === by) continue
      reader.read(this.#rows[d])
      this.#changed.set(d, {by, tokens: reader.tokens.values.slice(0, reader.tokens.length)})
    }
  }

  /** Counts words and anchors, with the members that fire in each document. */
  #survey(anchors: Anchors, index: AnchorIndex) {
    const {table} = this.#reader
    const roles = this.#byToken(index.roles)
    const present: (Role[] | undefined)[] = new Array(this.documentCount).fill(undefined)
    const add = (d: number, role: Role | undefined) => {
      if (role === undefined) return
      if (present[d] === undefined) present[d] = [role]
      else present[d].push(role)
    }
    for (const role of index.patterns) for (const d of this.#find(role.feature)) add(d, role)
    for (const [token, role] of roles)
      for (const d of this.#documentsWith(token)) if (!this.#changed.has(d)) add(d, role)
    const frequencies = Array.from({length: table.size}, (_, token) => this.#reader.frequency(token))
    for (const [d, {tokens}] of this.#changed) {
      for (const token of this.#plainTokens(d)) frequencies[token]--
      for (const token of tokens) {
        frequencies[token]++
        add(d, roles.get(token))
      }
    }
    const memberHits = index.memberConcepts.map(() => 0)
    const conceptHits = anchors.map(() => 0)
    const memberStarts = new Uint32Array(this.documentCount + 1)
    const members = growingIntegers()
    for (const [d, roles] of present.entries()) {
      const fired = roles === undefined ? [] : index.firedMembers(roles)
      for (const member of fired) memberHits[member]++
      for (const concept of index.conceptsOf(fired)) conceptHits[concept]++
      memberStarts[d + 1] = members.append(fired)
    }
    const tokenAt = (token: number) => ({
      field: table.field(token),
      name: table.name(token),
      documents: frequencies[token]
    })
    const survey: WordSurvey = {
      documentCount: this.documentCount,
      frequencies: frequenciesByField(this.#reading, table.size, tokenAt),
      memberHits,
      conceptHits
    }
    return {survey, members: {memberStarts, members: members.finish()}}
  }

  /** The words of all documents, ascending: tokens are in the order of their names, as words are. */
  #words(lexicon: Lexicon): Pick<PackedDocuments, 'wordStarts' | 'words'> {
    if (this.#documents === undefined) this.#sort()
    const [starts, tokens] = [this.#starts.values, this.#tokens.values]
    const none = lexicon.words.length
    const wordOf = new Uint32Array(this.#reader.table.size).fill(none)
    for (const [token, word] of this.#byToken(wordsByField(lexicon))) wordOf[token] = word
    const more = [...this.#changed.values()].reduce((sum, {tokens}) => sum + tokens.length, 0)
    const words = new Uint32Array(this.#tokens.length + more)
    const wordStarts = new Uint32Array(this.documentCount + 1)
    let length = 0
    for (let d = 0; d < this.documentCount; d++) {
      const changed = this.#changed.get(d)?.tokens
      const own = changed?.map(token => wordOf[token]).sort()
      const [from, to] = own === undefined ? [starts[d], starts[d + 1]] : [0, own.length]
      let last = none
      for (let at = from; at < to; at++) {
        const word = own === undefined ? wordOf[tokens[at]] : own[at]
        // A word of a text may also be a ready-made feature.
        if (word !== none && word !== last) words[length++] = word
        last = word
      }
      wordStarts[d + 1] = length
    }
    return {wordStarts, words: words.subarray(0, length)}
  }

  /** Lists the documents of each token, and puts the tokens of each document into the order of their names. */
  #sort(): Lists {
    const {table} = this.#reader
    const names = Array.from({length: table.size}, (_, token) =>
      featureName(table.field(token), table.name(token), this.#reading.text)
    )
    const byName = [...names.keys()].sort((a, b) => byCodeUnit(names[a], names[b]))
    const tokens = {starts: this.#starts.values, values: this.#tokens.values.subarray(0, this.#tokens.length)}
    const documents = transposed(tokens, this.#rows.keys(), table.size)
    this.#tokens.values.set(transposed(documents, byName, this.documentCount).values)
    this.#documents = documents
    return documents
  }

  /** What tokens have by their names, in a map for each text field and one for `features`. */
  #byToken<T>(maps: readonly ReadonlyMap<string, T>[]): Map<number, T> {
    const found = new Map<number, T>()
    maps.forEach((values, field) => {
      for (const [name, value] of values) {
        const token = this.#reader.table.numbersOf(field).get(name)
        if (token !== undefined) found.set(token, value)
      }
    })
    return found
  }

  /** The documents that have a token without anchors. */
  #documentsWith(token: number): Uint32Array {
    const {starts, values} = this.#documents ?? this.#sort()
    return token + 1 < starts.length ? values.subarray(starts[token], starts[token + 1]) : new Uint32Array()
  }

  /** The tokens that a document has without anchors. */
  #plainTokens(d: number): Uint32Array {
    return this.#tokens.values.subarray(this.#starts.values[d], this.#starts.values[d + 1])
  }

  /** Tells whether an expression matches the text of a document, negated or not, or one of its features: faster than reading. */
  #createMatcher({featureRole}: AnchorIndex, {pattern, field}: PatternRole): (d: number) => boolean {
    const {table} = this.#reader
    const {text} = this.#reading
    const isTaken = new Uint8Array(this.documentCount)
    for (let token = 0; token < table.size; token++)
      if (table.field(token) === text.length && featureRole(table.name(token))?.isTaken)
        for (const d of this.#documentsWith(token)) isTaken[d] = 1
    const names = text.filter((_, at) => field === undefined || field === at)
    return d => isTaken[d] === 1 || names.some(name => pattern.spans(this.#text(d, name)).length > 0)
  }

  #text(d: number, field: string): string {
    const content = this.#rows[d].text.get(field) ?? ''
    return straightQuotes(this.#reading.keepCase ? content : content.toLowerCase())
  }

  #find(feature: string): Uint32Array {
    const steps = this.scan(feature)
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
  }

  /** The documents where a phrase may be: with all of its words, negated or not, alone or joined to others, and no letter or digit between them. */
  #withPhrase(phrase: string): Uint32Array {
    const known = this.#phrases.get(phrase)
    if (known !== undefined) return known
    const words = phrase.split(' ')
    const {table} = this.#reader
    const {text} = this.#reading
    /** How many of the words each document has: all from the first up to one that it lacks. */
    const found = new Uint32Array(this.documentCount)
    words.forEach((word, at) => {
      for (let token = 0; token < table.size; token++) {
        const name = table.name(token)
        if (table.field(token) === text.length || !name.includes(word)) continue
        // No word of a text has a colon, so this can only be the mark of a negation.
        const parts = tokenParts(name.startsWith(NEGATED_PREFIX) ? name.slice(NEGATED_PREFIX.length) : name)
        if (parts.includes(word)) for (const d of this.#documentsWith(token)) if (found[d] === at) found[d]++
      }
    })
    const pattern = new RegExp(
      words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^\\p{L}\\p{N}]*'),
      'u'
    )
    const isThere = (d: number) => text.some(field => pattern.test(this.#text(d, field)))
    const documents = Uint32Array.from(this.#rows.keys()).filter(d => found[d] === words.length && isThere(d))
    this.#phrases.set(phrase, documents)
    return documents
  }
}

/** For each of `size` values the lists that have it, in this order of the lists. Cost: one step per value. */
function transposed({starts, values}: Lists, order: Iterable<number>, size: number): Lists {
  const ends = new Uint32Array(size + 1)
  for (let at = 0; at < values.length; at++) ends[values[at] + 1]++
  for (let value = 0; value < size; value++) ends[value + 1] += ends[value]
  const next = ends.slice()
  const lists = new Uint32Array(values.length)
  for (const list of order) for (let at = starts[list]; at < starts[list + 1]; at++) lists[next[values[at]]++] = list
  return {starts: ends, values: lists}
}

/** The documents in any of the lists, ascending. */
function union(lists: readonly Uint32Array[]): Uint32Array {
  return lists.length === 1 ? lists[0] : Uint32Array.from(new Set(lists.flatMap(list => [...list]))).sort()
}
