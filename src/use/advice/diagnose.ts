import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {
  type AnchorScores,
  type EstimatedRates,
  isMeasured,
  judgeNoise,
  type NoiseMethod,
  type NoiseVerdict,
  type SourcedRates,
  scoreAnchors
} from '../../learn/noise/index.ts'
import {type Counts, labelledDocuments} from '../../read/counts/index.ts'
import type {Corpus, CorpusDocument, Lexicon, Row, SkippedAnchor} from '../../read/data/index.ts'
import {type ConceptForms, findForms} from './anchor-forms.ts'
import {type AnchorStatistics, anchorStatistics} from './anchor-statistics.ts'
import {type AnchorHits, anchorHits} from './check-negation.ts'
import {type PairResidual, pairResiduals} from './check-residuals.ts'
import {checkAnchors, type Finding} from './checks.ts'
import {type FieldFacts, fieldFacts, type MemberLabels, memberLabels} from './member-labels.ts'
import {type MemberProfiles, memberProfiles} from './member-profiles.ts'
import {type UncoveredGroup, uncoveredGroups} from './uncovered.ts'

export interface DiagnoseOptions {
  /** Rates, matched by concept name, of any subset of the concepts. Those that were not measured contradict nothing. */
  readonly rates: readonly (EstimatedRates | SourcedRates)[]
  /** Concepts that a fit refuses for their rates, with the reason (`judgeNoise`). */
  readonly refused: readonly SkippedAnchor[]
  /** Other forms of the anchors' words (`findForms`), to be noted. */
  readonly forms: readonly ConceptForms[]
  /** Some or all of the documents, to count negated mentions. */
  readonly documents: Iterable<Row>
  /**
   * Documents read by the lexicon of the counts, to find groups that no anchor covers; where the counts have labels, those of
   * the documents show which members are weak.
   */
  readonly encoded: readonly CorpusDocument[]
}

const diagnoseDefaults: DiagnoseOptions = {rates: [], refused: [], forms: [], documents: [], encoded: []}

/** Facts and findings about all anchors. */
export interface Diagnosis {
  readonly documentCount: number
  /** Whether documents were read, and not counts alone: only they show negated mentions and weak members. */
  readonly readsDocuments: boolean
  /** Labelled documents of the concept with the most; at 0, anchors swapped between concepts go undetected. */
  readonly labelledCount: number
  /** One per concept in the counts. */
  readonly anchors: readonly AnchorFacts[]
  /** Members by text field, where anchors have members in several and documents are labelled. */
  readonly fields: readonly FieldFacts[]
  /** Similar documents in which no anchor fires: these belong to no anchor, so they are not findings. */
  readonly uncovered: readonly UncoveredGroup[]
  /** Worst first. */
  readonly findings: readonly Finding[]
}

/** The facts about one anchor, good or bad. */
export interface AnchorFacts {
  readonly concept: string
  /** Documents in which it fires, and their share of all documents. */
  readonly documents: number
  readonly share: number
  /** With labelled documents, also how often the concept is present where each fires. */
  readonly members: readonly {readonly name: string; readonly documents: number; readonly labels?: MemberLabels}[]
  /** The anchors that fire with it most often beyond chance; `share` is the share of its own documents. */
  readonly overlaps: readonly {readonly concept: string; readonly documents: number; readonly share: number}[]
  readonly rates: EstimatedRates | undefined
  /** Its negated mentions, in the documents examined; undefined if there are none or negation is read. */
  readonly negated: AnchorHits | undefined
  /** The pair with another anchor that fits the rates worst: 2 N KL, and its p-value, corrected for all pairs. */
  readonly worstPair: {readonly concept: string; readonly divergence: number; readonly chance: number} | undefined
}

const OVERLAP_LIMIT = 3

/**
 * Checks every anchor: facts and findings from counts, and from rates and labels where available.
 * Cost: a few passes over the words of the patterns, plus one for each pair of members of an anchor.
 */
export async function diagnose(counts: Counts, options?: Partial<DiagnoseOptions>): Promise<Diagnosis> {
  const {rates, refused, forms, documents, encoded} = withDefaults('diagnose', diagnoseDefaults, options)
  const {lexicon} = counts
  const known = measuredRates(lexicon, rates)
  const statistics = anchorStatistics(counts)
  const profiles = memberProfiles(counts)
  const labelledCount = labelledDocuments(counts)
  const labelled = labelledCount > 0 ? encoded : []
  const labels = counts.tables === undefined ? memberLabels(lexicon, labelled) : []
  const residuals = known.some(rate => rate !== undefined) ? await pairResiduals(statistics, known) : []
  const hits = anchorHits(lexicon, documents)
  return {
    documentCount: counts.documentCount,
    readsDocuments: options?.documents !== undefined,
    labelledCount,
    anchors: lexicon.anchors.map(({concept}, i) => ({
      concept,
      documents: statistics.fired[i],
      share: statistics.fired[i] / statistics.N,
      members: memberFacts(profiles, labels, i),
      overlaps: overlapsOf(statistics, i),
      rates: known[i],
      negated: hits.find(own => own.concept === concept && own.negated > 0),
      worstPair: worstPair(lexicon, residuals, i)
    })),
    fields: fieldFacts(lexicon, labelled),
    uncovered: uncoveredGroups(lexicon, encoded),
    findings: checkAnchors({statistics, profiles, rates: known, refused, residuals, labels, hits, forms})
  }
}

