/**
 * Learns a model from documents in one call: reads the rows, counts them, fits, chooses the word model, and resamples for
 * intervals. `adfa fit` does the same with files, so equal rows and options give equal bytes.
 */
import {AdfaError, withDefaults} from '../base/checks/index.ts'
import {counted, nameList} from '../base/text/index.ts'
import {type Counts, checkCountOptions, countCorpus, isLabelled} from '../read/counts/index.ts'
import {
  type AnchorRule,
  type Anchors,
  anchorRule,
  type Corpus,
  type CorpusDocument,
  checkVocabularyOptions,
  encodeCorpus,
  exclusiveGroups,
  type Labels,
  learnLexicon,
  parseAnchors,
  parseRow,
  type VocabularyOptions,
  vocabularyDefaults
} from '../read/data/index.ts'
import {bootstrap, type FitIntervals} from './bootstrap.ts'
import {chooseWords, type WordChoice} from './choose-words.ts'
import {type FitCertificate, type FitControl, type FitProgress, type FitStage, type FittedModel, fit} from './fit.ts'
import {sampleShare, type TrainingMarks, trainingMarks} from './model/index.ts'
import type {FitOptions} from './options.ts'
import {trainingDocuments} from './robust/index.ts'

/** The size of the sample of documents that rates and word weights are learned from; more would hardly change the result. */
export const SAMPLE_SIZE = 8_000

/** The options of `fit`, and of the intervals. */
export type LearnOptions = FitOptions & {
  /** The number of bootstrap samples for intervals of rates and edges; without it there are no intervals. */
  readonly intervals?: number
}

export type LearnStage = FitStage | 'intervals'

export interface LearnControl extends Pick<FitControl, 'signal' | 'clock' | 'wasmUrl'> {
  /** Called as each stage begins. */
  readonly onStage?: (stage: LearnStage) => void
  readonly onProgress?: (progress: FitProgress<LearnStage>) => void
  /** Called with a message for each shortcoming of the result. */
  readonly onWarning?: (message: string) => void
}

/** The content of an anchors file, an anchor for each name of a concept. */
export type AnchorsObject = Readonly<Record<string, unknown>>

/** The options of reading rows. The command line's options have the same names. */
export interface ReadOptions extends VocabularyOptions {
  /** The share of documents whose tags are used to estimate rates: by default 1 if `noise` is 'labels', and 0 otherwise. */
  readonly labelShare: number
  /** The labels by document id, which replace the tags in the rows. */
  readonly labels: Labels | undefined
  /** Defines a concept for each of the `topTags` most frequent tags, with its name in these fields as anchor. */
  readonly anchorsFromTags: readonly string[] | undefined
  readonly topTags: number
}

/** A model with the full certificate of how it was learned. */
export type LearnedModel = FittedModel & {
  readonly certificate: {
    readonly intervals?: FitIntervals
    /** The marks of the documents in the sample; unset for models from counts alone. */
    readonly training?: TrainingMarks
    /** The choice of the word model; unset if there were too few documents for it. */
    readonly wordChoice?: WordChoice
  }
}

/**
 * Learns a model from documents (plain objects as in a JSON Lines file) and anchors (as in anchors.json, or parsed). Without
 * anchors, the documents need votes. Options left out come from the preset, and rates that are not given are estimated.
 */
export async function learn(
  documents: Iterable<unknown>,
  anchors: Anchors | AnchorsObject | undefined,
  options: LearnOptions & Partial<ReadOptions> = {},
  control: LearnControl = {}
): Promise<LearnedModel> {
  const {reading, learning} = splitOptions(options)
  const rule = anchorRuleOf(anchors, reading)
  const {seed = 0} = learning
  const rows = Array.from(documents, (row, at) => parseRow(row, reading, `row ${at + 1}`))
  const lexicon = learnLexicon(rows, rule, {...reading, skipBadAnchors: learning.skipBadAnchors ?? false})
  const corpus = encodeCorpus(rows, lexicon, reading.labels)
  const labelShare = reading.labels === undefined ? reading.labelShare : 1
  const counts = countCorpus(corpus, checkCountOptions({labelShare, seed}))
  const sampled = corpus.documents.filter(createSampleFilter(counts, reading.labels, seed))
  return learnFromCounts(counts, {lexicon, documents: sampled}, learning, control)
}

/**
 * Learns from counts and, if there are any, documents that were counted (all of them, or a sample): rates and word weights
 * are better with documents than from counts alone.
 */
