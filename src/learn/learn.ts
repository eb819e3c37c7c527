/**
 * From documents to a model in one call: read the rows, count them, estimate the anchors' rates, fit, and resample for
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
  vocabularyDefaults,
  withConcepts
} from '../read/data/index.ts'
import {bootstrap, type FitIntervals, summarizeIntervals} from './bootstrap.ts'
import {type FitCertificate, type FitControl, type FitStage, fit} from './fit.ts'
import {anchorsWithRates, type Model, sampleShare, type TrainingMarks, trainingMarks} from './model/index.ts'
import {type AnchorScores, hasEnoughLabels, scoreAnchors} from './noise/index.ts'
import {type FitOptions, presets} from './options.ts'
import {chooseWords, type WordChoice} from './training/index.ts'

/** What `fit` takes, and what is done around it. */
export type LearnOptions = FitOptions & {
  /** Resamplings of the counts for intervals of rates and edges; none unless given. */
  readonly intervals?: number
}

export type LearnStage = FitStage | 'scores' | 'intervals'

export interface LearnProgress {
  readonly stage: LearnStage
  readonly steps: number
  readonly gap?: number
  readonly share?: number
}

export interface LearnControl extends Pick<FitControl, 'signal' | 'clock' | 'wasmUrl'> {
  /** Called as each stage begins. */
  readonly onStage?: (stage: LearnStage) => void
  readonly onProgress?: (progress: LearnProgress) => void
  /** Called with each shortcoming of the result, in words. */
  readonly onWarning?: (message: string) => void
}

/** The content of an anchors file: concept name -> anchor. */
export type AnchorsObject = Readonly<Record<string, unknown>>

/** How rows become documents, beside {@link LearnOptions}; the names are those of the command line's options. */
export interface ReadOptions extends VocabularyOptions {
  /** The share of documents whose tags are used to estimate rates: none, or all of them where `noise` is 'labels'. */
  readonly labelShare: number
  /** Labels by document id; they replace the tags in the rows. */
  readonly labels: Labels | undefined
  /** Instead of anchors: a concept for each of the `topTags` most frequent tags, its own name in these fields as anchor. */
  readonly anchorsFromTags: readonly string[] | undefined
  readonly topTags: number
}

/** A model with all that is known about how it was learned. */
export type LearnedModel = Model & {
  readonly certificate: FitCertificate & {
    readonly intervals?: FitIntervals
    /** Of models learned from documents: which ones. */
    readonly training?: TrainingMarks
    /** Of models learned from enough documents: how the word model was chosen. */
    readonly wordChoice?: WordChoice
  }
}

/**
 * Learn a model from documents (plain objects as in a JSON Lines file) and anchors (as in anchors.json, or parsed; without
 * any, the votes of the documents).
 * Options left out come from the preset; the rates of anchors that have none are estimated.
 */
export async function learn(
  documents: Iterable<unknown>,
  anchors: Anchors | AnchorsObject | undefined,
  options: LearnOptions & Partial<ReadOptions> = {},
  control: LearnControl = {}
): Promise<LearnedModel> {
  const {reading, learning} = splitOptions(options)
  const {rule, seed} = {rule: ruleOf(anchors, reading), seed: learning.seed ?? 0}
  const rows = Array.from(documents, (row, at) => parseRow(row, reading, `row ${at + 1}`))
  const lexicon = learnLexicon(rows, rule, {...reading, skipBadAnchors: learning.skipBadAnchors ?? false})
  const corpus = encodeCorpus(rows, lexicon, reading.labels)
  const labelShare = reading.labels === undefined ? reading.labelShare : 1
  const counts = countCorpus(corpus, checkCountOptions({labelShare, seed}))
  const sampler = createSampler(counts, reading.labels, seed)
  const sample = sampler.corpus(corpus.documents.filter(sampler.wants))
  return learnFromCounts(counts, sample, learning, control)
}