function measuredRates(
  {anchors}: Lexicon,
  rates: readonly (EstimatedRates | SourcedRates)[]
): (EstimatedRates | undefined)[] {
  const measured = rates.filter(own => !('basis' in own) || isMeasured(own.basis))
  const stranger = measured.find(rate => !anchors.some(({concept}) => concept === rate.concept))
  if (stranger !== undefined)
    throw new AdfaError(
      'mismatch',
      `diagnose: rates for "${stranger.concept}", which is not a concept of these counts; give rates for their concepts only`
    )
  return anchors.map(({concept}) => measured.find(rate => rate.concept === concept))
}

function overlapsOf({counts, m, N, fired, pairs}: AnchorStatistics, i: number): AnchorFacts['overlaps'] {
  const excess = (k: number) => pairs[i * m + k] - (fired[i] * fired[k]) / N
  return counts.lexicon.anchors
    .map(({concept}, k) => ({concept, k, documents: pairs[i * m + k], share: pairs[i * m + k] / fired[i]}))
    .filter(({k}) => k !== i && excess(k) > 0)
    .sort((x, y) => excess(y.k) - excess(x.k))
    .slice(0, OVERLAP_LIMIT)
    .map(({k: _, ...facts}) => facts)
}

function worstPair({anchors}: Lexicon, residuals: readonly PairResidual[], i: number): AnchorFacts['worstPair'] {
  const [worst] = residuals.filter(({concepts}) => concepts.includes(i)).toSorted((x, y) => y.divergence - x.divergence)
  if (worst === undefined) return undefined
  const {concepts, divergence, chance} = worst
  return {concept: anchors[concepts[0] === i ? concepts[1] : concepts[0]].concept, divergence, chance}
}

function memberFacts(
  {names, concepts, documents}: MemberProfiles,
  labels: readonly MemberLabels[],
  i: number
): AnchorFacts['members'] {
  return names.flatMap((name, w) =>
    concepts[w] === i ? [{name, documents: documents[w], ...(labels[w] && {labels: labels[w]})}] : []
  )
}

/** What a check of anchors reads beside the counts. */
export interface ExamineInput {
  readonly noise?: NoiseMethod | undefined
  readonly seed: number
  /** The sample of documents that a fit reads, as rows; undefined where there are only counts. */
  readonly rows: readonly Row[] | undefined
  /** The same documents read by the lexicon of the counts, with their labels. */
  readonly sample: () => Corpus | undefined
  readonly onProgress?: ((done: number, concepts: number) => void) | undefined
}

export interface Examination {
  readonly diagnosis: Diagnosis
  /** The rates that a fit uses, or why it refuses a concept. */
  readonly verdict: NoiseVerdict
  /** Where rates rest on the words of documents. */
  readonly scores: AnchorScores | undefined
}

/** Check every anchor, with the verdict of a fit on the same documents, by the same rule and from the same numbers. */
export async function examine(counts: Counts, input: ExamineInput): Promise<Examination> {
  const {noise = 'auto', seed, rows, onProgress} = input
  // No word changes the verdict of `auto`, and scoring all documents takes long.
  const isScored = noise === 'positive-only' || noise === 'irreducible'
  const sample = input.sample()
  const scores = isScored && sample ? scoreAnchors(sample, {seed}, onProgress && {onProgress}) : undefined
  const verdict = judgeNoise(counts, noise, {scores})
  const forms = findForms(counts, rows)
  const encoded = sample?.documents ?? []
  const diagnosis = await diagnose(counts, {...verdict, forms, encoded, ...(rows && {documents: rows})})
  return {diagnosis, verdict, scores}
}

/** What `adfa doctor` finds in counts with the anchors of the model; `name` is that of the counts. */
export async function diagnoseModel(model: Model, counts: Counts, name: string): Promise<Diagnosis> {
  checkSameAnchors(model, counts, name)
  return (await examine(counts, {seed: 0, rows: undefined, sample: () => undefined})).diagnosis
}

/** Every anchor of the model must be in the counts, with the same features; the counts may have more. */
function checkSameAnchors({lexicon}: Model, counts: Counts, name: string): void {
  const described = ({any, not}: Counts['lexicon']['anchors'][number]) => JSON.stringify([any, not])
  const counted = new Map(counts.lexicon.anchors.map(anchor => [anchor.concept, described(anchor)]))
  const other = lexicon.anchors.find(anchor => counted.get(anchor.concept) !== described(anchor))
  if (other !== undefined)
    throw new AdfaError(
      'mismatch',
      `${name}: its anchors are not those of the model: "${other.concept}" is ${counted.has(other.concept) ? 'anchored otherwise' : 'not in it'}; ` +
        'give the counts the model was learned from, or count with --like and the model'
    )
}
