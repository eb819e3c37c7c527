import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {type Counts, checkCountOptions, countDefaults} from '../counts/index.ts'
import {
  type Anchors,
  anchorsFromTags,
  BigramLearner,
  type BigramOptions,
  checkBigrams,
  checkTextOptions,
  type Lexicon,
  LexiconBuilder,
  pickTextOptions,
  type Row,
  type TagFilter,
  TagSurvey,
  type TextOptions,
  textDefaults
} from '../data/index.ts'
import type {CountingEngine, EngineControl, RowSource} from './counting-engine.ts'
import {eachBatch, memoryEngine} from './memory-engine.ts'

/** Where the anchors come from: a file of them, the paper's rule on tags, or counts or a model made before. */
export type AnchorSource =
  | {readonly kind: 'given'; readonly anchors: Anchors}
  | {readonly kind: 'tags'; readonly fields: readonly string[]; readonly topTags: number}
  | {readonly kind: 'lexicon'; readonly lexicon: Lexicon}

export interface CountingOptions extends TextOptions {
  /** Only documents with at least this many of the `ofTop` commonest tags are counted; 0 counts all. */
  readonly minTags: number
  readonly ofTop: number
  /** Of pairs of words that attract each other, how many of the commonest are read as one. */
  readonly bigrams: number
  /** How many different words of a field are held while the vocabulary is learned; beyond that the choice is approximate. */
  readonly distinctWords: number
  readonly skipBadAnchors: boolean
  readonly labelShare: number
  readonly seed: number
}

export const countingDefaults: CountingOptions = {
  ...textDefaults,
  ...countDefaults,
  minTags: 0,
  ofTop: 200,
  bigrams: 0,
  distinctWords: 1_000_000,
  skipBadAnchors: false
}

export interface CountingControl extends EngineControl {
  /** Called with the bigrams that were found, the commonest first. */
  readonly onBigrams?: (found: readonly string[]) => void
}

/**
 * Count the documents of an engine: a look at the tags when anchors or the filter need them, three for bigrams when they
 * are wanted, one for the vocabulary, one to count. With a known lexicon, the last alone.
 */
export async function countWith(
  engine: CountingEngine,
  anchors: AnchorSource,
  options?: Partial<CountingOptions>,
  control: CountingControl = {}
): Promise<Counts> {
  const checked = checkOptions(withDefaults('counting', countingDefaults, options))
  const lexicon = anchors.kind === 'lexicon' ? anchors.lexicon : await learnLexicon(engine, anchors, checked, control)
  const {labelShare, seed} = checked
  return engine.count({lexicon, labelShare, seed}, control)
}

/** {@link countWith} documents that this process reads, in streaming passes with bounded memory. */
export async function countDocuments(
  source: RowSource,
  anchors: AnchorSource,
  options?: Partial<CountingOptions>,
  control?: CountingControl
): Promise<Counts> {
  return countWith(memoryEngine(source), anchors, options, control)
}

/** Anchors that work, and the vocabulary. */
export async function learnLexicon(
  engine: CountingEngine,
  anchorSource: Exclude<AnchorSource, {kind: 'lexicon'}>,
  options: CountingOptions,
  control: CountingControl
): Promise<Lexicon> {
  const {minTags, ofTop, bigrams, distinctWords, skipBadAnchors} = options
  const text = pickTextOptions(options)
  let commonest: readonly string[] = []
  if (anchorSource.kind === 'tags' || minTags > 0) {
    const survey = new TagSurvey()
    await engine.surveyTags(survey, control)
    commonest = survey.commonest(Math.max(ofTop, anchorSource.kind === 'tags' ? anchorSource.topTags : 0))
  }
  const filter: TagFilter | undefined = minTags > 0 ? {minTags, tags: commonest.slice(0, ofTop)} : undefined
  const anchors =
    anchorSource.kind === 'given'
      ? anchorSource.anchors
      : anchorsFromTags(commonest.slice(0, anchorSource.topTags), anchorSource.fields)
  const pairs =
    bigrams > 0 ? await learnBigrams(engine, anchors, {text, phrases: commonest, filter, count: bigrams}, control) : []
  let builder = new LexiconBuilder(anchors, {
    text,
    phrases: [...commonest, ...pairs],
    filter,
    skipBadAnchors,
    distinctWords
  })
  for (let next: LexiconBuilder | undefined = builder; next !== undefined; next = builder.withoutBadAnchors()) {
    builder = next
    await engine.surveyWords(builder, control)
  }
  return builder.finish()
}

async function learnBigrams(
  {name, rows}: CountingEngine,
  anchors: Anchors,
  options: BigramOptions,
  control: CountingControl
): Promise<string[]> {
  if (rows === undefined)
    throw new AdfaError(
      'bad-option',
      `the engine ${name} holds ready-made words, and pairs of words are learned from text; leave --bigrams out`
    )
  const learner = new BigramLearner(anchors, options)
  const look = (batch: readonly Row[]) => {
    for (const row of batch) learner.add(row)
  }
  do await eachBatch(rows, 'bigrams', control, look)
  while (learner.endPass())
  const found = learner.bigrams()
  control.onBigrams?.(found)
  return found
}

function checkOptions(options: CountingOptions): CountingOptions {
  checkTextOptions(options)
  const {minTags, ofTop, bigrams, distinctWords} = options
  if (!Number.isInteger(minTags) || minTags < 0)
    throw new AdfaError('bad-option', `min-tags is a whole number; got ${minTags}`)
  if (!Number.isInteger(ofTop) || ofTop < 1)
    throw new AdfaError('bad-option', `of-top is a whole number above 0; got ${ofTop}`)
  checkBigrams(bigrams)
  if (!Number.isInteger(distinctWords) || distinctWords < 1)
    throw new AdfaError('bad-option', `distinct-words is a whole number above 0; got ${distinctWords}`)
  return checkCountOptions(options)
}
