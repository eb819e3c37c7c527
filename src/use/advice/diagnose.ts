import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {type EstimatedRates, isMeasured, type SourcedRates} from '../../learn/noise/index.ts'
import {type Counts, labelledDocuments} from '../../read/counts/index.ts'
import type {CorpusDocument, Evidence, Row, SkippedAnchor} from '../../read/data/index.ts'
import type {ConceptForms} from './anchor-forms.ts'
import {type AnchorStatistics, anchorStatistics} from './anchor-statistics.ts'
import {checkCoverage, checkOverlap, checkSkipped} from './check-coverage.ts'
import {checkForeignFiring} from './check-foreign-firing.ts'
import {checkForms, checkMembers, checkNested, checkRank, checkWeakMembers} from './check-members.ts'
import {type AnchorHits, anchorHits, checkNegation} from './check-negation.ts'
import {checkLabels, checkRates, checkRefused} from './check-rates.ts'
import {checkResiduals, type PairResidual, pairResiduals} from './check-residuals.ts'
import {type Finding, worstFirst} from './finding.ts'
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
  /** Documents read by the lexicon of the counts, with the labels that may be used: these show which members are weak. */
  readonly labelled: readonly CorpusDocument[]
  /** Documents read by the lexicon of the counts, to find groups that no anchor covers. */
  readonly encoded: readonly Evidence[]
}

export const diagnoseDefaults: DiagnoseOptions = {
  rates: [],
  refused: [],
  forms: [],
  documents: [],
  labelled: [],
  encoded: []
}

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
  const {rates, refused, forms, documents, labelled, encoded} = withDefaults('diagnose', diagnoseDefaults, options)
  const known = ratesByConcept(
    counts,
    rates.filter(own => !('basis' in own) || isMeasured(own.basis))
  )
  const statistics = anchorStatistics(counts)
  const profiles = memberProfiles(counts)
  const labels = counts.tables === undefined ? memberLabels(counts.lexicon, labelled) : []
  const residuals = known.some(rate => rate !== undefined) ? await pairResiduals(statistics, known) : []
  const byCounting = asJudged([...checkLabels(statistics), ...checkCoverage(statistics, profiles)], refused)
  const byRates = asJudged([...checkRefused(refused), ...checkRates(statistics, known)], refused).filter(
    finding => !isExplained(finding, byCounting)
  )
  const hits = anchorHits(counts.lexicon, documents)
  const findings = [
    ...checkNegation(hits),
    ...checkSkipped(counts.lexicon),
    ...checkOverlap(statistics),
    ...byCounting,
    ...checkMembers(counts.lexicon, profiles),
    ...checkWeakMembers(counts.lexicon, labels),
    ...checkForeignFiring(statistics),
    ...byRates,
    ...checkRank(counts),
    ...checkResiduals(statistics, fairResiduals(counts, residuals, [...byCounting, ...byRates])),
    ...checkNested(counts.lexicon),
    ...checkForms(forms)
  ]
  return {
    documentCount: counts.documentCount,
    readsDocuments: options?.documents !== undefined,
    labelledCount: labelledDocuments(counts),
    anchors: counts.lexicon.anchors.map(({concept}, i) => ({
      ...factsOf(statistics, residuals, known[i], i),
      members: memberFacts(profiles, labels, i),
      negated: hits.find(own => own.concept === concept && own.negated > 0)
    })),
    fields: fieldFacts(counts.lexicon, labelled),
    uncovered: uncoveredGroups(counts.lexicon, encoded),
    findings: worstFirst(findings)
  }
}

/** Faults are what a fit refuses; where it does not, the same finding is a warning. */
function asJudged(findings: readonly Finding[], refused: readonly SkippedAnchor[]): Finding[] {
  const names = new Set(refused.map(({concept}) => concept))
  return findings.map(one =>
    one.severity === 'fault' && !names.has(one.concept) ? {...one, severity: 'warning'} : one
  )
}

function ratesByConcept({lexicon}: Counts, rates: readonly EstimatedRates[]): (EstimatedRates | undefined)[] {
  const names = new Set(lexicon.anchors.map(({concept}) => concept))
  const stranger = rates.find(({concept}) => !names.has(concept))
  if (stranger !== undefined)
    throw new AdfaError(
      'mismatch',
      `diagnose: rates for "${stranger.concept}", which is not a concept of these counts; give rates for their concepts only`
    )
  return lexicon.anchors.map(({concept}) => rates.find(rate => rate.concept === concept))
}

/** Whether a fault already found in counts or labels explains this finding, so that it adds nothing. */
function isExplained({concept, kind, severity}: Finding, byCounting: readonly Finding[]): boolean {
  const causes = kind === 'refused-rates' ? ['dead', 'always', 'wrong-labels'] : ['wrong-labels']
  const isAsBad = (cause: Finding) => severity !== 'fault' || cause.severity === 'fault'
  return byCounting.some(cause => cause.concept === concept && causes.includes(cause.kind) && isAsBad(cause))
}

/** Without the pairs whose rates are known to be wrong. */
function fairResiduals(
  {lexicon}: Counts,
  residuals: readonly PairResidual[],
  findings: readonly Finding[]
): readonly PairResidual[] {
  const wrong = new Set(
    findings.flatMap(({concept, kind}) => (kind === 'impossible-rates' || kind === 'wrong-labels' ? [concept] : []))
  )
  return residuals.filter(({concepts}) => concepts.every(i => !wrong.has(lexicon.anchors[i].concept)))
}

function factsOf(
  {counts, m, N, fired, pairs}: AnchorStatistics,
  residuals: readonly PairResidual[],
  rates: EstimatedRates | undefined,
  i: number
): Omit<AnchorFacts, 'negated' | 'members'> {
  const {anchors} = counts.lexicon
  const excess = (k: number) => pairs[i * m + k] - (fired[i] * fired[k]) / N
  const others = anchors.map((_, k) => k).filter(k => k !== i && excess(k) > 0)
  const [worst] = residuals
    .filter(({concepts: pair}) => pair.includes(i))
    .toSorted((x, y) => y.divergence - x.divergence)
  return {
    concept: anchors[i].concept,
    documents: fired[i],
    share: fired[i] / N,
    overlaps: others
      .sort((x, y) => excess(y) - excess(x))
      .slice(0, OVERLAP_LIMIT)
      .map(k => ({
        concept: anchors[k].concept,
        documents: pairs[i * m + k],
        share: fired[i] > 0 ? pairs[i * m + k] / fired[i] : 0
      })),
    rates,
    worstPair: worst && {
      concept: anchors[worst.concepts[0] === i ? worst.concepts[1] : worst.concepts[0]].concept,
      divergence: worst.divergence,
      chance: worst.chance
    }
  }
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