/**
 * Learn from counts and, if there are any, documents that were counted (all of them, or a sample): rates and word weights
 * are better with documents than from counts alone.
 */
export async function learnFromCounts(
  counts: Counts,
  documents: Corpus | undefined,
  {intervals, ...options}: LearnOptions,
  control: LearnControl
): Promise<LearnedModel> {
  const {onStage, onProgress, onWarning, ...shared} = control
  const {seed = 0} = options
  const scores = neededScores(counts, documents, options, control)
  let model: LearnedModel = await fit(counts, options, {
    ...shared,
    ...(onStage && {onStage}),
    ...(onProgress && {onProgress}),
    ...(documents && {documents}),
    ...(scores && {scores})
  })
  const {rarerWithConcept, labelledCount, concepts: judged} = model.certificate.noise
  for (const {concept, weak} of judged)
    if (weak !== undefined)
      onWarning?.(`concept "${concept}": ${weak}; it is kept, as the classes of its group exclude each other`)
  const odd = documents === undefined ? 0 : contradictions(documents)
  if (odd > 0)
    onWarning?.(
      `${counted(odd, 'labelled document')} ${odd === 1 ? 'names' : 'name'} several classes of a group of which at most one holds; correct the labels`
    )
  const training = documents && trainingMarks(documents, labelledCount, seed)
  if (training) model = {...model, certificate: {...model.certificate, training}}
  if (rarerWithConcept !== undefined)
    onWarning?.(
      `by the rates given, ${rarerWithConcept.length === 1 ? 'one anchor is' : `${rarerWithConcept.length} anchors are`} rarer with the concept than without (${nameList(rarerWithConcept)}): predictions use noisy-or links, and silence of the anchor as evidence; check that truePositive and falsePositive are not swapped`
    )
  if (documents !== undefined && options.words === undefined)
    model = await withChosenWords(model, documents, options, shared)
  if (intervals === undefined) return model
  return {
    ...model,
    certificate: {...model.certificate, intervals: await intervalsOf(counts, scores, {...options, intervals}, control)}
  }
}

/** The intervals that `learnFromCounts` adds to a model where they are asked for, without the model. */
export async function resampleFit(
  counts: Counts,
  documents: Corpus | undefined,
  options: LearnOptions & {readonly intervals: number},
  control: LearnControl
): Promise<FitIntervals> {
  return intervalsOf(counts, neededScores(counts, documents, options, control), options, control)
}

/** Progress as a share of the stage. */
function shareOf(stage: LearnStage, {onProgress}: LearnControl) {
  return (done: number, all: number) => onProgress?.({stage, steps: done, share: done / all})
}

/** Scores of the documents, where rates come from more than the anchors file and labels alone. */
function neededScores(
  counts: Counts,
  documents: Corpus | undefined,
  options: LearnOptions,
  control: LearnControl
): AnchorScores | undefined {
  if (documents === undefined || !ratesNeedScores(options, counts)) return undefined
  control.onStage?.('scores')
  return scoreAnchors(documents, {seed: options.seed ?? 0}, {onProgress: shareOf('scores', control)})
}

async function intervalsOf(
  counts: Counts,
  scores: AnchorScores | undefined,
  {intervals, ...options}: LearnOptions & {readonly intervals: number},
  control: LearnControl
): Promise<FitIntervals> {
  const {onStage, onProgress: _, onWarning, ...shared} = control
  onStage?.('intervals')
  const resampled = await bootstrap(counts, options, {
    ...shared,
    ...(scores && {scores}),
    replicates: intervals,
    seed: options.seed ?? 0,
    onProgress: shareOf('intervals', control)
  })
  const {refused, refusal} = resampled.certificate
  if (refused > 0)
    onWarning?.(
      `intervals: ${refused} of ${intervals} resamplings could not be fitted and are left out, so the intervals are too narrow; ` +
        `there are too few documents or labels: ${refusal}`
    )
  return summarizeIntervals(resampled)
}

