import {AdfaError, badOption, checkOptions, type Rules, trueOrFalse, whole} from '../../base/checks/index.ts'
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
import type {SampleOptions} from './document-sample.ts'
import {eachBatch, memoryEngine} from './memory-engine.ts'

/** Where the anchors come from: a list, the paper's rule on tags, or the lexicon of earlier counts or of a model. */
export type AnchorSource =
  | {readonly kind: 'given'; readonly anchors: Anchors}
  | {readonly kind: 'tags'; readonly fields: readonly string[]; readonly topTags: number}
  | {readonly kind: 'lexicon'; readonly lexicon: Lexicon}

export interface CountingOptions extends TextOptions {
  /** Only documents with at least this many of the `ofTop` most common tags are counted; 0 counts all. */
  readonly minTags: number
  readonly ofTop: number
  /** How many of the most common pairs of words that attract each other are read as one word. */
  readonly bigrams: number
  /** How many distinct words per field are held while the vocabulary is learned; beyond that, the choice is approximate. */
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
  /** Called with the bigrams that were found, the most common first. */
  readonly onBigrams?: (found: readonly string[]) => void
}

/**
 * Count the documents of an engine. Passes over the documents: one over the tags when anchors or the filter need them, three
 * for bigrams if asked for, one for the vocabulary (one more after bad anchors were skipped), and one to count, which also
 * draws `control.sample`. With a known lexicon, only the last.
 */
export async function countWith(
  engine: CountingEngine,
  anchors: AnchorSource,
  options?: Partial<CountingOptions>,
  control: CountingControl = {}
): Promise<Counts> {
  const checked = checkCountingOptions(options)
  if (control.sample !== undefined) checkSample(engine, control.sample)
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

/** The usable anchors, and the vocabulary. */
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
      `the engine ${name} holds ready-made words, and pairs of words are learned from text; leave \`bigrams\` out`,
      {details: {option: 'bigrams'}}
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

const countingRules: Rules<CountingOptions> = {
  minTags: whole(0),
  ofTop: whole(1),
  distinctWords: whole(1),
  skipBadAnchors: trueOrFalse
}

function checkCountingOptions(given: Partial<CountingOptions> | undefined): CountingOptions {
  const options = checkOptions('counting', countingDefaults, countingRules, given)
  checkTextOptions(options)
  checkBigrams(options.bigrams)
  return checkCountOptions(options)
}

function checkSample({name, rows}: CountingEngine, {size}: SampleOptions): void {
  const [holds, rule] = whole(1)
  if (!holds(size)) throw badOption('counting', 'sample.size', rule, size)
  if (rows === undefined)
    throw new AdfaError(
      'bad-option',
      `the engine ${name} holds no documents to draw a sample from; leave \`sample\` out`,
      {
        details: {option: 'sample'}
      }
    )
}