export async function learnFromCounts(
  counts: Counts,
  given: Corpus | undefined,
  {intervals, ...options}: LearnOptions,
  control: LearnControl
): Promise<LearnedModel> {
  const documents = given && trainingDocuments(counts, given.documents)
  const {onStage, onProgress, onWarning, ...shared} = control
  const model = await fit(counts, options, {...control, documents})
  for (const warning of warningsOf(model.certificate, documents)) onWarning?.(warning)
  const isChosen = documents !== undefined && options.words === undefined
  const choice = isChosen ? await chooseWords(model, documents, options, shared) : undefined
  if (intervals !== undefined) onStage?.('intervals')
  const found =
    intervals === undefined
      ? undefined
      : await bootstrap(counts, model, options, {
          ...shared,
          onWarning,
          replicates: intervals,
          onProgress: (steps, all) => onProgress?.({stage: 'intervals', steps, share: steps / all})
        })
  const certificate = {
    ...model.certificate,
    ...(documents && {training: trainingMarks(documents, model.certificate.noise.labelledCount, options.seed ?? 0)}),
    ...(choice && {wordChoice: choice.certificate}),
    ...(found && {intervals: found})
  }
  return {...model, ...(choice && {wordModel: choice.wordModel}), certificate}
}

/** Lists the shortcomings of a model that users should know of. */
function* warningsOf({noise}: FitCertificate, documents: Corpus | undefined): Generator<string> {
  for (const {concept, weak} of noise.concepts)
    if (weak !== undefined)
      yield `concept "${concept}": ${weak}; it is kept, as the classes of its group exclude each other`
  const groups = exclusiveGroups(documents?.lexicon.anchors ?? [])
  const isContradictory = ({labels}: CorpusDocument) =>
    groups.some(({concepts}) => concepts.filter(i => labels?.[i] === 1).length > 1)
  const contradictory = documents?.documents.filter(isContradictory).length ?? 0
  if (contradictory > 0)
    yield `${counted(contradictory, 'labelled document')} ${contradictory === 1 ? 'names' : 'name'} several classes of a group of which at most one holds; correct the labels`
  const rarer = noise.rarerWithConcept ?? []
  if (rarer.length > 0)
    yield `by the rates given, ${rarer.length === 1 ? 'one anchor is' : `${rarer.length} anchors are`} rarer with the concept than without (${nameList(rarer)}): predictions use noisy-or links, and silence of the anchor as evidence; check that truePositive and falsePositive are not swapped`
}

/**
 * Returns a function that says whether a counted document is in the sample for rates and word weights. The sample has about
 * {@link SAMPLE_SIZE} random documents, and all labelled ones if these are few.
 */
export function createSampleFilter(counts: Counts, labels: Labels | undefined, seed: number) {
  const {documentCount, labelShare} = counts
  const isNeeded = ({key, labels: own}: Pick<CorpusDocument, 'key' | 'labels'>) =>
    labels === undefined ? labelShare * documentCount <= SAMPLE_SIZE && isLabelled(counts, key) : own !== undefined
  return (document: Pick<CorpusDocument, 'key' | 'labels'>): boolean =>
    sampleShare(document.key, seed) < SAMPLE_SIZE / documentCount || isNeeded(document)
}

const readDefaults: ReadOptions = {
  ...vocabularyDefaults,
  labelShare: 0,
  labels: undefined,
  anchorsFromTags: undefined,
  topTags: 50
}

/** Splits options into reading options, with all defaults, and learning options, which include `skipBadAnchors`. */
export function splitOptions(options: LearnOptions & Partial<ReadOptions>) {
  const isReading = ([name]: [string, unknown]) => Object.hasOwn(readDefaults, name) && name !== 'skipBadAnchors'
  const entries = Object.entries(options)
  const learning: LearnOptions = Object.fromEntries(entries.filter(entry => !isReading(entry)))
  const labelShare = learning.noise === 'labels' ? 1 : 0
  const given: Partial<ReadOptions> = Object.fromEntries(entries.filter(isReading))
  const reading = withDefaults('learn', {...readDefaults, labelShare}, given)
  checkVocabularyOptions('learn', reading)
  return {reading, learning}
}

/** Returns how concepts get their anchors: as given, from tags, or from votes. */
function anchorRuleOf(
  anchors: Anchors | AnchorsObject | undefined,
  {anchorsFromTags, topTags}: ReadOptions
): AnchorRule {
  if (anchors !== undefined && anchorsFromTags !== undefined)
    throw new AdfaError('bad-option', 'learn: give anchors, or `anchorsFromTags` without anchors', {
      details: {option: 'anchorsFromTags'}
    })
  if (anchorsFromTags !== undefined) return {kind: 'tags', fields: anchorsFromTags, topTags}
  if (anchors === undefined) return {kind: 'votes'}
  const given = Array.isArray(anchors) ? (anchors as Anchors) : parseAnchors(JSON.stringify(anchors), 'anchors')
  return anchorRule(given)
}
