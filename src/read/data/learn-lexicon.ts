import {AdfaError, badOption, whole} from '../../base/checks/index.ts'
import {type AnchorIndex, indexAnchors} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {checkAnchors, type SeenFeature} from './check-anchors.ts'
import {readVote} from './feature-name.ts'
import {
  checkTextOptions,
  type Lexicon,
  type LexiconOptions,
  pickTextOptions,
  type TagFilter,
  type TextOptions,
  textDefaults
} from './lexicon.ts'
import type {Row} from './row.ts'
import {valueFieldNames} from './row-fields.ts'
import {anchorsFromTags, documentFilter, TagSurvey, VoteSurvey} from './surveys.ts'
import {byCodeUnit, DocumentSurvey, TokenFrequencies, type WordSurvey} from './word-survey.ts'

/** Where the anchors come from: a file of them, the paper's rule on tags, or votes, for `classes` if these are known. */
export type AnchorRule =
  | {readonly kind: 'given'; readonly anchors: Anchors}
  | {readonly kind: 'tags'; readonly fields: readonly string[]; readonly topTags: number}
  | {readonly kind: 'votes'; readonly classes?: Anchors | undefined}

/** The rule of an anchors file: one without members leaves them to the votes. */
export function anchorRule(anchors: Anchors): AnchorRule {
  const isBare = anchors.length > 0 && anchors.every(({any}) => any.length === 0)
  return isBare ? {kind: 'votes', classes: anchors} : {kind: 'given', anchors}
}

export interface VocabularyOptions extends TextOptions {
  /** Names of several words that are read as one, beside those found. */
  readonly phrases: readonly string[]
  /** Only documents with at least this many of the `ofTop` most frequent tags count; 0 for all documents. */
  readonly minTags: number
  readonly ofTop: number
  /** Different words per field that are kept while learning; beyond that the choice is approximate. */
  readonly distinctWords: number
  readonly skipBadAnchors: boolean
}

export const vocabularyDefaults: VocabularyOptions = {
  ...textDefaults,
  phrases: [],
  minTags: 0,
  ofTop: 200,
  distinctWords: 1_000_000,
  skipBadAnchors: false
}

/** Refuse values that make no sense; `owner` names the function in errors. */
export function checkVocabularyOptions(owner: string, options: VocabularyOptions): void {
  checkTextOptions(options)
  const least = {minTags: 0, ofTop: 1, distinctWords: 1} as const
  for (const name of Object.keys(least) as (keyof typeof least)[]) {
    const [holds, rule] = whole(least[name])
    if (!holds(options[name])) throw badOption(owner, name, rule, options[name])
  }
}

/** One pass over all documents: show every row to what it carries, or add a survey of all of them to the builder. */
export type LexiconPass =
  | {readonly stage: 'tags'; readonly to: TagSurvey}
  | {readonly stage: 'votes'; readonly to: VoteSurvey}
  | {readonly stage: 'vocabulary'; readonly to: LexiconBuilder}

/**
 * Learn the anchors that work and the vocabulary. The passes come out one by one, so that the same rules serve rows in
 * memory and engines that read files or query databases: one pass over the tags when anchors or the filter need them, one over
 * the votes where these are the anchors, one for the vocabulary, and one more for each round of anchors left out.
 */
export function* lexiconPasses(rule: AnchorRule, options: VocabularyOptions): Generator<LexiconPass, Lexicon, void> {
  const {minTags, ofTop, distinctWords, skipBadAnchors} = options
  const reading = pickTextOptions(options)
  let frequent: readonly string[] = []
  if (rule.kind === 'tags' || minTags > 0) {
    const survey = new TagSurvey()
    yield {stage: 'tags', to: survey}
    frequent = survey.commonest(Math.max(ofTop, rule.kind === 'tags' ? rule.topTags : 0))
  }
  const filter: TagFilter | undefined = minTags > 0 ? {minTags, tags: frequent.slice(0, ofTop)} : undefined
  let anchors: Anchors
  if (rule.kind === 'votes') {
    const votes = new VoteSurvey()
    yield {stage: 'votes', to: votes}
    anchors = votes.anchors(rule.classes)
  } else anchors = rule.kind === 'given' ? rule.anchors : anchorsFromTags(frequent.slice(0, rule.topTags), rule.fields)
  const phrases = [...options.phrases, ...frequent]
  let builder = new LexiconBuilder(anchors, {reading, phrases, filter, skipped: [], skipBadAnchors, distinctWords})
  for (let next: LexiconBuilder | undefined = builder; next !== undefined; next = builder.withoutBadAnchors()) {
    builder = next
    yield {stage: 'vocabulary', to: builder}
  }
  return builder.finish()
}

/**
 * The lexicon of rows in memory, whose words are surveyed by reading them unless told otherwise. All words are counted, so that
 * their choice is exact.
 */
