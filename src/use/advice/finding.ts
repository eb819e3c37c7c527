/** A `fault`: a fit refuses the concept. A `warning`: the concept is used, and may spoil what is learned. A `note`: information. */
export type Severity = 'fault' | 'warning' | 'note'

/** One thing that is or may be wrong with the anchor of a concept. */
export interface Finding {
  readonly concept: string
  readonly severity: Severity
  /** The check that made it, for programs. */
  readonly kind: FindingKind
  readonly message: string
  /** The numbers and names behind the message. */
  readonly evidence: Readonly<Record<string, number | string | readonly string[]>>
  readonly remedy: string
  /** What the remedy needs, by whatever name a command or a page has it. */
  readonly tool?: RemedyTool
}

export type RemedyTool = 'suggestions' | 'forms' | 'labels' | 'negation'

export type FindingKind =
  | 'unusable'
  | 'shared'
  | 'dead'
  | 'rare'
  | 'dead-member'
  | 'always'
  | 'together'
  | 'nested'
  | 'forms'
  | 'negated'
  | 'fires-for-another'
  | 'foreign-member'
  | 'members-disagree'
  | 'weak-member'
  | 'wrong-labels'
  | 'refused-rates'
  | 'doubtful-rates'
  | 'impossible-rates'
  | 'rate-below-word'
  | 'residual'

const SEVERITIES: readonly Severity[] = ['fault', 'warning', 'note']

/** Worst first; equals stay in their order. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  const rank = ({severity}: Finding) => SEVERITIES.indexOf(severity)
  return findings.toSorted((x, y) => rank(x) - rank(y))
}

/** Separates a reason for leaving a concept out from its remedy, which follows the last semicolon. */
export function splitReason(reason: string): {readonly message: string; readonly remedy: string} {
  const cut = reason.lastIndexOf('; ')
  return cut < 0
    ? {message: reason, remedy: 'correct its anchor, give its rates or label documents, or remove the concept'}
    : {message: reason.slice(0, cut), remedy: reason.slice(cut + 2)}
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
  const {feature, features, other} = evidence
  if (kind === 'negated') return {kind: 'negation'}
  if (kind === 'foreign-member' && typeof feature === 'string' && typeof other === 'string')
    return {kind: 'move', feature, from: concept, to: other}
  if ((kind === 'dead-member' || kind === 'shared') && typeof features === 'object')
    return {kind: 'remove', concept, feature: features[0]}
  return undefined
}