function ratesNeedScores({preset = 'robust', noise = presets[preset]?.noise}: LearnOptions, counts: Counts): boolean {
  if (noise === 'auto') return counts.lexicon.anchors.some(({rates}) => rates === undefined) && !hasEnoughLabels(counts)
  return noise === 'positive-only' || noise === 'irreducible'
}

/** Labelled documents with several classes of an exclusive group. */
function contradictions({lexicon, documents}: Corpus): number {
  const groups = exclusiveGroups(lexicon.anchors)
  return documents.filter(({labels}) => groups.some(({concepts}) => concepts.filter(i => labels?.[i] === 1).length > 1))
    .length
}

/** The model with the word model that held-out anchors or labels prefer, if there are enough of them. */
async function withChosenWords(
  model: LearnedModel,
  documents: Corpus,
  options: LearnOptions,
  shared: Pick<LearnControl, 'signal' | 'clock' | 'wasmUrl'>
): Promise<LearnedModel> {
  const lexicon = {...model.lexicon, anchors: anchorsWithRates(model)}
  const again = {...options, noise: 'given', words: 'weights', skipBadAnchors: false} as const
  const choice = await chooseWords(model, withConcepts(documents, model.lexicon), {
    seed: options.seed ?? 0,
    fitAgain: some => {
      const part = {lexicon, documents: some}
      return fit(countCorpus(part), again, {...shared, documents: part})
    }
  })
  if (choice === undefined) return model
  const {wordModel, certificate: wordChoice} = choice
  return {...model, wordModel, certificate: {...model.certificate, wordChoice}}
}

/** The most documents to read one by one; more would hardly change the result. */
export const SAMPLE_SIZE = 8_000

/** Chooses the documents for rates and word weights. */
export interface DocumentSampler {
  wants(document: Pick<CorpusDocument, 'key' | 'labels'>): boolean
  /** The sample, from the documents that it wants. */
  corpus(documents: readonly CorpusDocument[]): Corpus
}

/** A random sample of the documents counted; where few are labelled, it has all of these. */
export function createSampler(counts: Counts, labels: Labels | undefined, seed: number): DocumentSampler {
  const {lexicon, documentCount, labelShare} = counts
  const isWanted = ({key, labels: own}: Pick<CorpusDocument, 'key' | 'labels'>) =>
    labels === undefined ? labelShare * documentCount <= SAMPLE_SIZE && isLabelled(counts, key) : own !== undefined
  return {
    wants: document => sampleShare(document.key, seed) < SAMPLE_SIZE / documentCount || isWanted(document),
    corpus: documents => ({
      lexicon,
      documents: documents
        // Tags that were not asked for are not used.
        .map(document => (isLabelled(counts, document.key) ? document : {...document, labels: undefined}))
        // The order of the documents decides their folds; sorted by key, the order of the file does not matter.
        .sort((a, b) => (a.key < b.key ? -1 : 1))
    })
  }
}

const readDefaults: ReadOptions = {
  ...vocabularyDefaults,
  labelShare: 0,
  labels: undefined,
  anchorsFromTags: undefined,
  topTags: 50
}

/** How documents are read, with all defaults, and how a model is learned from them. */
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

function ruleOf(anchors: Anchors | AnchorsObject | undefined, {anchorsFromTags, topTags}: ReadOptions): AnchorRule {
  if (anchors !== undefined && anchorsFromTags !== undefined)
    throw new AdfaError('bad-option', 'learn: give anchors, or `anchorsFromTags` without anchors', {
      details: {option: 'anchorsFromTags'}
    })
  if (anchorsFromTags !== undefined) return {kind: 'tags', fields: anchorsFromTags, topTags}
  if (anchors === undefined) return {kind: 'votes'}
  const given = Array.isArray(anchors) ? (anchors as Anchors) : parseAnchors(JSON.stringify(anchors), 'anchors')
  return anchorRule(given)
}
