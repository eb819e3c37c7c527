import {AdfaError, checkOptions, whole} from '../../base/checks/index.ts'
import {indexAnchors} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {checkAnchors, type SeenFeature} from './check-anchors.ts'
import {readVote} from './feature-name.ts'
import {
  checkTextOptions,
  type Lexicon,
  type LexiconReader,
  pickTextOptions,
  type SkippedAnchor,
  type TagFilter,
  type TextOptions,
  textDefaults
} from './lexicon.ts'
import type {Row} from './row.ts'
import {
  addSurveys,
  anchorsFromTags,
  byCodeUnit,
  commonest,
  DocumentSurvey,
  documentFilter,
  TagSurvey,
  VoteSurvey,
  type WordSurvey
} from './surveys.ts'

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
  readonly skipBadAnchors: boolean
}

export const vocabularyDefaults: VocabularyOptions = {
  ...textDefaults,
  phrases: [],
  minTags: 0,
  ofTop: 200,
  skipBadAnchors: false
}

/** Refuse values that make no sense; `owner` names the function in errors. */
export function checkVocabularyOptions(owner: string, options: VocabularyOptions): void {
  checkTextOptions(options)
  const {minTags, ofTop} = options
  checkOptions(owner, vocabularyDefaults, {minTags: whole(0), ofTop: whole(1)}, {minTags, ofTop})
}

/** One pass over all documents: show every row to what it carries, or add a survey of all of them to the builder. */
export type LexiconPass =
  | {readonly stage: 'tags'; readonly to: TagSurvey}
  | {readonly stage: 'votes'; readonly to: VoteSurvey}
  | {readonly stage: 'vocabulary'; readonly to: VocabularySum}

/**
 * Learn the anchors that work and the vocabulary. The passes come out one by one, so that the same rules serve rows in
 * memory and engines that read files or query databases: one pass over the tags when anchors or the filter need them, one over
 * the votes where these are the anchors, one for the vocabulary, and one more for each round of anchors left out.
 */
export function* lexiconPasses(rule: AnchorRule, options: VocabularyOptions): Generator<LexiconPass, Lexicon, void> {
  const {minTags, ofTop, skipBadAnchors} = options
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
  return yield* vocabularyPasses(anchors, {phrases: [...options.phrases, ...frequent], reading, filter}, skipBadAnchors)
}

/** One pass and, after anchors are skipped, another without them: their phrases and patterns change how text is read. */
export function* vocabularyPasses(
  given: Anchors,
  reader: LexiconReader,
  skipBadAnchors: boolean
): Generator<LexiconPass & {readonly stage: 'vocabulary'}, Lexicon, void> {
  let anchors = given
  for (const skipped: SkippedAnchor[] = []; ; ) {
    const sum = new VocabularySum(anchors, reader)
    yield {stage: 'vocabulary', to: sum}
    const checked = checkAnchors(sum, skipBadAnchors)
    if (checked.skipped.length === 0) return {anchors, words: sum.words(), ...reader, skipped}
    skipped.push(...checked.skipped)
    anchors = checked.anchors
  }
}

/** The lexicon of rows in memory, whose words are surveyed by reading them unless told otherwise. */
export function learnLexicon(
  rows: readonly Row[],
  rule: AnchorRule,
  options: VocabularyOptions,
  survey = (sum: VocabularySum) => surveyRows(rows, sum)
): Lexicon {
  const passes = lexiconPasses(rule, options)
  let step = passes.next()
  while (!step.done) {
    const {stage, to} = step.value
    if (stage === 'vocabulary') to.addSurvey(survey(to))
    else for (const row of rows) to.add(row)
    step = passes.next()
  }
  return step.value
}

export function surveyRows(rows: readonly Row[], {anchors, options}: VocabularySum): WordSurvey {
  const survey = new DocumentSurvey(anchors, options.phrases, options.reading)
  const accepts = documentFilter(options.filter)
  for (const row of rows) if (accepts(row)) survey.add(row)
  return survey.survey()
}

/**
 * The sum of surveys of documents by the same anchors, and the words to keep: per field, words in more than `maxShare` of the
 * documents are dropped, then the `vocabulary` most frequent kept, ties by name. Row order does not matter. Each
 * category, number and list is a field of its own, so that many drugs leave room for age and sex; such a value is
 * dropped only when all documents have it, since the larger of two halves (`sex:m`) is not a stop word.
 */
export class VocabularySum {
  readonly anchors: Anchors
  readonly options: LexiconReader
  #survey: WordSurvey | undefined

  constructor(anchors: Anchors, options: LexiconReader) {
    this.anchors = anchors
    this.options = options
  }

  addSurvey(survey: WordSurvey): void {
    this.#survey = this.#survey === undefined ? survey : addSurveys(this.#survey, survey, this.options.reading)
  }

  get survey(): WordSurvey {
    if (this.#survey !== undefined && this.#survey.documentCount > 0) return this.#survey
    const {filter} = this.options
    throw new AdfaError(
      'bad-document',
      filter === undefined
        ? 'there are no documents; learning needs some'
        : `no document has at least ${filter.minTags} of the ${filter.tags.length} most frequent tags; lower \`minTags\` or raise \`ofTop\``
    )
  }

  words(): string[] {
    return [...new Set(this.features().map(({name}) => name))].sort(byCodeUnit)
  }

  /** The words to keep with their documents. Every engine surveys these and their counts, though not every rarer word. */
  features(): SeenFeature[] {
    const {frequencies, documentCount} = this.survey
    const {reading, phrases} = this.options
    const index = indexAnchors(this.anchors, phrases, reading)
    const features = reading.text.length
    return frequencies.flatMap((counts, place) => {
      const field = Math.min(place, features)
      // Most documents may have a vote against a concept, or a category: only what all have says nothing.
      const isCommon = (token: string, count: number) =>
        place > features || (place === features && readVote(token) !== undefined)
          ? count === documentCount
          : count / documentCount > reading.maxShare
      const isWanted = (token: string, count: number) => !isCommon(token, count) && !index.isAnchor(field, token)
      return commonest(counts, reading.vocabulary, isWanted).map(([token, documents]) => ({
        name: featureName(field, token, reading.text),
        documents
      }))
    })
  }
}

/** The name of a word: `field:token` from text, the token itself from `features`. */
export function featureName(field: number, token: string, fields: readonly string[]): string {
  return field < fields.length ? `${fields[field]}:${token}` : token
}
