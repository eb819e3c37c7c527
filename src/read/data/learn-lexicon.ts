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
import {NumberedReader, type WordSurvey} from './numbered-reader.ts'
import type {Row} from './row.ts'
import {anchorsFromTags, byCodeUnit, commonest, documentFilter, TagSurvey, voteAnchors} from './surveys.ts'

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

export function checkVocabularyOptions(owner: string, options: VocabularyOptions): void {
  checkTextOptions(options)
  const {minTags, ofTop} = options
  checkOptions(owner, vocabularyDefaults, {minTags: whole(0), ofTop: whole(1)}, {minTags, ofTop})
}

/** One pass over all documents: show every row to a survey of tags, or learn how frequent words are, read `by` anchors. */
export type LexiconPass =
  | {readonly stage: 'tags'; readonly to: TagSurvey}
  | {readonly stage: 'vocabulary'; readonly by: LexiconReader}

/**
 * Learn the anchors that work and the vocabulary. The passes come out one by one, so that the same rules serve rows in
 * memory and engines that read files or query databases: one pass over the tags when anchors or the filter need them, one for the
 * vocabulary, whose survey is given back, one before it where votes are the anchors, and one more for each round of anchors left
 * out: their phrases and patterns change how text is read.
 */
export function* lexiconPasses(
  rule: AnchorRule,
  options: VocabularyOptions
): Generator<LexiconPass, Lexicon, WordSurvey | undefined> {
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
    const survey = yield {stage: 'vocabulary', by: {anchors: [], phrases: [], reading, filter: undefined}}
    anchors = voteAnchors(survey?.frequencies.flatMap(counts => [...counts.keys()]) ?? [], rule.classes)
  } else anchors = rule.kind === 'given' ? rule.anchors : anchorsFromTags(frequent.slice(0, rule.topTags), rule.fields)
  const phrases = [...options.phrases, ...frequent]
  for (const skipped: SkippedAnchor[] = []; ; ) {
    const by = {anchors, phrases, reading, filter}
    const survey = yield {stage: 'vocabulary', by}
    if (survey === undefined || survey.documentCount === 0) throw noDocuments(filter)
    const checked = checkAnchors(by, survey, () => vocabulary(by, survey), skipBadAnchors)
    if (checked.skipped.length === 0) {
      const words = [...new Set(vocabulary(by, survey).map(({name}) => name))].sort(byCodeUnit)
      return {anchors, words, phrases, reading, filter, skipped}
    }
    skipped.push(...checked.skipped)
    anchors = checked.anchors
  }
}

function noDocuments(filter: TagFilter | undefined): AdfaError {
  return new AdfaError(
    'bad-document',
    filter === undefined
      ? 'there are no documents; learning needs some'
      : `no document has at least ${filter.minTags} of the ${filter.tags.length} most frequent tags; lower \`minTags\` or raise \`ofTop\``
  )
}

/** The lexicon of rows in memory, whose words are surveyed by reading them unless told otherwise. */
export function learnLexicon(
  rows: readonly Row[],
  rule: AnchorRule,
  options: VocabularyOptions,
  survey = (by: LexiconReader) => surveyRows(rows, by)
): Lexicon {
  const passes = lexiconPasses(rule, options)
  let step = passes.next()
  while (!step.done) {
    const pass = step.value
    if (pass.stage === 'vocabulary') step = passes.next(survey(pass.by))
    else {
      for (const row of rows) pass.to.add(row)
      step = passes.next()
    }
  }
  return step.value
}

export function surveyRows(rows: readonly Row[], {anchors, phrases, reading, filter}: LexiconReader): WordSurvey {
  const reader = new NumberedReader(anchors, phrases, reading)
  const accepts = documentFilter(filter)
  for (const row of rows) if (accepts(row)) reader.read(row)
  return reader.survey()
}

/**
 * The words to keep with their documents: per field, words in more than `maxShare` of the documents are dropped, then the
 * `vocabulary` most frequent kept, ties by name. Row order does not matter. Each category, number and list is a field of its
 * own, so that many drugs leave room for age and sex; such a value is dropped only when all documents have it, since the
 * larger of two halves (`sex:m`) is not a stop word.
 */
function vocabulary({anchors, phrases, reading}: LexiconReader, survey: WordSurvey): SeenFeature[] {
  const {frequencies, documentCount} = survey
  const index = indexAnchors(anchors, phrases, reading)
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

/** The name of a word: `field:token` from text, the token itself from `features`. */
export function featureName(field: number, token: string, fields: readonly string[]): string {
  return field < fields.length ? `${fields[field]}:${token}` : token
}
