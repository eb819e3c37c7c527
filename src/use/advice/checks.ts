/** All checks of anchors, and what they find. */
import type {EstimatedRates} from '../../learn/noise/index.ts'
import type {Lexicon, SkippedAnchor} from '../../read/data/index.ts'
import type {ConceptForms} from './anchor-forms.ts'
import type {AnchorStatistics} from './anchor-statistics.ts'
import {checkCoverage, checkForms, checkNested, checkOverlap, checkSkipped} from './check-coverage.ts'
import {checkForeignFiring} from './check-foreign-firing.ts'
import {checkMembers, checkRank, checkWeakMembers} from './check-members.ts'
import {type AnchorHits, checkNegation} from './check-negation.ts'
import {checkLabels, checkRates, checkRefused} from './check-rates.ts'
import {checkResiduals, type PairResidual} from './check-residuals.ts'
import type {Severity} from './finding.ts'
import type {MemberLabels} from './member-labels.ts'
import type {MemberProfiles} from './member-profiles.ts'

export type Finding = ReturnType<
  | typeof checkCoverage
  | typeof checkForeignFiring
  | typeof checkForms
  | typeof checkLabels
  | typeof checkMembers
  | typeof checkNegation
  | typeof checkNested
  | typeof checkOverlap
  | typeof checkRank
  | typeof checkRates
  | typeof checkRefused
  | typeof checkResiduals
  | typeof checkSkipped
  | typeof checkWeakMembers
>[number]

export type FindingKind = Finding['kind']

/** What the checks look at, computed once. */
export interface CheckedFacts {
  readonly statistics: AnchorStatistics
  readonly profiles: MemberProfiles
  /** Measured rates by concept; undefined where unknown. */
  readonly rates: readonly (EstimatedRates | undefined)[]
  readonly refused: readonly SkippedAnchor[]
  readonly residuals: readonly PairResidual[]
  readonly labels: readonly MemberLabels[]
  readonly hits: readonly AnchorHits[]
  readonly forms: readonly ConceptForms[]
}

/** Runs all checks; the worst findings come first. */
export function checkAnchors(facts: CheckedFacts): Finding[] {
  const {statistics, profiles, rates, refused, residuals, labels, hits, forms} = facts
  const {counts} = statistics
  const {lexicon} = counts
  const byCounting = asJudged([...checkLabels(statistics), ...checkCoverage(statistics, profiles)], refused)
  const byRates = asJudged([...checkRefused(refused), ...checkRates(statistics, rates)], refused).filter(
    found => !isExplained(found, byCounting)
  )
  return worstFirst([
    ...checkNegation(hits),
    ...checkSkipped(lexicon),
    ...checkOverlap(statistics),
    ...byCounting,
    ...checkMembers(lexicon, profiles),
    ...checkWeakMembers(lexicon, labels),
    ...checkForeignFiring(statistics),
    ...byRates,
    ...checkRank(counts),
    ...checkResiduals(statistics, fairResiduals(lexicon, residuals, [...byCounting, ...byRates])),
    ...checkNested(lexicon),
    ...checkForms(forms)
  ])
}

export const severities: readonly Severity[] = ['fault', 'warning', 'note']

function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((x, y) => severities.indexOf(x.severity) - severities.indexOf(y.severity))
}

/** Faults are what a fit refuses; where it does not, the same finding is a warning. */
function asJudged(findings: readonly Finding[], refused: readonly SkippedAnchor[]): Finding[] {
  const names = new Set(refused.map(({concept}) => concept))
  return findings.map(one =>
    one.severity === 'fault' && !names.has(one.concept) ? {...one, severity: 'warning'} : one
  )
}

/** Whether a fault already found in counts or labels explains this finding, so that it adds nothing. */
function isExplained({concept, kind, severity}: Finding, byCounting: readonly Finding[]): boolean {
  const causes = kind === 'refused-rates' ? ['dead', 'always', 'wrong-labels'] : ['wrong-labels']
  const isAsBad = (cause: Finding) => severity !== 'fault' || cause.severity === 'fault'
  return byCounting.some(cause => cause.concept === concept && causes.includes(cause.kind) && isAsBad(cause))
}

/** Without the pairs whose rates are known to be wrong. */
function fairResiduals({anchors}: Lexicon, residuals: readonly PairResidual[], findings: readonly Finding[]) {
  const isWrong = (i: number) =>
    findings.some(
      ({concept, kind}) => concept === anchors[i].concept && (kind === 'impossible-rates' || kind === 'wrong-labels')
    )
  return residuals.filter(({concepts}) => !concepts.some(isWrong))
}

/** One change of the anchors, or of how documents are read, that mends a finding. */
export type Mend =
  | {readonly kind: 'negation'}
  | {readonly kind: 'remove'; readonly concept: string; readonly feature: string}
  | {readonly kind: 'move'; readonly feature: string; readonly from: string; readonly to: string}

/**
 * The one edit that mends a finding: a member that never occurs, or that another concept has too, is removed; one that belongs
 * to another concept moves there; negated words are read as such. Of several members the first: the next diagnosis names the rest. Undefined where people must
 * read documents or choose.
 */
export function mendOf({kind, concept, evidence}: Finding): Mend | undefined {
  switch (kind) {
    case 'negated':
      return {kind: 'negation'}
    case 'foreign-member':
      return {kind: 'move', feature: evidence.feature, from: concept, to: evidence.other}
    case 'dead-member':
    case 'shared':
      return {kind: 'remove', concept, feature: evidence.features[0]}
    default:
      return undefined
  }
}
