import {Counter, type Counts, checkCountOptions, countDefaults} from '../counts/index.ts'
import {
  type Anchors,
  anchorsFromTags,
  BigramLearner,
  type BigramOptions,
  checkBigrams,
  checkTextOptions,
  createEncoder,
  FieldSurvey,
  type Labels,
  type Lexicon,
  LexiconBuilder,
  pickTextOptions,
  type Row,
  rowKey,
  type TagFilter,
  TagSurvey,
  type TextOptions,
  textDefaults
} from '../data/index.ts'
import {AdfaError, throwIfCancelled, withDefaults} from '../numeric/index.ts'

/** Documents that can be read from the start any number of times. */
export interface RowSource {
  batches(signal?: AbortSignal): AsyncIterable<readonly Row[]>
}

/** Where the anchors come from: a file of them, the paper's rule on tags, or counts or a model made before. */
export type AnchorSource =
  | {readonly kind: 'given'; readonly anchors: Anchors}
  | {readonly kind: 'tags'; readonly fields: readonly string[]; readonly latents: number}
  | {readonly kind: 'lexicon'; readonly lexicon: Lexicon}

export interface CountingOptions extends TextOptions {
  /** Only documents with at least this many of the `ofTop` commonest tags are counted; 0 counts all. */
  readonly minTags: number
  readonly ofTop: number
  /** Of pairs of words that attract each other, how many of the commonest are read as one. */
  readonly bigrams: number
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
  skipBadAnchors: false
}

export type CountingStage = 'tags' | 'bigrams' | 'vocabulary' | 'counting'

export interface CountingControl {
  /** What is known of the concepts of each document, by its key, instead of the tags and labels in the rows. */
  readonly labels?: Labels
  /** Called after every batch with the number of documents read in this pass. */
  readonly onProgress?: (stage: CountingStage, documents: number) => void
  /** Called with the bigrams that were found, the commonest first. */
  readonly onBigrams?: (found: readonly string[]) => void
  /** Called with the fields asked for that no document has, if there are any. */
  readonly onUnseenFields?: (names: readonly string[]) => void
  readonly signal?: AbortSignal
}

/**
 * Count documents in streaming passes with bounded memory: one over the tags when anchors or the filter need them, three
 * for bigrams when they are wanted, one for the vocabulary, one to count. With a known lexicon, the last alone.
 */
export async function countDocuments(
  source: RowSource,
  anchors: AnchorSource,
  options?: Partial<CountingOptions>,
  control: CountingControl = {}
): Promise<Counts> {
  const checked = checkOptions(withDefaults('counting', countingDefaults, options))
  const lexicon = anchors.kind === 'lexicon' ? anchors.lexicon : await learnLexicon(source, anchors, checked, control)
  const encoder = createEncoder(lexicon, control.labels)
  const {labelShare, seed} = checked
  const counter = new Counter({lexicon, labelShare, seed})
  const survey = new FieldSurvey(lexicon.text)
  await eachRow(source, 'counting', control, row => {
    survey.add(row)
    if (encoder.accepts(row)) counter.add(encoder.encode(row), rowKey(row), encoder.truth(row))
  })
  const unseen = survey.unseen()
  if (unseen.length > 0) control.onUnseenFields?.(unseen)
  return counter.finish()
}

async function learnLexicon(
  source: RowSource,
  anchorSource: Exclude<AnchorSource, {kind: 'lexicon'}>,
  options: CountingOptions,
  control: CountingControl
): Promise<Lexicon> {
  const {minTags, ofTop, bigrams, skipBadAnchors} = options
  const text = pickTextOptions(options)
  let commonest: readonly string[] = []
  if (anchorSource.kind === 'tags' || minTags > 0) {
    const survey = new TagSurvey()
    await eachRow(source, 'tags', control, row => survey.add(row))
    commonest = survey.commonest(Math.max(ofTop, anchorSource.kind === 'tags' ? anchorSource.latents : 0))
  }
  const filter: TagFilter | undefined = minTags > 0 ? {minTags, tags: commonest.slice(0, ofTop)} : undefined
  const anchors =
    anchorSource.kind === 'given'
      ? anchorSource.anchors
      : anchorsFromTags(commonest.slice(0, anchorSource.latents), anchorSource.fields)
  const pairs =
    bigrams > 0 ? await learnBigrams(source, anchors, {text, phrases: commonest, filter, count: bigrams}, control) : []
  let builder = new LexiconBuilder(anchors, {text, phrases: [...commonest, ...pairs], filter, skipBadAnchors})
  for (let next: LexiconBuilder | undefined = builder; next !== undefined; next = builder.withoutBadAnchors()) {
    builder = next
    await eachRow(source, 'vocabulary', control, row => builder.add(row))
  }
  return builder.finish()
}

async function learnBigrams(
  source: RowSource,
  anchors: Anchors,
  options: BigramOptions,
  control: CountingControl
): Promise<string[]> {
  const learner = new BigramLearner(anchors, options)
  do await eachRow(source, 'bigrams', control, row => learner.add(row))
  while (learner.endPass())
  const found = learner.bigrams()
  control.onBigrams?.(found)
  return found
}

async function eachRow(
  source: RowSource,
  stage: CountingStage,
  {onProgress, signal}: CountingControl,
  visit: (row: Row) => void
): Promise<void> {
  let documents = 0
  for await (const batch of source.batches(signal)) {
    throwIfCancelled(signal)
    for (const row of batch) visit(row)
    documents += batch.length
    onProgress?.(stage, documents)
  }
}

function checkOptions(options: CountingOptions): CountingOptions {
  checkTextOptions(options)
  const {minTags, ofTop, bigrams} = options
  if (!Number.isInteger(minTags) || minTags < 0)
    throw new AdfaError('bad-option', `min-tags is a whole number; got ${minTags}`)
  if (!Number.isInteger(ofTop) || ofTop < 1)
    throw new AdfaError('bad-option', `of-top is a whole number above 0; got ${ofTop}`)
  checkBigrams(bigrams)
  return checkCountOptions(options)
}