export function learnLexicon(
  rows: readonly Row[],
  rule: AnchorRule,
  options: VocabularyOptions,
  survey = (builder: LexiconBuilder) => surveyRows(rows, builder)
): Lexicon {
  const passes = lexiconPasses(rule, {...options, distinctWords: Number.POSITIVE_INFINITY})
  let step = passes.next()
  while (!step.done) {
    const {stage, to} = step.value
    if (stage === 'vocabulary') to.addSurvey(survey(to))
    else for (const row of rows) to.add(row)
    step = passes.next()
  }
  return step.value
}

export function surveyRows(rows: readonly Row[], {anchors, options}: LexiconBuilder): WordSurvey {
  const survey = new DocumentSurvey(anchors, options.phrases, options.reading)
  const accepts = documentFilter(options.filter)
  for (const row of rows) if (accepts(row)) survey.add(row)
  return survey.take()
}

/**
 * Learns the vocabulary and checks the anchors, from surveys of documents: per field, words in more than `maxShare` of the
 * documents are dropped, then the `vocabulary` most frequent kept, ties by name. Row order does not matter. Each
 * category, number and list is a field of its own, so that many drugs leave room for age and sex; such a value is
 * dropped only when all documents have it, since the larger of two halves (`sex:m`) is not a stop word.
 */
export class LexiconBuilder {
  readonly anchors: Anchors
  readonly options: LexiconOptions
  readonly #index: AnchorIndex
  /** Per text field, then for `features`, then per category, number and list. */
  readonly #fields: readonly TokenFrequencies[]
  readonly #memberHits: number[]
  readonly #conceptHits: number[]
  #documents = 0

  constructor(anchors: Anchors, options: LexiconOptions) {
    this.anchors = anchors
    this.options = options
    this.#index = indexAnchors(anchors, options.phrases, options.reading)
    const fieldCount = options.reading.text.length + 1 + valueFieldNames(options.reading).length
    this.#fields = Array.from({length: fieldCount}, () => new TokenFrequencies(options.distinctWords))
    this.#memberHits = this.#index.memberConcepts.map(() => 0)
    this.#conceptHits = anchors.map(() => 0)
  }

  /** Add the survey of some documents, read by these anchors and options. When there are too many words, the rarest are forgotten. */
  addSurvey({documentCount, frequencies, memberHits, conceptHits}: WordSurvey): void {
    this.#documents += documentCount
    this.#fields.forEach((field, place) => {
      field.add(frequencies[place])
      field.endBatch()
    })
    for (const [member, hits] of memberHits.entries()) this.#memberHits[member] += hits
    for (const [concept, hits] of conceptHits.entries()) this.#conceptHits[concept] += hits
  }

  /**
   * Refuses anchors that cannot work; or, when they may be skipped, returns a fresh builder without them, which must read
   * the documents again, since phrases and patterns of other anchors change how text is read. Undefined when all work.
   */
  withoutBadAnchors(): LexiconBuilder | undefined {
    const {filter, skipped} = this.options
    if (this.#documents === 0)
      throw new AdfaError(
        'bad-document',
        filter === undefined
          ? 'there are no documents; learning needs some'
          : `no document has at least ${filter.minTags} of the ${filter.tags.length} most frequent tags; lower \`minTags\` or raise \`ofTop\``
      )
    const survey = {documentCount: this.#documents, memberHits: this.#memberHits, conceptHits: this.#conceptHits}
    const checked = checkAnchors(this.anchors, this.options, survey, () => this.#vocabulary())
    if (checked.skipped.length === 0) return undefined
    return new LexiconBuilder(checked.anchors, {...this.options, skipped: [...skipped, ...checked.skipped]})
  }

  /** The lexicon, once {@link withoutBadAnchors} returns undefined. */
  finish(): Lexicon {
    const {skipBadAnchors, distinctWords, ...reading} = this.options
    const words = this.#vocabulary().map(({name}) => name)
    const shortfall = Math.max(...this.#fields.map(frequencies => frequencies.shortfall))
    return {
      anchors: this.anchors,
      words: [...new Set(words)].sort(byCodeUnit),
      ...reading,
      ...(shortfall > 0 ? {vocabularyError: shortfall} : {})
    }
  }

  /** The words to keep. Every engine surveys these and their counts, though not every rarer word. */
  #vocabulary(): SeenFeature[] {
    const {reading} = this.options
    const features = reading.text.length
    return this.#fields.flatMap((frequencies, place) => {
      const field = Math.min(place, features)
      // Most documents may have a vote against a concept, or a category: only what all have says nothing.
      const isCommon = (token: string, count: number) =>
        place > features || (place === features && readVote(token) !== undefined)
          ? count === this.#documents
          : count / this.#documents > reading.maxShare
      return frequencies
        .commonest(reading.vocabulary, (token, count) => !isCommon(token, count) && !this.#index.isAnchor(field, token))
        .map(([token, documents]) => ({name: featureName(field, token, reading.text), documents}))
    })
  }
}

/** The name of a word: `field:token` from text, the token itself from `features`. */
export function featureName(field: number, token: string, fields: readonly string[]): string {
  return field < fields.length ? `${fields[field]}:${token}` : token
}
