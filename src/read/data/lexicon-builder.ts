import {AdfaError} from '../../base/checks/index.ts'
import type {Anchors} from './anchors.ts'
import {checkAnchors} from './check-anchors.ts'
import {createFeatureReader, type FeatureReader} from './feature-reader.ts'
import type {Lexicon, SkippedAnchor, TagFilter, TextOptions} from './lexicon.ts'
import type {Row} from './row.ts'
import {valueFieldNames} from './row-fields.ts'
import {passesFilter} from './surveys.ts'
import {byCodeUnit, type FrequencyList, TokenFrequencies} from './token-frequencies.ts'

/** What a lexicon is learned from, beside the documents. */
export interface LexiconOptions {
  readonly text: TextOptions
  readonly phrases: readonly string[]
  readonly filter: TagFilter | undefined
  readonly skipBadAnchors: boolean
  /** Anchors left out by an earlier survey. */
  readonly skipped?: readonly SkippedAnchor[]
  /** How many different words of a field are held; beyond that counts are approximate. No limit unless given. */
  readonly distinctWords?: number
}

/** What some documents say of words and anchors; surveys of different documents add up. */
export interface WordSurvey {
  readonly documentCount: number
  /** Of each text field, of `features`, and of each category, number and list. */
  readonly frequencies: readonly FrequencyList[]
  /** Documents in which each single anchor feature fired, and each concept's anchor. */
  readonly memberHits: readonly number[]
  readonly conceptHits: readonly number[]
}

/**
 * Learns the vocabulary and tries the anchors, one row at a time: per field, words in more than `maxShare` of the
 * documents are dropped, then the `vocabulary` commonest kept; equal ones by name. The row order does not matter. Each
 * category, number and list is a field of its own, so that many drugs leave room for age and sex; of these a value is
 * dropped only when all documents have it, since the larger of two halves (`sex:m`) is no stop word.
 */
export class LexiconBuilder {
  readonly anchors: Anchors
  readonly options: LexiconOptions
  readonly #reader: FeatureReader
  readonly #filterTags: ReadonlySet<string>
  /** Of the text fields, of `features`, and of categories, numbers and lists. */
  readonly #fields: readonly TokenFrequencies[]
  /** What the features of categories, numbers and lists begin with. */
  readonly #prefixes: readonly string[]
  readonly #memberHits: number[]
  readonly #conceptHits: number[]
  #documents = 0

  constructor(anchors: Anchors, options: LexiconOptions) {
    this.anchors = anchors
    this.options = options
    this.#reader = createFeatureReader(anchors, options.phrases, options.text)
    this.#filterTags = new Set(options.filter?.tags)
    this.#prefixes = valueFieldNames(options.text).map(name => `${name}:`)
    const fieldCount = options.text.fields.length + 1 + this.#prefixes.length
    this.#fields = Array.from({length: fieldCount}, () => new TokenFrequencies(options.distinctWords))
    this.#memberHits = this.#reader.memberConcepts.map(() => 0)
    this.#conceptHits = anchors.map(() => 0)
  }

  add(row: Row): void {
    if (!passesFilter(row, this.options.filter, this.#filterTags)) return
    this.#documents++
    const {tokens, members} = this.#reader.read(row)
    for (let field = 0; field < tokens.length; field++)
      for (const token of tokens[field]) this.#fields[this.#placeOf(field, token)].see(token, this.#documents)
    for (const member of members) this.#memberHits[member]++
    for (const concept of new Set(members.map(member => this.#reader.memberConcepts[member])))
      this.#conceptHits[concept]++
  }

  /** The end of a batch of rows, where memory is set free if there is too little. */
  endBatch(): void {
    for (const field of this.#fields) field.endBatch()
  }

  /** Add what another builder of the same anchors and options found in a batch. */
  addSurvey({documentCount, frequencies, memberHits, conceptHits}: WordSurvey): void {
    this.#documents += documentCount
    frequencies.forEach((list, place) => {
      this.#fields[place].add(list)
    })
    memberHits.forEach((hits, member) => {
      this.#memberHits[member] += hits
    })
    conceptHits.forEach((hits, concept) => {
      this.#conceptHits[concept] += hits
    })
    this.endBatch()
  }

  /** What was found since the last time, and begin anew. */
  takeSurvey(): WordSurvey {
    const survey = {
      documentCount: this.#documents,
      frequencies: this.#fields.map(field => field.take()),
      memberHits: [...this.#memberHits],
      conceptHits: [...this.#conceptHits]
    }
    this.#documents = 0
    this.#memberHits.fill(0)
    this.#conceptHits.fill(0)
    return survey
  }

  /**
   * Refuse anchors that cannot work; or, when they may be skipped, a fresh builder without them, which must be shown the
   * documents again: phrases and patterns of other anchors read the same text differently. Undefined when all is well.
   */
  withoutBadAnchors(): LexiconBuilder | undefined {
    const {text, phrases, filter, skipBadAnchors, skipped = []} = this.options
    if (this.#documents === 0)
      throw new AdfaError(
        'bad-document',
        filter === undefined
          ? 'there is no document at all; learning needs some'
          : `no document has at least ${filter.minTags} of the ${filter.tags.length} commonest tags; lower --min-tags or raise --of-top`
      )
    const survey = {documentCount: this.#documents, memberHits: this.#memberHits, conceptHits: this.#conceptHits}
    const checked = checkAnchors(this.anchors, phrases, text, survey, skipBadAnchors)
    if (checked.skipped.length === 0) return undefined
    return new LexiconBuilder(checked.anchors, {...this.options, skipped: [...skipped, ...checked.skipped]})
  }

  /** The lexicon, once {@link withoutBadAnchors} has nothing more to say. */
  finish(): Lexicon {
    const {text, phrases, filter, skipped = []} = this.options
    const features = text.fields.length
    const words = this.#fields.flatMap((frequencies, place) => {
      const field = Math.min(place, features)
      const isCommon = (count: number) =>
        place > features ? count === this.#documents : count / this.#documents > text.maxShare
      return frequencies
        .commonest(text.vocabulary, (token, count) => !isCommon(count) && !this.#reader.isAnchor(field, token))
        .map(token => featureName(field, token, text.fields))
    })
    const shortfall = Math.max(...this.#fields.map(frequencies => frequencies.shortfall))
    return {
      anchors: this.anchors,
      words: [...new Set(words)].sort(byCodeUnit),
      phrases,
      text,
      filter,
      skipped,
      ...(shortfall > 0 ? {vocabularyError: shortfall} : {})
    }
  }

  /** Where the frequency of a token is kept: its field, or that of the category, number or list that it comes from. */
  #placeOf(field: number, token: string): number {
    if (this.#prefixes.length === 0 || field < this.options.text.fields.length) return field
    return field + 1 + this.#prefixes.findIndex(prefix => token.startsWith(prefix))
  }
}

/** The name of a word: `field:token` from text, the token itself from `features`. */
export function featureName(field: number, token: string, fields: readonly string[]): string {
  return field < fields.length ? `${fields[field]}:${token}` : token
}
