import {type AnchorIndex, indexAnchors, isMember, type PatternRole, type Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import type {SeenFeature} from './check-anchors.ts'
import {
  type CorpusDocument,
  createLabelReader,
  type Evidence,
  evidenceOf,
  type PackedDocuments,
  WordNumbers
} from './encoder.ts'
import {NEGATED_PREFIX} from './feature-name.ts'
import {growingIntegers} from './growing-array.ts'
import {anchorRule, featureName, learnLexicon, type VocabularySum, vocabularyDefaults} from './learn-lexicon.ts'
import {type Lexicon, pickTextOptions, type TextOptions} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import {tokenParts} from './phrases.ts'
import {type Labels, type Row, rowKey} from './row.ts'
import {byCodeUnit, frequenciesByField, type WordSurvey} from './surveys.ts'
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

/**
 * Documents that are read once, as the numbers of their different tokens, for anchors that change often. After an edit, only documents that
 * a changed phrase or regular expression may touch are read again: phrases join words, and an expression of a member takes away
 * what it matches. Lexicon and evidence are those of a fresh reading (`learnLexicon`, `encodeCorpus`). Cost: one step per token.
 */
export class DocumentIndex {
  readonly #reading: TextOptions
  readonly #rows: Row[] = []
  readonly #reader: NumberedReader
  /** The tokens of all documents as they are without anchors: those of document d begin at `starts[d]`. */
  readonly #tokens = growingIntegers()
  readonly #starts = growingIntegers()
  #isOrdered = false
  /** The documents of each phrase or regular expression that was looked for, by its name. */
  readonly #known = new Map<string, Uint32Array>()
  /** What changes tokens now, with the documents that it may change, and the tokens of these. */
  #touched: ReadonlyMap<string, Uint32Array> = new Map()
  readonly #changed = new Map<number, Uint32Array>()

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
    this.#isOrdered = false
    this.#known.clear()
    this.#touched = new Map()
    this.#changed.clear()
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
    this.#order()
    let members = {memberStarts: new Uint32Array(), members: new Uint32Array()}
    const survey = ({anchors}: VocabularySum) => {
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
    const roles = this.#rolesOf(reader.index)
    const isNamed = Uint8Array.from(roles, role => (role === undefined ? 0 : 1))
    const named = this.#documentsWhere(isNamed, 1)
    if (patterns.length === 0 && phrases.tokens.size === 0) return named
    const spelled = [...phrases.tokens.keys()].flatMap(words => [...this.#withWords(words.split(' '))])
    const isCandidate = patterns.length > 0 ? this.#createMatcher(reader.index, patterns[0]) : undefined
    const candidates =
      isCandidate === undefined ? [...new Set([...named, ...spelled])].sort((a, b) => a - b) : this.#rows.keys()
    const found: number[] = []
    let at = 0
    for (const d of candidates) {
      if (at++ % STEP === 0) yield at - 1
      if (isCandidate?.(d) !== false && reader.read(this.#rows[d]).length > 0) found.push(d)
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
  #readBy(anchors: Anchors, index: AnchorIndex): void {
    const before = this.#touched
    this.#touched = this.#touch(index)
    const isTouched = new Set([...this.#touched.values()].flatMap(documents => [...documents]))
    const differing = [...difference(before, this.#touched), ...difference(this.#touched, before)]
    const reader = new NumberedReader(anchors, [], this.#reading, this.#reader.table)
    for (const d of new Set(differing.flatMap(documents => [...documents]))) {
      this.#changed.delete(d)
      if (!isTouched.has(d)) continue
      reader.read(this.#rows[d])
      this.#changed.set(d, reader.tokens.values.slice(0, reader.tokens.length))
    }
  }

  /** What changes tokens, phrases and the expressions of members, with the documents that it may change. */
  #touch({phrases, patterns}: AnchorIndex): Map<string, Uint32Array> {
    const touched = new Map<string, Uint32Array>()
    for (const [words, token] of phrases.tokens) {
      const key = JSON.stringify([words, token])
      touched.set(key, this.#touched.get(key) ?? this.#withWords(words.split(' ')))
    }
    for (const role of patterns) if (isMember(role)) touched.set(role.feature, this.#find(role.feature))
    return touched
  }

  /** Counts words and anchors, with the members that fire in each document. */
  #survey(anchors: Anchors, index: AnchorIndex) {
    const {table} = this.#reader
    const roles = this.#rolesOf(index)
    const matches = new Map<number, Role[]>()
    for (const role of index.patterns)
      for (const d of this.#find(role.feature)) matches.set(d, [...(matches.get(d) ?? []), role])
    const frequencies = Array.from({length: table.size}, (_, token) => this.#reader.frequency(token))
    for (const [d, tokens] of this.#changed) {
      for (const token of this.#plainTokens(d)) frequencies[token]--
      for (const token of tokens) frequencies[token]++
    }
    const memberHits = index.memberConcepts.map(() => 0)
    const conceptHits = anchors.map(() => 0)
    const memberStarts = new Uint32Array(this.documentCount + 1)
    const members = growingIntegers()
    for (let d = 0; d < this.documentCount; d++) {
      const present = matches.get(d) ?? []
      const tokens = this.#tokensOf(d)
      for (let at = 0; at < tokens.length; at++) {
        const role = roles[tokens[at]]
        if (role !== undefined) present.push(role)
      }
      const fired = index.firedMembers(present)
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

  /** The words of all documents, ascending. */
  #words(lexicon: Lexicon): Pick<PackedDocuments, 'wordStarts' | 'words'> {
    const numbers = new WordNumbers(lexicon, this.#reader.table)
    const wordStarts = new Uint32Array(this.documentCount + 1)
    const words = growingIntegers(this.#tokens.length)
    for (let d = 0; d < this.documentCount; d++) {
      const tokens = this.#tokensOf(d)
      const found = numbers.of(tokens, 0, tokens.length)
      wordStarts[d + 1] = words.append(this.#changed.has(d) ? found.sort() : found)
    }
    return {wordStarts, words: words.finish()}
  }

  /** Puts the tokens of each document into the order of their names, which is that of the words of any lexicon. */
  #order(): void {
    if (this.#isOrdered) return
    const {table} = this.#reader
    const names = Array.from({length: table.size}, (_, token) =>
      featureName(table.field(token), table.name(token), this.#reading.text)
    )
    const byName = [...names.keys()].sort((a, b) => byCodeUnit(names[a], names[b]))
    const ranks = new Uint32Array(table.size)
    for (const [rank, token] of byName.entries()) ranks[token] = rank
    for (let d = 0; d < this.documentCount; d++) {
      const tokens = this.#plainTokens(d)
      for (let at = 0; at < tokens.length; at++) tokens[at] = ranks[tokens[at]]
      tokens.sort()
      for (let at = 0; at < tokens.length; at++) tokens[at] = byName[tokens[at]]
    }
    this.#isOrdered = true
  }

  /** What each token of all texts and features does by itself, if it does anything. */
  #rolesOf({roles}: AnchorIndex): (Role | undefined)[] {
    const {table} = this.#reader
    const byToken: (Role | undefined)[] = new Array(table.size).fill(undefined)
    roles.forEach((named, field) => {
      for (const [name, role] of named) {
        const token = table.numbersOf(field).get(name)
        if (token !== undefined) byToken[token] = role
      }
    })
    return byToken
  }

  /** The tokens of a document as all anchors let it be read. */
  #tokensOf(d: number): Uint32Array {
    return this.#changed.get(d) ?? this.#plainTokens(d)
  }

  #plainTokens(d: number): Uint32Array {
    return this.#tokens.values.subarray(this.#starts.values[d], this.#starts.values[d + 1])
  }

  /** The documents whose tokens, as they are without anchors, have all of the bits together. */
  #documentsWhere(bitsOf: Uint8Array | Int32Array, all: number): Uint32Array {
    const [starts, tokens] = [this.#starts.values, this.#tokens.values]
    return Uint32Array.from(this.#rows.keys()).filter(d => {
      let bits = 0
      for (let at = starts[d]; at < starts[d + 1]; at++) bits |= bitsOf[tokens[at]]
      return bits === all
    })
  }

  /** Tells whether an expression matches the text of a document, negated or not, or one of its features: faster than reading. */
  #createMatcher({featureRole}: AnchorIndex, {pattern, field}: PatternRole): (d: number) => boolean {
    const {table} = this.#reader
    const {text, keepCase} = this.#reading
    const names = text.filter((_, at) => field === undefined || field === at)
    const isTaken = Uint8Array.from({length: table.size}, (_, token) =>
      table.field(token) === text.length && featureRole(table.name(token))?.isTaken ? 1 : 0
    )
    return d =>
      names.some(name => {
        const content = this.#rows[d].text.get(name) ?? ''
        return pattern.spans(straightQuotes(keepCase ? content : content.toLowerCase())).length > 0
      }) || this.#plainTokens(d).some(token => isTaken[token] === 1)
  }

  #find(feature: string): Uint32Array {
    const steps = this.scan(feature)
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
  }

  /** The documents that have all of these words, negated or not, alone or joined to others: the phrase that they make may be there. */
  #withWords(words: readonly string[]): Uint32Array {
    const {table} = this.#reader
    const all = words.reduce((bits, _, at) => bits | (1 << (at % 32)), 0)
    const spelled = Int32Array.from({length: table.size}, (_, token) => {
      if (table.field(token) === this.#reading.text.length) return 0
      const name = table.name(token)
      // No word of a text has a colon, so this can only be the mark of a negation.
      const parts = tokenParts(name.startsWith(NEGATED_PREFIX) ? name.slice(NEGATED_PREFIX.length) : name)
      return words.reduce((bits, word, at) => (parts.includes(word) ? bits | (1 << (at % 32)) : bits), 0)
    })
    return this.#documentsWhere(spelled, all)
  }
}

function difference(a: ReadonlyMap<string, Uint32Array>, b: ReadonlyMap<string, Uint32Array>): Uint32Array[] {
  return [...a].filter(([key]) => !b.has(key)).map(([, documents]) => documents)
}
